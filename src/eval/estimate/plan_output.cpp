#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "eval/estimate/plan.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::string kind_name(PlannedKind kind) {
  switch (kind) {
    case PlannedKind::mean:
      return "mean";
    case PlannedKind::difference:
      return "difference";
    case PlannedKind::correlation:
      return "correlation";
    case PlannedKind::correlation_difference:
      return "correlation_difference";
  }
  return "";
}

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
std::string source_name(const PlanResult& result, const PlannedLabels& planned, size_t with) {
  return "labels and " + (is_correlation(planned) ? planned.first : result.predictors[with]);
}

std::string count_cell(const std::optional<int64_t>& count) {
  return count ? std::to_string(*count) : "–";
}

// The simulation where there is one: it knows more.
std::optional<int64_t> best_count(const PlannedQuestions& questions) {
  return questions.by_simulation ? questions.by_simulation : questions.by_formula;
}

std::string labels_cell(const PlannedLabels& planned, const PlannedQuestions& questions) {
  const std::optional<int64_t> count = best_count(questions);
  if (!count) return "–";
  return std::to_string(std::llround(static_cast<double>(*count) * planned.labels_per_question));
}

std::string aim_text(const PlanResult& result, bool finds_difference) {
  return finds_difference ? "a true difference of " + format_exact(*result.difference) +
                                " is found with 80% power by a two-sided test at 5%"
                          : "the 95% interval is ± " + format_exact(*result.width);
}

std::optional<Table> aim_table(const PlanResult& result, bool finds_difference) {
  Table table{"Until " + aim_text(result, finds_difference),
              {"of", "from", "questions by formula", "by simulation", "labels"},
              {},
              {Align::left, Align::left},
              {}};
  for (const PlannedLabels& planned : result.planned) {
    if (planned.finds_difference != finds_difference) continue;
    const auto add = [&](const std::string& from, const PlannedQuestions& questions) {
      table.rows.push_back({planned_name(planned), from, count_cell(questions.by_formula),
                            count_cell(questions.by_simulation), labels_cell(planned, questions)});
    };
    add("labels alone", planned.labels_alone);
    for (size_t p = 0; p < planned.with.size(); ++p) {
      add(source_name(result, planned, p), planned.with[p]);
    }
  }
  if (table.rows.empty()) return std::nullopt;
  return table;
}

std::vector<std::string> plan_notes(const PlanResult& result) {
  std::vector<std::string> notes = {plan_sentence(result)};
  notes.emplace_back(
      "questions: how many to label, drawn at random, each with the answers of all systems in the "
      "row; labels: how many answers these are, by simulation or, without one, by formula");
  notes.emplace_back(
      "by formula: from the variance of errors among the pilot's labels; by simulation: the "
      "pilot's questions drawn with replacement; both are uncertain if the pilot is small");
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

Json questions_json(const PlannedQuestions& questions) {
  const auto of = [](const std::optional<int64_t>& count) { return count ? Json(*count) : Json(); };
  return Json::Object{{"by_formula", of(questions.by_formula)},
                      {"by_simulation", of(questions.by_simulation)}};
}

}  // namespace

