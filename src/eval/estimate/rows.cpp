#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "eval/estimate/estimate.h"
#include "eval/report/table.h"
#include "eval/resampling.h"

namespace rubric::eval {
namespace {

using JoinKey = std::vector<std::string>;  // the id and further fields

bool has_field(const data::ScoredSource& source, const std::string& field) {
  return std::ranges::any_of(source.rows,
                             [&](const Json& row) { return !data::is_missing(row.find(field)); });
}

void require_in_some_row(const data::ScoredSource& source, const std::string& option,
                         const std::string& field) {
  if (has_field(source, field)) return;
  std::vector<std::string> names;
  for (const auto& [name, value] : source.rows.front().object()) names.push_back(name);
  const std::string nearest = nearest_name(field, names);
  throw InputError("no row has a value of the field " + json_quote(field), source.file.string(),
                   "name another field with " + option +
                       (nearest.empty() ? "" : ", did you mean " + nearest + "?") +
                       "; the fields of the first row are " + join_some(names));
}

// "" where it is missing.
std::string name_in_row(const Json& row, const std::string& field) {
  const Json* value = row.find(field);
  if (data::is_missing(value)) return "";
  return value->is_string() ? value->string() : value->dump();
}

// The labels of the rows of `all`, and what they are joined by.
struct Labels {
  struct Label {
    double value;
    std::optional<double> probability;
  };

  const EstimateRequest& request;
  const data::ScoredSource& all;
  const data::ScoredSource& source;
  std::vector<std::string> fields = {};                // beside the id
  std::map<JoinKey, std::vector<size_t>> places = {};  // rows of `all`
  std::map<size_t, std::vector<Label>> of_rows = {};   // by row of `all`
  int64_t unlabelled = 0;                              // rows of the labels' file

  bool has_own_file() const { return !request.labels.empty(); }

