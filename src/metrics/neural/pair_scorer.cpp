#include "metrics/neural/pair_scorer.h"

#include <algorithm>
#include <cmath>

#include "config/printer.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/signals.h"
#include "distributed/compute_together.h"
#include "metrics/neural/pair_likelihoods.h"

namespace rubric {
namespace {

// Rows are tokenised, sorted and scored this many at a time, which bounds the memory.
constexpr size_t kWindow = 4096;
constexpr int64_t kMaxTokens =
    2048;  // that a source may have with those of its targets that share it

}  // namespace

PairScorer::PairScorer(const std::filesystem::path& model_directory, const PairConfig& config,
                       const Ranks& ranks)
    : opened_(open_sequence_model(model_directory, config)),
      config_(config),
      template_(pair_template(config, opened_.tokens, (model_directory / "config.json").string())),
      ranks_(ranks),
      fingerprint_(rubric::fingerprint(opened_)) {}

// Texts are tokenised here, and again when they are scored: the tokens of a file may need more
// memory than there is.
void PairScorer::check(std::span<const SourceTarget> records, const std::string& where) {
  PairEncoder encoder(*opened_.tokenizer, template_, where);
  for (const SourceTarget& record : records) {
    end_if_stop_requested();
    TokenPairs row;
    encoder.encode(record, row);
  }
  cut_sources_ += std::ssize(encoder.cut_sources().ids);
  cut_targets_ += std::ssize(encoder.cut_targets().ids);
  rows_ += std::ssize(records);
  encoder.warn_of_cuts(records.size());
}

std::vector<std::vector<float>> PairScorer::log_probabilities(
    std::span<const SourceTarget> records, const std::function<void(int64_t)>& advance,
    NotFinite not_finite) const {
  std::vector<std::vector<float>> values;
  PairEncoder encoder(*opened_.tokenizer, template_);
  for (size_t begin = 0; begin < records.size(); begin += kWindow) {
    const auto window = records.subspan(begin, std::min(kWindow, records.size() - begin));
    TokenPairs pairs;
    for (const SourceTarget& record : window) encoder.encode(record, pairs);
    const at::Tensor together =
        compute_together(ranks_, {std::ssize(pairs.targets)}, [&](WorkShare share) {
          return at::tensor(pair_likelihoods(*opened_.model, pairs, kMaxTokens, advance, share));
        });
    const float* const all = together.const_data_ptr<float>();
    for (size_t i = 0; i < window.size(); ++i) {
      const int64_t first = pairs.decoder_inputs.offsets[i] + pairs.given[i];
      const auto row =
          values.emplace(values.end(), all + first, all + pairs.decoder_inputs.offsets[i + 1]);
      if (not_finite == NotFinite::keep) continue;
      if (std::ranges::all_of(*row, [](float x) { return std::isfinite(x); })) continue;
      throw Error("the model gives a token a log-probability that is not finite",
                  "record " + json_quote(window[i].id), "use other weights");
    }
  }
  return values;
}

std::string PairScorer::signature() const {
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  const bool has_encoder = !template_.is_causal;
  PairConfig counts = config_;
  if (!has_encoder) {  // to which these are nothing
    counts.decoder_start = PairConfig().decoder_start;
    counts.source_eos = PairConfig().source_eos;
  }
  return "model:" + fingerprint_ + "|pairs:" + sha256(print_config(counts)).substr(0, 8) +
         (has_encoder ? "|start:" + config_.decoder_start : "") +
         "|eos:" + yes(config_.target_eos) +
         (has_encoder ? "|source_eos:" + yes(config_.source_eos) : "") +
         "|trunc:" + std::to_string(cut_sources_) + "+" + std::to_string(cut_targets_) + "/" +
         std::to_string(rows_);
}

}  // namespace rubric
