#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "eval/agreement/agreement.h"
#include "eval/estimate/choose.h"
#include "eval/estimate/estimate.h"
#include "eval/estimate/labels.h"
#include "eval/report/table.h"
#include "eval/resampling.h"

namespace rubric::eval {
namespace {

// A row's number stands for its id only in its own file.
void require_ids(const data::ScoredSource& source) {
  std::vector<std::string> without;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    if (data::is_missing(source.rows[i].find("id"))) without.push_back(source.places[i]);
  }
  if (without.empty()) return;
  throw InputError(counted(std::ssize(without), "row has", "rows have") + " no \"id\"",
                   join_some(without),
                   "give the rows of both files the ids by which labels are joined to answers");
}

// The fields that both files have. Those that only the labels have might tell answers apart.
void find_fields(JoinedLabels& labels) {
  const EstimateRequest& request = labels.request;
  std::set<std::string> done = {"", request.human};
  for (const std::string& field :
       {std::string("constituent"), std::string("system"), request.system, request.group}) {
    if (!done.insert(field).second || !data::has_values(labels.source, field)) continue;
    if (data::has_values(labels.all, field)) {
      labels.fields.push_back(field);
      continue;
    }
    throw InputError("labels have the field " + json_quote(field) + " and the answers in " +
                         labels.all.file.string() + " do not",
                     labels.source.file.string(),
                     "give the answers this field, by which labels are joined to them, or leave it "
                     "out of the labels");
  }
}

// Rows without a label are those that were not drawn, or not filled in: a word for none, which a
// person chose, is noted.
void find_labels(JoinedLabels& labels, std::vector<std::string>& notes) {
  std::vector<std::string> words;
  for (size_t i = 0; i < labels.source.rows.size(); ++i) {
    const Json* const value = labels.source.rows[i].find(labels.request.human);
    if (data::lacks_label(value)) {
      if (!data::is_missing_number(value)) {
        words.push_back(data::name_of(value) + " (" + labels.source.places[i] + ")");
      }
      continue;
    }
    labels.places.push_back(i);
    if (!labels.has_own_file()) labels.rows.push_back({i});
  }
  if (words.empty()) return;
  notes.push_back(counted(std::ssize(words), "label is a word", "labels are words") +
                  " for none, and the " + (words.size() == 1 ? "row counts" : "rows count") +
                  " as not labelled: " + join_some(words) +
                  ". Intervals are right only if chance decided which rows these are; write a "
                  "third label as a number, such as 0.5");
}

// Finds the rows of each label in one pass over all.
void find_rows(JoinedLabels& labels) {
  std::unordered_map<std::string, std::vector<size_t>> labels_of_id;
  for (size_t l = 0; l < labels.places.size(); ++l) {
    labels_of_id[labels.source.ids[labels.places[l]]].push_back(l);
  }
  labels.rows.resize(labels.places.size());
  for (size_t row = 0; row < labels.all.rows.size(); ++row) {
    const auto found = labels_of_id.find(labels.all.ids[row]);
    if (found == labels_of_id.end()) continue;
    for (const size_t label : found->second) {
      const Json& labelled = labels.source.rows[labels.places[label]];
      const bool is_its = std::ranges::all_of(labels.fields, [&](const std::string& field) {
        return data::name_of(labelled.find(field)) ==
               data::name_of(labels.all.rows[row].find(field));
      });
      if (is_its) labels.rows[label].push_back(row);
    }
  }
}

// How a labelled row was drawn, by a field of either file; "" is none.
const Json* draw_field(const JoinedLabels& labels, size_t label, const std::string& what,
                       const std::string& field) {
  if (field.empty()) return nullptr;
  const Json* value = labels.source.rows[labels.places[label]].find(field);
  if (data::is_missing(value)) value = labels.all.rows[labels.rows[label].front()].find(field);
  if (!data::is_missing(value)) return value;
  throw InputError("a row with a label has no " + what + " " + json_quote(field),
                   labels.source.places[labels.places[label]],
                   "give every labelled row the " + what + " with which it was drawn");
}

std::optional<double> probability_of(const JoinedLabels& labels, size_t label) {
  const std::string& field = labels.request.probability;
  const Json* const value = draw_field(labels, label, "probability", field);
  if (value == nullptr) return std::nullopt;
  const std::string& where = labels.source.places[labels.places[label]];
  const std::optional<double> number = number_in(*value);
  if (!number) {
    throw InputError("the probability " + json_quote(field) + " is no number: " + value->dump(),
                     where, "write it with a decimal point, such as 0.0125");
  }
  const double probability = *number;
  if (probability > 1 / data::kLargestValue && stats::is_on_scale(probability, {0, 1})) {
    return std::min(probability, 1.0);
  }
  throw InputError("the probability " + json_quote(field) + " is " + Json(probability).dump(),
                   where, "give one above 0 and at most 1: with which the labelled row was drawn");
}

double label_of(const JoinedLabels& labels, size_t label) {
  const size_t i = labels.places[label];
  const std::string& where = labels.source.places[i];
  const double value = data::require_value(
      *labels.source.rows[i].find(labels.request.human),
      "the label " + json_quote(data::name_in_file(labels.source, labels.request.human)), where);
  const std::optional<Interval>& scale = labels.request.scale;
  if (!scale || stats::is_on_scale(value, *scale)) return value;
  throw InputError("the label " +
                       json_quote(data::name_in_file(labels.source, labels.request.human)) +
                       " is " + format_exact(value),
                   where,
                   "correct it, or the --scale, which is from " + format_exact(scale->low) +
                       " to " + format_exact(scale->high));
}

// The labels of one row.
struct RowLabels {
  std::vector<size_t> labels = {};
  double sum = 0;
  std::optional<double> probability = {};
  std::string stratum = {};  // of probabilities
};

std::map<size_t, RowLabels> labels_by_row(const JoinedLabels& labels) {
  std::map<size_t, RowLabels> by_row;
  for (size_t l = 0; l < labels.places.size(); ++l) {
    RowLabels& of = by_row[labels.rows[l].front()];
    const std::optional<double> probability = probability_of(labels, l);
    std::string stratum;
    if (probability) {
      stratum = data::name_of(draw_field(labels, l, "stratum", labels.request.strata));
    }
    if (!of.labels.empty() && (of.probability != probability || of.stratum != stratum)) {
      throw InputError("two labels of one answer have different probabilities or strata",
                       "the id " + labels.name(l) + " in " + labels.source.file.string(),
                       "give the probability with which the answer was drawn, and its stratum");
    }
    of.labels.push_back(l);
    of.sum += label_of(labels, l);
    of.probability = probability;
    of.stratum = std::move(stratum);
  }
  return by_row;
}

// The numbers of names in the order of their first rows, and the names.
std::vector<uint32_t> numbered(const std::vector<std::string>& of_rows,
                               std::vector<std::string>& names) {
  std::unordered_map<std::string, uint32_t> numbers;
  std::vector<uint32_t> result;
  for (const std::string& name : of_rows) {
    const auto [entry, is_new] = numbers.emplace(name, names.size());
    if (is_new) names.push_back(name);
    result.push_back(entry->second);
  }
  return result;
}

// The strata of labels with probabilities.
void add_strata(const std::vector<std::string>& of_labels, LabelledAnswers& answers) {
  const std::vector<uint32_t> strata = numbered(of_labels, answers.stratum_names);
  std::vector<std::set<uint32_t>> questions(answers.stratum_names.size());
  answers.strata.assign(answers.systems.size(), 0);
  for (size_t l = 0; l < strata.size(); ++l) {
    answers.strata[answers.labelled[l]] = strata[l];
    questions[strata[l]].insert(answers.questions.of[answers.labelled[l]]);
  }
  for (const auto& of : questions) answers.drawn.push_back(static_cast<double>(of.size()));
}

void take_labels(const JoinedLabels& labels, LabelledAnswers& answers) {
  const std::map<size_t, RowLabels> by_row = labels_by_row(labels);
  std::vector<double> values;
  data::LabelWords words;
  for (size_t l = 0; l < labels.places.size(); ++l) {
    values.push_back(label_of(labels, l));
    const size_t row = labels.places[l];
    words.add(*labels.source.rows[row].find(labels.request.human), values.back(),
              labels.source.places[row]);
  }
  for (std::string& warning : warn_of_far_labels(labels, values)) {
    answers.notes.push_back(std::move(warning));
  }
  std::vector<std::string> repeated, strata;
  for (const auto& [row, of] : by_row) {
    if (of.labels.size() > 1) repeated.push_back(labels.name(of.labels.front()));
    answers.labelled.push_back(static_cast<uint32_t>(row));
    answers.labels.push_back(of.sum / static_cast<double>(of.labels.size()));
    if (of.probability) answers.probabilities.push_back(*of.probability);
    strata.push_back(of.stratum);
  }
  if (!labels.request.probability.empty() && !labels.request.strata.empty()) {
    add_strata(strata, answers);
  }
  const std::string have_several =
      counted(std::ssize(repeated), "answer has", "answers have") + " several labels";
  if (!repeated.empty() && !labels.request.average) {
    throw InputError(have_several + ": " + data::ids_text(repeated), labels.source.file.string(),
                     "keep one label of each answer, or have them averaged with --average");
  }
  if (!repeated.empty()) answers.notes.push_back(have_several + ", which are averaged");
}

// Leaves out the scores of the label's name that are the labels themselves, as when these were
// joined: of the labelled answers all have one value. Another judge's stay.
void drop_joined_label(const JoinedLabels& labels, LabelledAnswers& answers) {
  const std::string& human = labels.request.human;
  if (!labels.has_own_file() || !labels.request.ledger.empty()) return;
  for (size_t m = 0; m < answers.metrics.size(); ++m) {
    const std::string& metric = answers.metrics[m];
    const auto is_its_score = [&](size_t l) {
      return answers.scores[m][answers.labelled[l]] == answers.labels[l];
    };
    const auto all = std::views::iota(size_t{0}, answers.labels.size());
    if (metric != human && metric != "scores." + human && "scores." + metric != human) continue;
    if (!std::ranges::all_of(all, is_its_score)) continue;
    if (!labels.request.metrics.empty() || answers.metrics.size() == 1) {
      throw InputError("the score " + json_quote(metric) + " of every labelled answer is its label",
                       labels.all.file.string(),
                       "name other metrics with --metric: the label would agree with itself");
    }
    log_info("the score " + json_quote(metric) + " has the values of the label, and is no metric");
    answers.metrics.erase(answers.metrics.begin() + static_cast<std::ptrdiff_t>(m));
    answers.scores.erase(answers.scores.begin() + static_cast<std::ptrdiff_t>(m));
    return;
  }
}

// A label with probability p stands for 1 / p answers: of each system they stand for about as many
// as there are. Answers to one question may have been drawn together.
void check_probabilities(const LabelledAnswers& answers, const JoinedLabels& labels) {
  constexpr double kErrors = 4, kRounding = 0.01;
  struct Drawn {
    double answers = 0, probability = 0;
  };
  for (size_t s = 0; s < answers.system_names.size(); ++s) {
    std::map<uint32_t, Drawn> of_questions;
    for (size_t l = 0; l < answers.labelled.size(); ++l) {
      if (answers.systems[answers.labelled[l]] != s) continue;
      Drawn& drawn = of_questions[answers.questions.of[answers.labelled[l]]];
      drawn.answers += 1 / answers.probabilities[l];
      drawn.probability = answers.probabilities[l];
    }
    double sum = 0, variance = 0;
    for (const auto& [question, drawn] : of_questions) {
      sum += drawn.answers;
      variance += (1 - drawn.probability) * drawn.answers * drawn.answers;
    }
    const auto n = static_cast<double>(std::ranges::count(answers.systems, s));
    if (of_questions.empty() ||
        std::abs(sum - n) <= kErrors * std::sqrt(variance) + kRounding * n) {
      continue;
    }
    const std::string& name = answers.system_names[s];
    const std::string stand_for =
        " stand for " +
        (sum < 1000 ? format_significant(sum, 3) : std::to_string(std::llround(sum))) +
        " answers by their probabilities, and there are " + format_exact(n);
    const int64_t without = labels.has_own_file() ? labels.unfilled() : 0;
    const std::string file = labels.source.file.string();
    if (without > 0) {
      throw InputError(counted(without, "row has", "rows have") + " no label, and without " +
                           (without == 1 ? "it" : "them") + " the labels" +
                           (name.empty() ? "" : " of " + name) + stand_for,
                       file, "label all rows of the sheet, as they were drawn together");
    }
    throw InputError((name.empty() ? "" : name + ": ") + "the labels" + stand_for, file,
                     "give the probability with which each labelled answer was drawn from all: "
                     "1 / probability must sum to about their number");
  }
}

// Intervals take the rows of a question together, and differences pair the systems by it.
void note_questions(const data::ScoredRows& rows, bool has_questions, LabelledAnswers& answers) {
  if (has_questions) return;
  const std::set<std::string> systems(rows.systems.begin(), rows.systems.end());
  const bool are_alone = answers.questions.count == rows.rows.size();
  if (!are_alone) {
    answers.notes.emplace_back(
        "no row has a \"question\": rows of one id are taken for answers to one question");
    return;
  }
  answers.notes.push_back(
      std::string("no row has a \"question\": rows are taken as independent") +
      (systems.size() > 1 ? ", and differences between systems are not paired by question" : "") +
      "; --field question=FIELD names it");
}

}  // namespace

