// rubric generate: generates texts for sources, or chooses the most probable of given texts.
#include <algorithm>
#include <optional>

#include <ATen/Parallel.h>

#include "cli/neural/generation.h"
#include "cli/neural/run_on_ranks.h"
#include "cli/shared/generate_command.h"
#include "cli/shared/options.h"
#include "core/context.h"
#include "core/system/log.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/model_tokens.h"
#include "data/rows/resumable_rows.h"
#include "data/source_targets/source_target.h"
#include "distributed/collective.h"
#include "library/neural/text_generator.h"
#include "metrics/neural/pair_likelihoods.h"

namespace rubric::cli {
namespace {

constexpr int64_t kMostRows = int64_t{1} << 40;

std::string output_field(const OptionValues& values) {
  const std::string name = text_option(values, "output-field");
  return name.empty() ? "generated" : name;
}

// Throws InputError when a row already has the output field.
void require_new(const data::SourceTargetRows& file, const std::string& field) {
  for (size_t i = 0; i < file.rows.size(); ++i) {
    if (file.rows[i].find(field) == nullptr) continue;
    throw InputError("the row has a field " + json_quote(field) + " already", file.places[i],
                     "name another with --output-field, or take it out of the rows");
  }
}

// Throws unless a candidate can be the target, or what follows its given part.
void require_whole_targets(const data::PairTexts& texts, const std::string& target) {
  if (texts.target.size() == 1 || !texts.given.empty()) return;
  throw InputError("the model writes " + json_quote(target) + ", of which a candidate is a part",
                   "--candidates", "add what comes before it: --given '…'");
}

// Chooses the most probable of each row's candidates.
void choose_texts(const distributed::Ranks& ranks, const OptionValues& values,
                  const std::filesystem::path& model, const data::PairConfig& config,
                  const data::PairTexts& texts, int64_t batch, data::SourceTargetRows& file) {
  const std::string field = output_field(values);
  require_new(file, field);
  const std::string likelihoods = field + "_likelihoods";
  require_new(file, likelihoods);
  const auto candidates = data::row_texts(file, file_option(values, "candidates"), texts);
  metrics::PairScorer scorer(model, config, ranks);
  const Json identity = generation_identity(values, model, scorer.fingerprint());
  distributed::require_agreement(ranks, identity);
  scorer.check(metrics::candidate_pairs(file.records, candidates));
  const auto write = [&](std::span<const data::SourceTarget> records, int64_t first,
                         std::span<Json> rows) {
    const auto of_records = std::span(candidates).subspan(static_cast<size_t>(first));
    const std::vector<metrics::Choice> choices = metrics::choose(scorer, records, of_records);
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i][field] = of_records[i][choices[i].best];
      rows[i][likelihoods] =
          Json::Array(choices[i].likelihoods.begin(), choices[i].likelihoods.end());
    }
  };
  write_generated(ranks, values, file, identity, batch, group_of(batch), write);
}

models::GenerationOptions decoding_options(const OptionValues& values,
                                           const std::filesystem::path& model) {
  std::optional<int64_t> trained;
  if (std::filesystem::exists(model / "rubric.yaml"))
    trained = data::pair_config_of(model).max_target;
  return generation_options(values, trained, data::read_model_tokens(model));
}

void generate_texts(const distributed::Ranks& ranks, const OptionValues& values,
                    const std::filesystem::path& model, const data::PairConfig& config,
                    int64_t batch, data::SourceTargetRows& file) {
  const std::string field = output_field(values);
  require_new(file, field);
  if (const auto ignored = data::ignored_generation_settings(model); !ignored.empty()) {
    log_warning("the model's configuration asks for " + join(ignored) +
                "; what counts here is the command line");
  }
  const library::TextGenerator generator(model, config, decoding_options(values, model));
  const Json identity = generation_identity(values, model, generator.fingerprint());
  distributed::require_agreement(ranks, identity);
  generator.check(file.records);
  const auto write = [&](std::span<const data::SourceTarget> records, int64_t first,
                         std::span<Json> rows) {
    const std::vector<std::string> texts = distributed::gather_shares(ranks, [&](WorkShare share) {
      return generator.texts(records, first, batch, group_of(batch), share);
    });
    for (size_t i = 0; i < rows.size(); ++i) rows[i][field] = texts[i];
  };
  // One group for each rank: the batches of a single group are too few for many ranks.
  write_generated(ranks, values, file, identity, batch, ranks.size() * group_of(batch), write);
}

void generate_on(const distributed::Ranks& ranks, const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(generate_syntax(), arguments);
  if (!values) return;
  const std::string input = file_option(*values, "input");
  const std::string output = output_option(*values, "output");
  data::require_resumable(output);
  check_replaces_none("output", output, {input});
  check_json_lines_name(output);
  const std::filesystem::path model =
      data::find_model(file_option(*values, "model"), data::sequence_types());
  const int64_t batch = integer_option(*values, "batch", 1, 1 << 20);
  if (const int64_t threads = integer_option(*values, "threads", 0, 4096); threads > 0) {
    at::set_num_threads(static_cast<int>(threads));
  }
  data::PairConfig config = data::pair_config_of(model);
  if (values->contains("decoder-start")) config.decoder_start = decoder_start_option(*values);
  if (values->contains("no-source-eos")) config.source_eos = false;
  if (values->contains("source")) config.source = text_option(*values, "source");
  const bool chooses = values->contains("candidates");
  refuse_without(*values, chooses, "--candidates", {"given"});
  data::PairTexts texts(config, data::parse_assignments(list_option(*values, "field"), "source"),
                        text_option(*values, "given"));
  texts.targets = data::Targets::optional;
  if (chooses) {
    require_no_decoding(*values);
    require_whole_targets(texts, config.target);
    // The given part was generated by a model and may have any length; it is read whole.
    if (!texts.given.empty()) config.max_target = data::kLongestText;
  } else {
    // Checks the decoding options before the rows are read.
    decoding_options(*values, model);
  }
  ranks.set_activity("reading the input");
  require_same_input(ranks, input);
  data::SourceTargetRows file =
      data::read_source_targets_with_rows(input, input_format_option(*values, input), texts,
                                          integer_option(*values, "limit", 0, kMostRows));
  if (chooses) {
    choose_texts(ranks, *values, model, config, texts, batch, file);
  } else {
    generate_texts(ranks, *values, model, config, batch, file);
  }
}

}  // namespace

template <>
int run_neural<kGenerate>(const Arguments& arguments) {
  return run_on_ranks("generate", arguments,
                      [&](const distributed::Ranks& ranks) { generate_on(ranks, arguments); });
}

}  // namespace rubric::cli
