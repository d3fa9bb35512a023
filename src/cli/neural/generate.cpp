// rubric generate: generates texts for sources, or chooses the most probable of given texts.
#include <algorithm>
#include <optional>
#include <utility>

#include "cli/neural/commands.h"
#include "cli/neural/run_on_ranks.h"
#include "cli/shared/generate_command.h"
#include "cli/shared/options.h"
#include "config/request.h"
#include "core/error.h"
#include "core/json/json.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "data/rows/resumable_rows.h"
#include "library/neural/generation.h"

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

// Throws InputError when one of `options` is given although `needed`, the option that they belong
// to, is not used.
void refuse_without(const OptionValues& values, bool is_used, const std::string& needed,
                    const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    if (is_used || !is_given(values, option)) continue;
    throw InputError("--" + option + " is only valid with " + needed, "command line",
                     "leave it out, or add " + needed);
  }
}

// Throws InputError for any option of decoding: candidates are chosen, not generated.
void require_no_decoding(const OptionValues& values) {
  for (const char* const option :
       {"beams", "batch", "seed", "max-new-tokens", "do-sample", "temperature", "top-k", "top-p",
        "length-penalty", "early-stopping"}) {
    if (!is_given(values, option)) continue;
    throw InputError("candidates are chosen by their probability: nothing is decoded",
                     "command line", "leave out --candidates, or the options of decoding");
  }
}

// Throws InputError for values that are out of range or incompatible.
models::GenerationOptions decoding_options(const OptionValues& values,
                                           const std::filesystem::path& model) {
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
                               : library::usual_text_length(model);
  options.sampling.temperature = real_option(values, "temperature", 1, 1e-3, 1e3);
  if (values.contains("top-k")) options.sampling.top_k = integer_option(values, "top-k", 1, kMost);
  options.sampling.top_p = real_option(values, "top-p", 1, 0, 1);
  options.seed = static_cast<uint64_t>(integer_option(values, "seed", 0, kMost));
  options.length_penalty = real_option(values, "length-penalty", 1, -100, 100);
  options.early_stopping = early_stopping_option(values);
  return options;
}

// The options that determine the rows, as given.
Json options_as_given(const OptionValues& values) {
  Json options = Json::Object();
  for (const char* const name : {"input-format", "decoder-start", "candidates", "early-stopping",
                                 "source", "given", "output-field"}) {
    options[name] = text_option(values, name);
  }
  for (const char* const name : {"beams", "seed", "limit", "top-k", "max-new-tokens"}) {
    options[name] = values.contains(name) ? std::to_string(values[name].as<int64_t>()) : "";
  }
  for (const char* const name : {"length-penalty", "temperature", "top-p"}) {
    options[name] = values.contains(name) ? Json(values[name].as<double>()).dump() : "";
  }
  for (const char* const name : {"do-sample", "no-source-eos"}) {
    options[name] = values.contains(name) ? "yes" : "no";
  }
  options["field"] = join(list_option(values, "field"));
  return options;
}

// The configuration of the model's pairs, with what the options change.
data::PairConfig pair_config(const OptionValues& values, const std::filesystem::path& model) {
  data::PairConfig config = data::pair_config_of(model);
  if (values.contains("decoder-start")) config.decoder_start = decoder_start_option(values);
  if (values.contains("no-source-eos")) config.source_eos = false;
  if (values.contains("source")) config.source = text_option(values, "source");
  return config;
}

// Throws unless a candidate can be the target, or what follows its given part.
void require_whole_targets(const data::PairTexts& texts, const std::string& target) {
  if (texts.target.size() == 1 || !texts.given.empty()) return;
  throw InputError("a candidate is only a part of what the model writes, " + json_quote(target),
                   "--candidates", "add what comes before it: --given '…'");
}

library::GenerationRequest generation_request(const OptionValues& values) {
  library::GenerationRequest request;
  const std::string input = file_option(values, "input");
  const std::string output = output_option(values, "output");
  data::require_resumable(output);
  check_replaces_none("output", output, {input});
  check_json_lines_name(output);
  request.input = input;
  request.output = output;
  request.model = data::find_model(file_option(values, "model"), data::sequence_types());
  request.batch = integer_option(values, "batch", 1, 1 << 20);
  request.config = pair_config(values, request.model);
  const bool chooses = values.contains("candidates");
  refuse_without(values, chooses, "--candidates", {"given"});
  data::PairTexts texts(request.config,
                        config::assignments_of(list_option(values, "field"), "--field", "source"),
                        text_option(values, "given"));
  texts.targets = data::Targets::optional;
  if (chooses) {
    request.candidates = text_option(values, "candidates");
    require_no_decoding(values);
    require_whole_targets(texts, request.config.target);
    // The given part was generated by a model and may have any length; it is read whole.
    if (!texts.given.empty()) request.config.max_target = data::kLongestText;
  } else {
    request.decoding = decoding_options(values, request.model);
  }
  request.texts = std::move(texts);
  if (values.contains("output-field")) request.field = text_option(values, "output-field");
  if (request.field.empty()) request.field = "generated";
  request.format = input_format_option(values, input);
  request.limit = integer_option(values, "limit", 0, kMost);
  request.options = options_as_given(values);
  return request;
}

void generate_on(const distributed::Ranks& ranks, const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(generate_syntax(), arguments);
  if (!values) return;
  const library::GenerationRequest request = generation_request(*values);
  take_threads_option(*values);
  share_threads();
  ranks.set_activity("reading the input");
  require_same_input(ranks, request.input.string());
  library::generate_rows(ranks, request);
}

}  // namespace

int run_generate(const Arguments& arguments) {
  return run_on_ranks("generate", arguments,
                      [&](const distributed::Ranks& ranks) { generate_on(ranks, arguments); });
}

}  // namespace rubric::cli