LabelledAnswers join_labels(const EstimateRequest& request, data::ScoredRows rows,
                            const data::ScoredSource* own_file) {
  const data::ScoredSource& source = own_file != nullptr ? *own_file : rows;
  data::require_field(source, "--human", request.human, {},
                      own_file != nullptr ? "" : "; or name the file of labels, --labels FILE");
  const bool has_probability = !request.probability.empty();
  if (has_probability && !data::has_values(rows, request.probability)) {
    data::require_field(source, "--probability", request.probability);
  }
  if (has_probability && !request.strata.empty() && !data::has_values(rows, request.strata)) {
    data::require_field(source, "--strata", request.strata);
  }
  LabelledAnswers answers;
  answers.scale = request.scale;
  answers.is_sheet = data::has_values(source, kProbability) && data::has_values(source, kStratum);
  JoinedLabels labels{request, rows, source};
  find_labels(labels, answers.notes);
  if (labels.has_own_file()) {
    require_ids(rows);
    require_ids(source);
    find_fields(labels);
    find_rows(labels);
    check_rows(labels, answers.notes);
  }
  for (std::string& note : seen_notes(rows.metrics, seen_counts(rows), std::ssize(rows.rows))) {
    answers.notes.push_back(std::move(note));
  }
  answers.metrics = rows.metrics;
  answers.scores = std::move(rows.scores);
  answers.groups = std::move(rows.groups);
  const RowQuestions questions(rows);
  answers.questions = questions.clusters();
  note_questions(rows, questions.any(), answers);
  answers.systems.assign(rows.rows.size(), 0);
  answers.system_names = {""};
  if (!rows.systems.empty()) {
    answers.system_names.clear();
    answers.systems = numbered(rows.systems, answers.system_names);
  }
  if (!request.strata.empty() && !has_probability) {
    answers.strata =
        numbered(data::names_in_rows(rows, "--strata", request.strata), answers.stratum_names);
  }
  take_labels(labels, answers);
  drop_joined_label(labels, answers);
  note_unfilled(labels, answers.notes);
  note_missing_rows(labels, answers);
  note_unread(labels, kProbability, "--probability", request.probability, answers.notes);
  note_unread(labels, kStratum, "--strata", request.strata, answers.notes);
  leave_out(rows.is_unscored, answers);
  if (!answers.probabilities.empty()) check_probabilities(answers, labels);
  return answers;
}

}  // namespace rubric::eval
