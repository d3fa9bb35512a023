#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "eval/estimate/plan.h"
#include "eval/report/table.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

bool is_correlation(const PlannedLabels& planned) {
  return planned.kind == PlannedKind::correlation ||
         planned.kind == PlannedKind::correlation_difference;
}

// "mean of one", "one – two", "correlation of f1"
std::string planned_name(const PlannedLabels& planned) {
  const std::string kind = is_correlation(planned) ? "correlation" : "mean";
  if (planned.first.empty()) return kind;
  return kind + " of " + planned.first +
         (planned.second.empty() ? "" : " – that of " + planned.second);
}

// What it is planned with: "labels alone", "labels and f1".
std::string source_name(const LabelPlan& result, const PlannedLabels& planned, size_t with) {
  return "labels and " + (is_correlation(planned) ? planned.first : result.predictors[with]);
}

std::optional<int64_t> labels_of(const PlannedLabels& planned, size_t source) {
  const std::optional<int64_t>& count = planned.questions[source];
  if (!count) return std::nullopt;
  return std::llround(static_cast<double>(*count) * planned.labels_per_question);
}

std::string aim_text(const LabelPlan& result, bool finds_difference) {
  return finds_difference ? "a true difference of " + format_exact(*result.difference) +
                                " is found with 80% power by a two-sided test at 5%"
                          : "the 95% interval is ± " + format_exact(*result.width);
}

// The most questions that any of `all` takes with a source, and which of them that is. Predictors
// are numbered from 1; 0 are labels alone.
struct MostQuestions {
  size_t source = 0;
  const PlannedLabels* of = nullptr;
  int64_t questions = 0;
};

// nullopt where one of `all` has no number.
std::optional<MostQuestions> most_questions(const std::vector<const PlannedLabels*>& all,
                                            size_t source) {
  MostQuestions most{source};
  for (const PlannedLabels* const planned : all) {
    const std::optional<int64_t>& questions = planned->questions[source];
    if (!questions) return std::nullopt;
    if (most.of == nullptr || *questions > most.questions) most = {source, planned, *questions};
  }
  return most;
}

std::string counts_text(const MostQuestions& most) {
  const std::string questions = counted(most.questions, "question");
  const int64_t labels = labels_of(*most.of, most.source).value_or(0);
  return questions + " (" + std::to_string(labels) + " labels)";
}

// `choose --budget` counts the answers of all systems to a question.
std::string budget_text(const LabelPlan& result, const MostQuestions& most) {
  const double rows = static_cast<double>(most.questions) * result.answers_per_question;
  return "rubric choose --budget " + std::to_string(std::llround(std::ceil(rows - 1e-6)));
}

// How many questions it takes until all means, differences or correlations (`kind`) reach the aim,
// from the source that takes least.
std::optional<std::string> aim_sentence(const LabelPlan& result, bool finds_difference,
                                        PlannedKind kind) {
  std::vector<const PlannedLabels*> all;
  for (const PlannedLabels& planned : result.planned) {
    const bool is_of_aim = planned.finds_difference == finds_difference;
    if (is_of_aim && planned.kind == kind) all.push_back(&planned);
  }
  if (all.empty()) return std::nullopt;
  const std::optional<MostQuestions> alone = most_questions(all, 0);
  std::optional<MostQuestions> least = alone;
  for (size_t source = 1; source < all.front()->questions.size(); ++source) {
    const std::optional<MostQuestions> most = most_questions(all, source);
    if (most && (!least || most->questions < least->questions)) least = most;
  }
  const std::string aim = "Until " + aim_text(result, finds_difference);
  if (!least) return aim + ": the pilot does not tell how many labels it takes.";
  const std::string of_several =
      all.size() == 1 ? "" : ", which takes the most of " + std::to_string(all.size());
  const std::string source =
      least->source == 0 ? "labels alone" : source_name(result, *least->of, least->source - 1);
  std::string text = aim + " (" + planned_name(*least->of) + of_several + "), it takes " +
                     counts_text(*least) + " with " + source + ", `" + budget_text(result, *least) +
                     "`";
  if (least->source > 0 && alone) {
    const std::string of = alone->of == least->of ? "" : " (" + planned_name(*alone->of) + ")";
    text += "; with labels alone" + of + ", " + counts_text(*alone);
  }
  return text + ".";
}

// For each aim how many questions it takes with the source that takes least, and with labels alone,
// until the last of all means, or differences, reaches it.
std::string plan_sentence(const LabelPlan& result) {
  std::vector<std::string> sentences;
  for (const bool finds_difference : {true, false}) {
    const size_t before = sentences.size();
    for (const PlannedKind kind : {PlannedKind::mean, PlannedKind::difference,
                                   PlannedKind::correlation, PlannedKind::correlation_difference}) {
      const bool is_correlation = kind >= PlannedKind::correlation;
      if (is_correlation && sentences.size() > before) break;  // means are what is asked first
      if (const auto sentence = aim_sentence(result, finds_difference, kind)) {
        sentences.push_back(*sentence);
      }
    }
  }
  return join(sentences, " ");
}

