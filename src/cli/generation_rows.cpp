#include "cli/generation_rows.h"

#include <algorithm>

#include "core/hash.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/signals.h"
#include "core/version.h"
#include "data/model_directory.h"
#include "data/resumable_rows.h"

namespace rubric {
namespace {

constexpr int64_t kBatchesAtOnce = 8;  // whose rows are sorted by length, and then written

// What the model's configuration and its card say is no part of its weights.
std::string hash_of_settings(const std::filesystem::path& model) {
  std::string all;
  for (const std::filesystem::path& file : model_files(model)) {
    const std::string extension = file.extension().string();
    if (extension != ".json" && extension != ".yaml") continue;
    all += file.filename().string() + sha256_file(file);
  }
  return sha256(all);
}

}  // namespace

Json generation_identity(const OptionValues& values, const std::filesystem::path& model,
                         const std::string& fingerprint) {
  Json identity;
  identity["rubric"] = kVersion;
  identity["model"] = fingerprint;
  identity["configuration"] = hash_of_settings(model);
  identity["input"] = sha256_file(file_option(values, "input"));
  for (const char* const name : {"input-format", "decoder-start", "candidates", "early-stopping",
                                 "source", "given", "output-field"}) {
    identity[name] = text_option(values, name);
  }
  for (const char* const name : {"beams", "seed", "limit", "top-k", "max-new-tokens"}) {
    identity[name] = values.contains(name) ? std::to_string(values[name].as<int64_t>()) : "";
  }
  for (const char* const name : {"length-penalty", "temperature", "top-p"}) {
    identity[name] = values.contains(name) ? Json(values[name].as<double>()).dump() : "";
  }
  for (const char* const name : {"sample", "no-source-eos"}) {
    identity[name] = values.contains(name) ? "yes" : "no";
  }
  identity["field"] = join(list_option(values, "field"));
  return identity;
}

void write_generated(const OptionValues& values, WholeSourceTargets& file, const Json& identity,
                     int64_t batch, const RowWriter& write) {
  const std::string output = output_option(values, "output");
  ResumableRows out(output, identity, kBatchesAtOnce * batch);
  out.require_made_of(file.rows);
  const int64_t rows = std::ssize(file.rows);
  if (out.done() > 0) log_info("going on after row " + std::to_string(out.done()));
  Progress progress("generating", rows, out.done());
  for (int64_t first = out.done(); first < rows; first = out.done()) {
    end_if_stop_requested();
    const auto size = static_cast<size_t>(std::min(kBatchesAtOnce * batch, rows - first));
    const auto begin = static_cast<size_t>(first);
    write(std::span(file.records).subspan(begin, size), first,
          std::span(file.rows).subspan(begin, size));
    const auto from = file.rows.begin() + first;
    out.append({from, from + static_cast<int64_t>(size)});
    progress.update(out.done());
  }
  out.commit();
  progress.finish();
  log_info(std::to_string(rows) + " rows in " + output);
}

}  // namespace rubric