  JoinKey key(const data::ScoredSource& of, size_t i) const {
    JoinKey key = {of.ids[i]};
    for (const std::string& field : fields) key.push_back(name_in_row(of.rows[i], field));
    return key;
  }
};

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

void find_places(Labels& labels) {
  if (labels.has_own_file()) {
    require_ids(labels.all);
    require_ids(labels.source);
  }
  for (const std::string& field :
       {std::string("constituent"), labels.request.system, labels.request.group}) {
    const bool is_new = std::ranges::find(labels.fields, field) == labels.fields.end();
    if (field.empty() || !is_new) continue;
    if (has_field(labels.all, field) && has_field(labels.source, field)) {
      labels.fields.push_back(field);
    }
  }
  for (size_t i = 0; i < labels.all.rows.size(); ++i) {
    labels.places[labels.key(labels.all, i)].push_back(i);
  }
}

std::optional<double> probability_of(const Labels& labels, size_t label, size_t row) {
  const std::string& field = labels.request.probability;
  if (field.empty()) return std::nullopt;
  const std::string& where = labels.source.places[label];
  const Json* value = labels.source.rows[label].find(field);
  if (data::is_missing(value)) value = labels.all.rows[row].find(field);
  if (data::is_missing(value)) {
    throw InputError("a row with a label has no probability " + json_quote(field), where,
                     "give every labelled row the probability with which it was drawn");
  }
  const double probability =
      data::require_value(*value, "the probability " + json_quote(field), where);
  if (probability > 0 && probability <= 1) return probability;
  throw InputError("the probability " + json_quote(field) + " is " + format_exact(probability),
                   where, "give one above 0 and at most 1: with which the labelled row was drawn");
}

double label_of(const Labels& labels, size_t i) {
  const std::string& where = labels.source.places[i];
  const double label = data::require_value(*labels.source.rows[i].find(labels.request.human),
                                           "the label " + json_quote(labels.request.human), where);
  const std::optional<Interval>& scale = labels.request.scale;
  if (!scale || (label >= scale->low && label <= scale->high)) return label;
  throw InputError("the label " + json_quote(labels.request.human) + " is " + format_exact(label),
                   where,
                   "correct it, or the --scale, which is from " + format_exact(scale->low) +
                       " to " + format_exact(scale->high));
}

// Finds the row of each label. Labels that belong to none, or to several, are refused together.
void find_rows(Labels& labels) {
  std::set<std::string> unknown, ambiguous;
  for (size_t i = 0; i < labels.source.rows.size(); ++i) {
    if (data::is_missing(labels.source.rows[i].find(labels.request.human))) {
      ++labels.unlabelled;
      continue;
    }
    const JoinKey key = labels.key(labels.source, i);
    const auto found = labels.places.find(key);
    if (found == labels.places.end()) {
      unknown.insert(join(key, " / "));
    } else if (found->second.size() > 1) {
      ambiguous.insert(join(key, " / "));
    } else {
      const size_t row = found->second.front();
      labels.of_rows[row].push_back({label_of(labels, i), probability_of(labels, i, row)});
    }
  }
  const std::string by = join(labels.fields, ", "), file = labels.source.file.string();
  if (!unknown.empty()) {
    throw InputError("labels of " + counted(std::ssize(unknown), "answer") + " that " +
                         labels.all.file.string() +
                         " lacks: " + join_some({unknown.begin(), unknown.end()}),
                     file,
                     "give labels the ids of their answers" +
                         (by.empty() ? "" : ", and the same " + by) + "; or leave them out");
  }
  if (!ambiguous.empty()) {
    throw InputError(
        "labels that may belong to several answers: " +
            join_some({ambiguous.begin(), ambiguous.end()}),
        file,
        "give labels the field that tells the answers apart, such as constituent, or that of "
        "--system or --group");
  }
}

// The mean of a row's labels.
Labels::Label mean_label(const Labels& labels, size_t row, const std::vector<Labels::Label>& of) {
  Labels::Label label{0, of.front().probability};
  for (const Labels::Label& each : of) {
    label.value += each.value / static_cast<double>(of.size());
    if (each.probability == label.probability) continue;
    throw InputError("two labels of one answer have different probabilities",
                     "the id " + labels.all.ids[row] + " in " + labels.source.file.string(),
                     "give the probability with which the answer was drawn");
  }
  return label;
}

void take_labels(const Labels& labels, LabelledAnswers& answers) {
  std::vector<std::string> repeated;
  for (const auto& [row, of] : labels.of_rows) {
    if (of.size() > 1) repeated.push_back(join(labels.key(labels.all, row), " / "));
  }
  const std::string have_several =
      counted(std::ssize(repeated), "answer has", "answers have") + " several labels";
  if (!repeated.empty() && !labels.request.average) {
    throw InputError(have_several + ": " + join_some(repeated), labels.source.file.string(),
                     "keep one label of each answer, or have them averaged with --average");
  }
  if (!repeated.empty()) answers.notes.push_back(have_several + ", which are averaged");
  for (const auto& [row, of] : labels.of_rows) {
    const Labels::Label label = mean_label(labels, row, of);
    answers.labelled.push_back(static_cast<uint32_t>(row));
    answers.labels.push_back(label.value);
    if (label.probability) answers.probabilities.push_back(*label.probability);
  }
}

std::vector<std::string> strata_of_rows(const data::ScoredSource& all, const std::string& field) {
  if (field.empty()) return {};
  require_in_some_row(all, "--strata", field);
  std::vector<std::string> strata;
  for (size_t i = 0; i < all.rows.size(); ++i) {
    strata.push_back(name_in_row(all.rows[i], field));
    if (!strata.back().empty()) continue;
    throw InputError("the row has no " + json_quote(field), all.places[i],
                     "give every answer the stratum from which labels were drawn");
  }
  return strata;
}

void add_systems(const data::ScoredRows& rows, LabelledAnswers& answers) {
  if (rows.systems.empty()) {
    answers.system_names = {""};
    answers.systems.assign(rows.rows.size(), 0);
    return;
  }
  std::map<std::string, uint32_t> numbers;
  for (const std::string& system : rows.systems) {
    const auto next = static_cast<uint32_t>(numbers.size());
    const auto [entry, is_new] = numbers.emplace(system, next);
    if (is_new) answers.system_names.push_back(system);
    answers.systems.push_back(entry->second);
  }
}

}  // namespace

LabelledAnswers join_labels(const EstimateRequest& request, const data::ScoredSource& all,
                            const data::ScoredRows& rows, const data::ScoredSource& source) {
  require_in_some_row(source, "--human", request.human);
  const bool is_in_all = !request.probability.empty() && has_field(all, request.probability);
  if (!request.probability.empty() && !is_in_all) {
    require_in_some_row(source, "--probability", request.probability);
  }
  Labels labels{request, all, source};
  find_places(labels);
  find_rows(labels);
  LabelledAnswers answers;
  answers.metrics = rows.metrics;
  answers.scores = rows.scores;
  answers.groups = rows.groups;
  answers.strata = strata_of_rows(all, request.strata);
  answers.questions = RowQuestions(rows).clusters();
  add_systems(rows, answers);
  take_labels(labels, answers);
  if (labels.has_own_file() && labels.unlabelled > 0) {
    answers.notes.push_back(counted(labels.unlabelled, "row") + " of " + source.file.string() +
                            (labels.unlabelled == 1 ? " has" : " have") + " no label");
  }
  return answers;
}

}  // namespace rubric::eval