std::vector<std::string> plan_notes(const LabelPlan& result) {
  std::vector<std::string> notes = {plan_sentence(result)};
  notes.emplace_back(
      "questions: how many to label, drawn at random, each with the answers of all systems in the "
      "row; labels: how many answers these are. They come of the variance of errors among the "
      "pilot's labels, and are uncertain if the pilot is small");
  const auto is_pair = [](const PlannedLabels& planned) {
    return planned.kind == PlannedKind::difference;
  };
  if (std::ranges::any_of(result.planned, is_pair)) {
    notes.emplace_back(
        "of a difference, labels are those of its two systems; the --budget of `rubric choose "
        "--system` counts the answers of all systems to these questions");
  }
  if (std::ranges::count_if(result.planned, is_pair) > 1 && result.difference) {
    notes.emplace_back(
        "the power is that of one test at 5%; `rubric estimate` corrects its tests of several "
        "pairs (Holm), which finds a difference less often");
  }
  if (result.population > 0) {
    notes.push_back("of " + std::to_string(result.population) + " questions, without replacement");
  }
  notes.insert(notes.end(), result.warnings.begin(), result.warnings.end());
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  return notes;
}

// How the statistics of an aim end.
std::string aim_name(bool finds_difference) {
  return finds_difference ? "for_difference" : "for_width";
}

std::string prefix_of(const PlannedLabels& planned) {
  return is_correlation(planned) ? "correlation_" : "";
}

// Of means and their differences the systems, of correlations and theirs the metrics.
Keys keys_of(const PlannedLabels& planned) {
  if (!is_correlation(planned)) return {.system = planned.first, .against = planned.second};
  return {.metric = planned.first, .against = planned.second};
}

void add_questions(const PlannedLabels& planned, const Keys& keys, size_t source,
                   std::vector<Measurement>& all) {
  const Adder adder{all, keys, {}, "the pilot's labels do not tell"};
  const auto add = [&](const std::string& name, std::optional<int64_t> count) {
    adder(prefix_of(planned) + name + "_" + aim_name(planned.finds_difference),
          count ? std::optional(static_cast<double>(*count)) : std::nullopt);
  };
  add("questions", planned.questions[source]);
  add("labels", labels_of(planned, source));
}

void add_planned(const LabelPlan& result, const PlannedLabels& planned,
                 std::vector<Measurement>& all) {
  Keys keys = keys_of(planned);
  keys.source = "labels";
  add_questions(planned, keys, 0, all);
  keys.source = "both";
  for (size_t source = 1; source < planned.questions.size(); ++source) {
    if (!is_correlation(planned)) keys.metric = result.predictors[source - 1];
    add_questions(planned, keys, source, all);
  }
}

// Said once of what has two aims, and of all correlations.
void add_labels_per_question(const PlannedLabels& planned, std::vector<Measurement>& all) {
  const Measurement one{.keys = is_correlation(planned) ? Keys{} : keys_of(planned),
                        .statistic = prefix_of(planned) + "labels_per_question",
                        .value = planned.labels_per_question};
  const auto is_said = [&](const Measurement& other) {
    return other.statistic == one.statistic && other.keys == one.keys;
  };
  if (std::ranges::none_of(all, is_said)) all.push_back(one);
}

Layout aim_layout(const LabelPlan& result, bool finds_difference, bool is_of_correlations) {
  return read_layout(
      "estimate", is_of_correlations ? "plan_correlations" : "plan_means",
      {{"aim", aim_text(result, finds_difference)}, {"for", aim_name(finds_difference)}});
}

}  // namespace

Result plan_result(const LabelPlan& plan) {
  Result result{.title = "How many labels of " + plan.human,
                .notes = plan_notes(plan),
                .warnings = plan.warnings};
  for (const PlannedLabels& labels : plan.planned) {
    add_planned(plan, labels, result.measurements);
    add_labels_per_question(labels, result.measurements);
  }
  for (const bool finds_difference : {true, false}) {
    for (const bool is_of_correlations : {false, true}) {
      const auto is_shown = [&](const PlannedLabels& labels) {
        return labels.finds_difference == finds_difference &&
               is_correlation(labels) == is_of_correlations;
      };
      if (std::ranges::none_of(plan.planned, is_shown)) continue;
      result.tables.push_back(aim_layout(plan, finds_difference, is_of_correlations));
    }
  }
  return result;
}

}  // namespace rubric::eval
