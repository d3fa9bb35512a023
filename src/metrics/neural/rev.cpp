#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/json/json.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "data/rationales/rationale_rows.h"
#include "data/source_targets/source_target.h"
#include "metrics/neural/likelihood_metrics.h"
#include "metrics/neural/pair_likelihoods.h"
#include "rubric/version.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

// The evaluators' templates (section 2.2; the order of r and b follows the published code).
constexpr const char* kWith = "[rationale] {rationale} {baseline} [answer]";
constexpr const char* kWithout = "[rationale] {baseline} [answer]";
constexpr const char* kLabel = "{label}";

// The configuration in the card of a model trained here; for another model that of the published
// code.
data::PairConfig evaluator_config(const std::filesystem::path& model, const std::string& source) {
  if (!std::filesystem::exists(model / "rubric.yaml")) {
    data::PairConfig config;
    config.source = source;
    config.target = kLabel;
    config.end = "<eos>";
    config.bos = config.source_eos = false;
    config.target_eos = !data::read_model_tokens(model).is_causal;
    config.decoder_start = "last-input";
    config.max_source = config.max_target = data::kLongestText;
    config.too_long = "refuse";
    return config;
  }
  data::PairConfig config = data::pair_config_of(model);
  if (config.source == source && config.target == kLabel) {
    config.too_long = "refuse";  // a truncated template is a different template
    return config;
  }
  throw InputError("the model reads " + json_quote(config.source) + " and writes " +
                       json_quote(config.target) + ", REV needs one that reads " +
                       json_quote(source) + " and writes " + json_quote(kLabel),
                   (model / "rubric.yaml").string(),
                   std::string("train one with configs/rev") +
                       (source == kWith ? "" : " and --set 'seq2seq.source=" + source + "'"));
}

bool is_vacuous(const data::Rationale& record) {
  return text::lower_case(text::strip(record.rationale)) ==
         text::lower_case(text::strip(record.baseline));
}

}  // namespace

// One of the two log-probabilities: the model, the template, and the records that are checked.
struct Rev::Term {
  std::shared_ptr<PairScorer> evaluator;
  data::PairTexts texts;
  data::KeptPairs pairs = {};

  data::TokenPairs read(const data::Rationale& record, const std::string& where) const {
    const data::SourceTarget pair = data::source_target_of(data::rationale_row(record), texts,
                                                           /*number=*/0, where + ": " + record.id);
    return evaluator->check(std::vector{pair}, where).pairs(0, 1);
  }
};

Rev::Rev(const std::filesystem::path& evaluator,
         const std::optional<std::filesystem::path>& baseline_evaluator,
         const distributed::Ranks& ranks) {
  data::PairConfig config = evaluator_config(evaluator, kWith);
  const auto opened = std::make_shared<PairScorer>(evaluator, config, ranks);
  with_ = std::make_unique<Term>(opened, data::PairTexts(config));
  if (baseline_evaluator) {
    config = evaluator_config(*baseline_evaluator, kWithout);
    without_ = std::make_unique<Term>(
        std::make_shared<PairScorer>(*baseline_evaluator, config, ranks), data::PairTexts(config));
  } else {
    config.source = kWithout;
    without_ = std::make_unique<Term>(opened, data::PairTexts(config));
  }
}

Rev::~Rev() = default;

void Rev::check(const data::Rationale& record, const std::string& where) {
  const data::TokenPairs with = with_->read(record, where), without = without_->read(record, where);
  with_->pairs.append(with);
  without_->pairs.append(without);
  is_equal_.push_back(is_vacuous(record));
}

data::Scores Rev::score(int64_t begin, int64_t end) {
  std::vector<int64_t> unequal;
  for (int64_t i = begin; i < end; ++i) {
    if (!is_equal_[static_cast<size_t>(i)]) unequal.push_back(i - begin);
  }
  const auto of_without = without_->evaluator->log_probabilities(without_->pairs.pairs(begin, end));
  const auto of_with = with_->evaluator->log_probabilities(
      data::select_pairs(with_->pairs.pairs(begin, end), unequal));
  data::Scores scores{names(), {}};
  auto next = of_with.begin();
  for (const std::vector<float>& values : of_without) {
    const double b = mean_log_probability(values);
    const bool is_equal = is_equal_[static_cast<size_t>(begin) + scores.rows.size()];
    const double rb = is_equal ? b : mean_log_probability(*next++);
    scores.rows.push_back({rb - b, rb, b});
  }
  return scores;
}

std::string Rev::signature() const {
  const bool has_two = with_->evaluator != without_->evaluator;
  return "rev|" + with_->evaluator->signature() +
         (has_two ? "|baseline_" + without_->evaluator->signature() : "") +
         "|equal:" + std::to_string(std::ranges::count(is_equal_, true)) + "/" +
         std::to_string(is_equal_.size()) + "|rubric:" + version_with_build();
}

template <>
std::unique_ptr<RationaleMetric> make_rationale_metric<kRev>(const ModelUse& use) {
  std::optional<std::filesystem::path> baseline_evaluator;
  if (use.settings.has(kBaselineModel)) {
    baseline_evaluator =
        data::find_model(use.settings.text(kBaselineModel), data::sequence_types());
  }
  return std::make_unique<Rev>(data::find_model(use.model, data::sequence_types()),
                               baseline_evaluator, use.ranks);
}

}  // namespace rubric::metrics
