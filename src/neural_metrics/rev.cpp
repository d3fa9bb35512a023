#include "neural_metrics/rev.h"

#include <numeric>
#include <vector>

#include "config/model_card.h"
#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "core/version.h"
#include "neural_metrics/pair_scorer.h"
#include "text/lower_case.h"
#include "text/text_template.h"

namespace rubric {
namespace {

// What the evaluators read and write (section 2.2; the order of r and b is the published code's).
constexpr const char* kWith = "[rationale] {rationale} {baseline} [answer]";
constexpr const char* kWithout = "[rationale] {baseline} [answer]";
constexpr const char* kLabel = "{label}";
constexpr const char* kMarks[] = {"[rationale]", "[answer]", "<eos>"};

// Of a model trained here what its card says; of another what the published code does.
PairConfig evaluator_config(const std::filesystem::path& model, const std::string& source) {
  if (!std::filesystem::exists(model / "rubric.yaml")) {
    PairConfig config;
    config.end = "<eos>";
    config.bos = config.source_eos = false;
    config.target_eos = !read_model_tokens(model).is_causal;
    config.decoder_start = "last-input";
    config.max_source = config.max_target = kLongestText;
    config.too_long = "refuse";
    return config;
  }
  PairConfig config = pair_config_of(model);
  if (config.source == source && config.target == kLabel) {
    config.too_long = "refuse";  // a template that is cut is another one
    return config;
  }
  throw InputError("the model reads " + json_quote(config.source) + " and writes " +
                       json_quote(config.target) + ", REV needs one that reads " +
                       json_quote(source) + " and writes " + json_quote(kLabel),
                   (model / "rubric.yaml").string(), "train one with configs/rev_*.yaml");
}

bool is_vacuous(const Rationale& record) {
  return lower_case(trim(record.rationale)) == lower_case(trim(record.baseline));
}

SourceTarget pair_with(const Rationale& record) {
  return {.id = record.id,
          .source = "[rationale] " + record.rationale + " " + record.baseline + " [answer]",
          .target = record.label};
}

SourceTarget pair_without(const Rationale& record) {
  return {.id = record.id,
          .source = "[rationale] " + record.baseline + " [answer]",
          .target = record.label};
}

void require_no_marks(const Rationale& record) {
  for (const char* const mark : kMarks) {
    for (const std::string* const text : {&record.rationale, &record.baseline, &record.label}) {
      if (text->find(mark) == std::string::npos) continue;
      throw InputError(
          "a text holds " + std::string(mark) + ", which marks a part of the evaluator's input",
          "record " + json_quote(record.id), "take it out of the text");
    }
  }
}

double mean(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Rev::Rev(const std::filesystem::path& evaluator,
         const std::optional<std::filesystem::path>& baseline_evaluator)
    : with_(std::make_unique<PairScorer>(evaluator, evaluator_config(evaluator, kWith))) {
  if (!baseline_evaluator) return;
  without_ = std::make_unique<PairScorer>(*baseline_evaluator,
                                          evaluator_config(*baseline_evaluator, kWithout));
}

Rev::~Rev() = default;

void Rev::check(const Rationale& record) const {
  require_no_marks(record);
  with_->check(std::vector{pair_with(record)});
  (without_ ? without_ : with_)->check(std::vector{pair_without(record)});
}

Scores Rev::score(std::span<const Rationale> records) {
  std::vector<SourceTarget> with, without;
  for (const Rationale& record : records) {
    without.push_back(pair_without(record));
    if (!is_vacuous(record)) with.push_back(pair_with(record));
  }
  const auto of_without = (without_ ? without_ : with_)->log_probabilities(without);
  const auto of_with = with_->log_probabilities(with);
  Scores scores{{"rev", "rev_with", "rev_without"}, {}};
  auto next = of_with.begin();
  for (size_t i = 0; i < records.size(); ++i) {
    const double b = mean(of_without[i]);
    const double rb = is_vacuous(records[i]) ? b : mean(*next++);
    scores.rows.push_back({rb - b, rb, b});
  }
  return scores;
}

std::string Rev::signature() const {
  return "rev|" + with_->signature() + (without_ ? "|baseline_" + without_->signature() : "") +
         "|rubric:" + kVersion;
}

}  // namespace rubric
