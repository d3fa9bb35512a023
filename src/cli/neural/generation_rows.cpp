#include "cli/neural/generation_rows.h"

#include <algorithm>
#include <optional>

#include "core/hash.h"
#include "core/system/log.h"
#include "core/system/progress.h"
#include "core/system/signals.h"
#include "core/version.h"
#include "data/model_files/model_directory.h"
#include "data/rows/resumable_rows.h"
#include "distributed/collective.h"

namespace rubric {
namespace {

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

int64_t group_of(int64_t batch) {
  constexpr int64_t kBatches = 8;
  return kBatches * batch;
}

void write_generated(const Ranks& ranks, const OptionValues& values, WholeSourceTargets& file,
                     const Json& identity, int64_t batch, int64_t at_once, const RowWriter& write) {
  const std::string output = output_option(values, "output");
  std::optional<ResumableRows> out;  // of rank 0
  int64_t done = told_by_main(ranks, [&] {
    out.emplace(output, identity, group_of(batch));
    out->require_made_of(file.rows);
    return out->done();
  });
  const int64_t rows = std::ssize(file.rows);
  if (done > 0) log_info("going on after row " + std::to_string(done));
  Progress progress("generating", rows, done);
  while (done < rows) {
    ranks.enter("row " + std::to_string(done + 1));
    end_if_stop_requested();
    const auto size = static_cast<size_t>(std::min(at_once, rows - done));
    const auto begin = static_cast<size_t>(done);
    const auto made = std::span(file.rows).subspan(begin, size);
    write(std::span(file.records).subspan(begin, size), done, made);
    if (out) out->append({made.begin(), made.end()});
    done += std::ssize(made);
    progress.update(done);
  }
  progress.finish();
  if (!out) return;
  out->commit();
  log_info(std::to_string(rows) + " rows in " + output);
}

}  // namespace rubric
