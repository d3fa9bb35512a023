#include "metrics/neural/recipes/metric.h"

#include <algorithm>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/field_text.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/tokens/tokenized_answers.h"
#include "metrics/list.h"
#include "metrics/neural/recipes/head.h"
#include "rubric/version.h"

namespace rubric::metrics {
namespace {

// Answers that are read and scored at a time, which bounds the memory.
constexpr size_t kRecipeWindow = 1024;

Recipe recipe_of(const MetricKind& kind, const ModelUse& use) {
  if (std::ranges::count(kind.settings, &kRecipeFile) == 0) return shipped_recipe(kind.name);
  if (use.settings.has(kRecipeFile)) {
    const std::string file = use.settings.text(kRecipeFile);
    Recipe recipe = read_recipe(file);
    if (find<MetricKind>(kMetrics, recipe.name) == nullptr) return recipe;
    throw InputError("the name " + recipe.name + " is that of another metric", file + ": name",
                     "choose a name that `rubric list metrics` does not have");
  }
  throw InputError("no recipe is named", std::string(kind.name),
                   "name one with --recipe FILE, or score a metric of `rubric list metrics`");
}

// The output that the recipe names, by its index or its class.
size_t output_of(const Recipe& recipe, const RecipeHead& head, const std::string& model) {
  const std::vector<std::string> classes = head.classes();
  if (recipe.outputs > 0 && head.width() != recipe.outputs) {
    throw InputError("the recipe " + recipe.name + " is for a model with " +
                         counted(recipe.outputs, "output") + ", and the model has " +
                         std::to_string(head.width()),
                     model, "use a model that the recipe was published with");
  }
  for (size_t i = 0; i < classes.size(); ++i) {
    const bool is_named = ascii_lower(classes[i]) == ascii_lower(recipe.output);
    if (is_named && static_cast<int64_t>(i) < head.width()) return i;
  }
  if (recipe.map == "softmax" && head.width() == 1) {
    throw InputError("the model has one output, and softmax of one is always 1", model,
                     "write another map into the recipe");
  }
  const std::optional<int64_t> index = parse_count(recipe.output);
  if (index && *index < head.width()) return static_cast<size_t>(*index);
  throw InputError(
      "the recipe reads the output " + recipe.output + " of the model, which has " +
          counted(head.width(), "output") +
          (classes.empty() ? ", without names" : ": " + join(classes)),
      model, "use a model with this class, or write its name or index into a recipe of your own");
}

class RecipeMetric final : public AnswerMetric {
 public:
  RecipeMetric(const MetricKind& kind, const ModelUse& use)
      : recipe_(recipe_of(kind, use)), has_verdict_(use.settings.has(kVerdict)) {
    if (has_verdict_ && !recipe_.threshold) {
      throw InputError("the recipe " + recipe_.name + " has no threshold", "--verdict",
                       "leave --verdict out, or write `threshold: X` into a recipe of your own");
    }
    const auto place = std::ranges::find(kHeads, recipe_.head) - std::begin(kHeads);
    head_ = std::begin(kHeadOpeners)[place](recipe_, use);
    output_ = output_of(recipe_, *head_, use.model);
    model_ = short_sha256(head_->fingerprint());
    is_int8_ = use.settings.has(kInt8);
    shows_progress_ = use.show_progress;
    if (!use.ranks.is_main()) return;
    std::string origin;
    if (!recipe_.licence.empty()) origin += "; licence: " + recipe_.licence;
    if (!recipe_.citation.empty()) origin += "; cite " + recipe_.citation;
    if (!origin.empty()) log_info(recipe_.name + ": " + recipe_.summary + origin);
  }

  data::Scores score(std::span<const data::Answer> records) override {
    for (const data::Answer& answer : records) {
      if (!answer.references.empty() || !recipe_.reads("reference")) continue;
      throw InputError("the record has no reference" + own_field("reference"),
                       data::named_record(answer), "give every record at least one reference");
    }
    data::AnswerTemplate read;
    std::erase_if(read.inputs, [&](const std::string& field) { return !recipe_.reads(field); });
    data::warn_of_missing_inputs(records, read);
    data::Scores scores{{recipe_.name}, {}};
    is_positive_.clear();
    units_ = truncated_ = 0;
    Progress progress("scoring", std::ssize(records));
    for (size_t begin = 0; begin < records.size(); begin += kRecipeWindow) {
      score_window(records.subspan(begin, std::min(kRecipeWindow, records.size() - begin)), scores);
      if (shows_progress_) progress.update(std::ssize(scores.rows));
    }
    return scores;
  }

