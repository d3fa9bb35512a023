#include "library/neural/generation.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/context.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/model_tokens.h"
#include "data/rows/resumable_rows.h"
#include "distributed/collective.h"
#include "library/neural/text_generator.h"
#include "metrics/neural/pair_likelihoods.h"
#include "rubric/version.h"

namespace rubric::library {
namespace {

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

// Everything that determines the rows. Throws InputError unless it is the same on all ranks.
Json agreed_identity(const distributed::Ranks& ranks, const GenerationRequest& request,
                     const std::string& fingerprint) {
  Json identity;
  identity["rubric"] = version_with_build();
  identity["model"] = fingerprint;
  identity["configuration"] = hash_of_settings(request.model);
  identity["input"] = sha256_file(request.input);
  for (const auto& [name, value] : request.options.object()) identity[name] = value;
  distributed::require_agreement(ranks, identity);
  return identity;
}

// Throws InputError when a row already has the field.
void require_new(const data::SourceTargetRows& file, const std::string& field) {
  for (size_t i = 0; i < file.rows.size(); ++i) {
    if (file.rows[i].find(field) == nullptr) continue;
    throw InputError("the row has a field " + json_quote(field) + " already", file.places[i],
                     "name another with --output-field, or take it out of the rows");
  }
}

// The number of rows that are sorted by length together, and kept or recomputed together after a
// stop.
int64_t group_of(int64_t batch) {
  constexpr int64_t kBatches = 8;
  return kBatches * batch;
}

// Adds the new fields to the rows from `first` on. Collective.
using RowWriter = std::function<void(std::span<const data::SourceTarget> records, int64_t first,
                                     std::span<Json> rows)>;

// Adds the new fields to every row of `file`, at most `at_once` at a time, and writes the rows on
// rank 0.
void write_rows(const distributed::Ranks& ranks, const GenerationRequest& request,
                data::SourceTargetRows& file, const Json& identity, int64_t at_once,
                const RowWriter& write) {
  std::optional<data::ResumableRows> out;  // only on rank 0
  int64_t done = distributed::broadcast_from_main(ranks, [&] {
    out.emplace(request.output, identity, group_of(request.batch));
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
  log_info(std::to_string(rows) + " rows in " + request.output.string());
}

// Chooses the most probable of each row's candidates.
void choose_texts(const distributed::Ranks& ranks, const GenerationRequest& request,
                  data::SourceTargetRows& file) {
  const std::string likelihoods = request.field + "_likelihoods";
  require_new(file, request.field);
  require_new(file, likelihoods);
  const auto candidates = data::row_texts(file, request.candidates, request.texts);
  metrics::PairScorer scorer(request.model, request.config, ranks);
  const Json identity = agreed_identity(ranks, request, scorer.fingerprint());
  scorer.check(metrics::candidate_pairs(file.records, candidates));
  const auto write = [&](std::span<const data::SourceTarget> records, int64_t first,
                         std::span<Json> rows) {
    const auto of_records = std::span(candidates).subspan(static_cast<size_t>(first));
    const std::vector<metrics::Choice> choices = metrics::choose(scorer, records, of_records);
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i][request.field] = of_records[i][choices[i].best];
      rows[i][likelihoods] =
          Json::Array(choices[i].likelihoods.begin(), choices[i].likelihoods.end());
    }
  };
  write_rows(ranks, request, file, identity, group_of(request.batch), write);
}

void generate_texts(const distributed::Ranks& ranks, const GenerationRequest& request,
                    data::SourceTargetRows& file) {
  require_new(file, request.field);
  if (const auto ignored = data::ignored_generation_settings(request.model); !ignored.empty()) {
    log_warning("the model's configuration asks for " + join(ignored) +
                "; what counts here is the command line");
  }
  const TextGenerator generator(request.model, request.config, request.decoding);
  const Json identity = agreed_identity(ranks, request, generator.fingerprint());
  generator.check(file.records);
  const int64_t group = group_of(request.batch);
  const auto write = [&](std::span<const data::SourceTarget> records, int64_t first,
                         std::span<Json> rows) {
    const std::vector<std::string> texts = distributed::gather_shares(ranks, [&](WorkShare share) {
      return generator.texts(records, first, request.batch, group, share);
    });
    for (size_t i = 0; i < rows.size(); ++i) rows[i][request.field] = texts[i];
  };
  // One group for each rank: the batches of a single group are too few for many ranks.
  write_rows(ranks, request, file, identity, ranks.size() * group, write);
}

}  // namespace

int64_t usual_text_length(const std::filesystem::path& model) {
  constexpr int64_t kUntrained = 128;
  const int64_t length = std::filesystem::exists(model / "rubric.yaml")
                             ? data::pair_config_of(model).max_target
                             : kUntrained;
  const data::ModelTokens tokens = data::read_model_tokens(model);
  if (tokens.max_positions == 0) return length;
  if (!tokens.is_causal) return std::min(length, tokens.max_positions);
  return length < tokens.max_positions ? length : std::max<int64_t>(1, tokens.max_positions / 2);
}

void generate_rows(const distributed::Ranks& ranks, const GenerationRequest& request) {
  data::SourceTargetRows file = data::read_source_targets_with_rows(request.input, request.format,
                                                                    request.texts, request.limit);
  request.candidates.empty() ? generate_texts(ranks, request, file)
                             : choose_texts(ranks, request, file);
}

}  // namespace rubric::library