namespace {

// The most questions that any of `all` takes with a source, and which of them that is. Predictors
// are numbered from 1; 0 are labels alone.
struct MostQuestions {
  size_t source = 0;
  const PlannedLabels* of = nullptr;
  int64_t questions = 0;
};

const PlannedQuestions& with_source(const PlannedLabels& planned, size_t source) {
  return source == 0 ? planned.labels_alone : planned.with[source - 1];
}

// nullopt where one of `all` has no number.
std::optional<MostQuestions> most_questions(const std::vector<const PlannedLabels*>& all,
                                            size_t source) {
  MostQuestions most{source};
  for (const PlannedLabels* const planned : all) {
    const std::optional<int64_t> questions = best_count(with_source(*planned, source));
    if (!questions) return std::nullopt;
    if (most.of == nullptr || *questions > most.questions) most = {source, planned, *questions};
  }
  return most;
}

std::string counts_text(const MostQuestions& most) {
  const std::string questions = counted(most.questions, "question");
  return questions + " (" + labels_cell(*most.of, with_source(*most.of, most.source)) + " labels)";
}

// What it takes that all figures of a kind reach the aim, with the source that takes least.
std::optional<std::string> aim_sentence(const PlanResult& result, bool finds_difference,
                                        PlannedKind kind) {
  std::vector<const PlannedLabels*> all;
  for (const PlannedLabels& planned : result.planned) {
    const bool is_of_aim = planned.finds_difference == finds_difference;
    if (is_of_aim && planned.kind == kind) all.push_back(&planned);
  }
  if (all.empty()) return std::nullopt;
  const std::optional<MostQuestions> alone = most_questions(all, 0);
  std::optional<MostQuestions> least = alone;
  for (size_t source = 1; source <= all.front()->with.size(); ++source) {
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
                     counts_text(*least) + " with " + source;
  if (least->source > 0 && alone) {
    const std::string of = alone->of == least->of ? "" : " (" + planned_name(*alone->of) + ")";
    text += "; with labels alone" + of + ", " + counts_text(*alone);
  }
  return text + ".";
}

}  // namespace

std::string plan_sentence(const PlanResult& result) {
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

std::vector<Table> plan_tables(const PlanResult& result) {
  std::vector<Table> tables;
  for (const bool finds_difference : {true, false}) {
    if (std::optional<Table> table = aim_table(result, finds_difference)) {
      tables.push_back(std::move(*table));
    }
  }
  tables.back().notes = plan_notes(result);
  return tables;
}

Table plan_value_table(const PlanResult& result) {
  Table table;
  table.header = {"kind",
                  "first",
                  "second",
                  "aim",
                  "size",
                  "source",
                  "metric",
                  "questions",
                  "simulated_questions",
                  "labels_per_question"};
  for (const PlannedLabels& planned : result.planned) {
    const auto add = [&](const std::string& source, const std::string& metric,
                         const PlannedQuestions& questions) {
      const auto of = [](const std::optional<int64_t>& count) {
        return count ? std::to_string(*count) : std::string();
      };
      table.rows.push_back(
          {kind_name(planned.kind), planned.first, planned.second,
           planned.finds_difference ? "difference" : "width",
           format_exact(planned.finds_difference ? *result.difference : *result.width), source,
           metric, of(questions.by_formula), of(questions.by_simulation),
           number(planned.labels_per_question)});
    };
    add("labels", "", planned.labels_alone);
    for (size_t p = 0; p < planned.with.size(); ++p) {
      add("both", is_correlation(planned) ? planned.first : result.predictors[p], planned.with[p]);
    }
  }
  return table;
}

Json to_json(const PlanResult& result) {
  Json json;
  json["human"] = result.human;
  if (result.difference) json["difference"] = *result.difference;
  if (result.width) json["width"] = *result.width;
  if (result.population > 0) json["population"] = result.population;
  Json::Array all;
  for (const PlannedLabels& planned : result.planned) {
    Json each;
    each["kind"] = kind_name(planned.kind);
    each["first"] = planned.first;
    if (!planned.second.empty()) each["second"] = planned.second;
    each["aim"] = planned.finds_difference ? "difference" : "width";
    each["labels_per_question"] = planned.labels_per_question;
    each["labels_alone"] = questions_json(planned.labels_alone);
    for (size_t p = 0; p < planned.with.size(); ++p) {
      each["with"][is_correlation(planned) ? planned.first : result.predictors[p]] =
          questions_json(planned.with[p]);
    }
    all.push_back(std::move(each));
  }
  json["planned"] = std::move(all);
  json["signature"] = result.signature;
  Json::Array notes(result.warnings.begin(), result.warnings.end());
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  if (!notes.empty()) json["notes"] = std::move(notes);
  return json;
}

Report plan_report(const PlanResult& result) {
  Report report;
  report.title = "How many labels of " + result.human;
  report.tables = plan_tables(result);
  std::vector<std::string>& notes = report.tables.back().notes;
  report.paragraphs = {notes.front()};
  notes.erase(notes.begin());
  report.signatures = {result.signature};
  return report;
}

}  // namespace rubric::eval