  std::string signature() const override {
    return recipe_.name + "|model:" + model_ + (is_int8_ ? "|weights:int8" : "") +
           "|recipe:" + recipe_.sha256.substr(0, model_.size()) +
           "|max:" + std::to_string(head_->max_length()) + "|trunc:" + std::to_string(truncated_) +
           "/" + std::to_string(units_) + (recipe_.lower_is_better() ? "|better:lower" : "") +
           (has_verdict_ ? "|threshold:" + Json(*recipe_.threshold).dump() : "") +
           "|rubric:" + version_with_build();
  }

  std::vector<std::string> field_names() const override {
    return has_verdict_ ? std::vector<std::string>{kVerdict.name} : std::vector<std::string>();
  }
  std::vector<Json> fields(size_t row) override {
    if (!has_verdict_) return {};
    return {Json(recipe_.labels[is_positive_[row] ? 1 : 0])};
  }
  // The verdict of the score that is replaced.
  std::vector<std::string> outdated_fields(const Json& row,
                                           const std::string& suffix) const override {
    const Json* const scores = row.find("scores" + suffix);
    const Json* const verdict = row.find(kVerdict.name + suffix);
    const bool is_ours = scores != nullptr && scores->find(recipe_.name) != nullptr &&
                         verdict != nullptr && verdict->is_string() &&
                         std::ranges::count(recipe_.labels, verdict->string()) > 0;
    return is_ours ? std::vector<std::string>{kVerdict.name + suffix} : std::vector<std::string>();
  }
  std::optional<int64_t> right() const override {
    if (!has_verdict_) return std::nullopt;
    return std::ranges::count(is_positive_, true);
  }

 private:
  void score_window(std::span<const data::Answer> answers, data::Scores& scores) {
    std::vector<UnitTexts> texts;
    std::vector<std::vector<Units>> of_answers;  // of each reference
    const std::string none;
    for (const data::Answer& answer : answers) {
      end_if_stop_requested();
      std::vector<Units>& of_answer = of_answers.emplace_back();
      const size_t references = recipe_.reads("reference") ? answer.references.size() : 1;
      for (size_t i = 0; i < references; ++i) {
        of_answer.push_back(
            units_of(recipe_, answer, answer.references.empty() ? none : answer.references[i],
                     [&](std::string_view text) { return head_->count_tokens(text); }));
        std::ranges::move(of_answer.back().texts, std::back_inserter(texts));
      }
    }
    const HeadOutputs outputs = head_->outputs(texts);
    const at::Tensor values = outputs.values.contiguous();
    const float* next = values.const_data_ptr<float>();
    auto is_cut = outputs.truncated.begin();
    for (size_t i = 0; i < answers.size(); ++i) {
      std::vector<double> of_references;
      bool is_any_cut = false;
      for (const Units& units : of_answers[i]) {
        std::vector<double> of_units;
        for (size_t unit = 0; unit < units.chunks * units.sentences; ++unit) {
          const std::vector<double> row(next, next + head_->width());
          of_units.push_back(mapped(recipe_, row, output_));
          next += head_->width();
          truncated_ += *is_cut ? 1 : 0;
          is_any_cut = *is_cut++ || is_any_cut;
        }
        units_ += std::ssize(of_units);
        require_finite(of_units, answers[i]);
        of_references.push_back(aggregated(recipe_, units, of_units));
      }
      const double best = best_of(recipe_, of_references);
      if (is_any_cut) scores.truncated.push_back(scores.rows.size());
      scores.rows.push_back({best});
      if (has_verdict_) {
        const double threshold = *recipe_.threshold;
        is_positive_.push_back(recipe_.lower_is_better() ? best <= threshold : best >= threshold);
      }
    }
  }

  Recipe recipe_;
  bool has_verdict_, is_int8_ = false, shows_progress_ = false;
  std::unique_ptr<RecipeHead> head_;
  size_t output_ = 0;
  std::string model_;  // for the signature
  // Of the records scored last.
  int64_t units_ = 0, truncated_ = 0;
  std::vector<bool> is_positive_;  // of the labels
};

}  // namespace

std::unique_ptr<AnswerMetric> make_recipe_metric(const MetricKind& kind, const ModelUse& use) {
  return std::make_unique<RecipeMetric>(kind, use);
}

}  // namespace rubric::metrics
