#include "cli/neural/generation.h"

#include <algorithm>
#include <optional>

#include "core/context.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/model_files/model_directory.h"
#include "data/rows/resumable_rows.h"
#include "distributed/collective.h"
#include "rubric/version.h"

namespace rubric::cli {

namespace {

constexpr int64_t kMost = int64_t{1} << 40;

double real_option(const OptionValues& values, const char* name, double otherwise, double low,
                   double high) {
  if (!values.contains(name)) return otherwise;
  const double value = values[name].as<double>();
  if (value >= low && value <= high) return value;
  throw InputError("the number is out of range", std::string("--") + name,
                   "give one from " + Json(low).dump() + " to " + Json(high).dump());
}

models::EarlyStopping early_stopping_option(const OptionValues& values) {
  const std::string when = text_option(values, "early-stopping");
  if (when.empty() || when == "no") return models::EarlyStopping::no;
  if (when == "yes") return models::EarlyStopping::yes;
  if (when == "never") return models::EarlyStopping::never;
  throw InputError("there is no such stopping", "--early-stopping " + when,
                   "give no, yes or never");
}

// The length that the model was trained to write, else 128, limited by its positions, which in a
// causal model include the source.
int64_t usual_length(std::optional<int64_t> trained, const data::ModelTokens& tokens) {
  const int64_t length = trained.value_or(128);
  if (tokens.max_positions == 0) return length;
  if (!tokens.is_causal) return std::min(length, tokens.max_positions);
  return length < tokens.max_positions ? length : std::max<int64_t>(1, tokens.max_positions / 2);
}

// A hash of the model's configuration and card, which its weights do not include.
std::string hash_of_settings(const std::filesystem::path& model) {
  std::string all;
  for (const std::filesystem::path& file : data::model_files(model)) {
    const std::string extension = file.extension().string();
    if (extension != ".json" && extension != ".yaml") continue;
    all += file.filename().string() + sha256_file(file);
  }
  return sha256(all);
}

}  // namespace

void refuse_without(const OptionValues& values, bool is_used, const std::string& needed,
                    const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    if (is_used || !values.contains(option) || values[option].defaulted()) continue;
    throw InputError("--" + option + " is of " + needed, "command line",
                     "leave it out, or add " + needed);
  }
}

void require_no_decoding(const OptionValues& values) {
  bool decodes =
      !values["beams"].defaulted() || !values["batch"].defaulted() || !values["seed"].defaulted();
  for (const char* const option : {"max-new-tokens", "do-sample", "temperature", "top-k", "top-p",
                                   "length-penalty", "early-stopping"}) {
    decodes = decodes || values.contains(option);
  }
  if (!decodes) return;
  throw InputError("candidates are chosen by their probability: nothing is decoded", "command line",
                   "leave out --candidates, or the options of decoding");
}

models::GenerationOptions generation_options(const OptionValues& values,
                                             std::optional<int64_t> trained,
                                             const data::ModelTokens& tokens) {
  constexpr int64_t kMostTokens = 1 << 20, kMostBeams = 1000;
  models::GenerationOptions options;
  options.samples = values.contains("do-sample");
  options.beams = integer_option(values, "beams", 1, kMostBeams);
  if (options.samples && options.beams > 1) {
    throw InputError("--do-sample and --beams are two ways to decode", "command line",
                     "leave one out");
  }
  refuse_without(values, options.samples, "--do-sample", {"seed", "temperature", "top-k", "top-p"});
  refuse_without(values, options.beams > 1, "--beams", {"length-penalty", "early-stopping"});
  options.max_new_tokens = values.contains("max-new-tokens")
                               ? integer_option(values, "max-new-tokens", 1, kMostTokens)
                               : usual_length(trained, tokens);
  options.sampling.temperature = real_option(values, "temperature", 1, 1e-3, 1e3);
  if (values.contains("top-k")) options.sampling.top_k = integer_option(values, "top-k", 1, kMost);
  options.sampling.top_p = real_option(values, "top-p", 1, 0, 1);
  options.seed = static_cast<uint64_t>(integer_option(values, "seed", 0, kMost));
  options.length_penalty = real_option(values, "length-penalty", 1, -100, 100);
  options.early_stopping = early_stopping_option(values);
  return options;
}

Json generation_identity(const OptionValues& values, const std::filesystem::path& model,
                         const std::string& fingerprint) {
  Json identity;
  identity["rubric"] = version_with_build();
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
  for (const char* const name : {"do-sample", "no-source-eos"}) {
    identity[name] = values.contains(name) ? "yes" : "no";
  }
  identity["field"] = join(list_option(values, "field"));
  return identity;
}

int64_t group_of(int64_t batch) {
  constexpr int64_t kBatches = 8;
  return kBatches * batch;
}

void write_generated(const distributed::Ranks& ranks, const OptionValues& values,
                     data::SourceTargetRows& file, const Json& identity, int64_t batch,
                     int64_t at_once, const RowWriter& write) {
  const std::string output = output_option(values, "output");
  std::optional<data::ResumableRows> out;  // only on rank 0
  int64_t done = distributed::broadcast_from_main(ranks, [&] {
    out.emplace(output, identity, group_of(batch));
    out->require_made_of(file.rows);
    return out->done();
  });
  const int64_t rows = std::ssize(file.rows);
  if (done > 0) log_info("resuming after row " + std::to_string(done));
  Progress progress("generating", rows, done);
  while (done < rows) {
    ranks.set_activity("row " + std::to_string(done + 1));
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

}  // namespace rubric::cli
