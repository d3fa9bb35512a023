#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/field_text.h"
#include "core/random.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/rows/copied_rows.h"
#include "data/rows/missing_values.h"
#include "data/scored_files/scored_files.h"
#include "data/tasks/label_scale.h"

namespace rubric::data {
namespace {

// Those by which rows may be grouped, as the file calls them: an id is each row's own.
std::vector<std::string> field_names(const ScoredSource& source) {
  std::vector<std::string> names;
  for (const auto& [name, value] : source.rows.front().object()) {
    if (name != "id") names.push_back(name_in_file(source, name));
  }
  return names;
}

// The fields that have a label in some row and nothing else in any, but for an answer's other ones
// (an id may be a number), in order of appearance.
std::vector<std::string> label_fields(const ScoredSource& source) {
  std::vector<std::string> names;
  std::set<std::string> seen, others(answer_fields().begin(), answer_fields().end());
  others.erase("score");
  others.insert({"probability", "stratum"});  // of a sheet of `choose`
  for (const Json& row : source.rows) {
    for (const auto& [name, value] : row.object()) {
      if (lacks_label(&value)) continue;
      if (seen.insert(name).second) names.push_back(name);
      if (!is_value(value)) others.insert(name);
    }
  }
  std::erase_if(names, [&](const std::string& name) { return others.contains(name); });
  return names;
}

}  // namespace

FieldValue find_score(const Json& row, const std::string& metric) {
  const Json* const scores = row.find("scores");
  const Json* const score = scores != nullptr ? scores->find(metric) : nullptr;
  return score != nullptr ? FieldValue(FieldValue(), score) : find_field(row, metric);
}

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.number();
  return value.is_string() ? parse_cell(value.string()) : std::nullopt;
}

std::vector<std::string> numbers_in_row(const Json& row) {
  std::vector<std::string> names;
  if (const Json* const scores = row.find("scores"); scores != nullptr && scores->is_object()) {
    for (const auto& [name, value] : scores->object()) {
      if (value.is_number()) names.push_back(name);
    }
  }
  for (const auto& [name, value] : row.object()) {
    // A candidate such as 1969 is no score, nor is the human score.
    const bool is_of_answer =
        std::ranges::count(answer_fields(), name) > 0 || is_text_field(name) || is_id_name(name);
    if (!is_of_answer && number_of(value) && std::ranges::count(names, name) == 0) {
      names.push_back(name);
    }
  }
  return names;
}

void require_field(const ScoredSource& source, const std::string& option, const std::string& field,
                   const std::filesystem::path& as_in, const std::string& further) {
  const bool is_label = option == "--human";
  const auto has_field = [&](const Json& row) { return find_field(row, field) != nullptr; };
  if (std::ranges::any_of(source.rows, has_field)) {
    if (!is_label || has_values(source, field)) return;
    throw InputError("no row has a label " + json_quote(name_in_file(source, field)),
                     source.file.string(),
                     "fill in the labels, or name their field with --human" + further);
  }
  const std::vector<std::string> names = is_label ? label_fields(source) : field_names(source);
  // As `score --join` adds labels, among the scores.
  const bool is_score = is_label && std::ranges::any_of(source.rows, [&](const Json& row) {
                          return find_field(row, "scores." + field) != nullptr;
                        });
  const std::string nearest = is_score ? "scores." + field : nearest_name(field, names);
  const std::string advice =
      !as_in.empty() ? "rename the field with these values" +
                           (nearest.empty() ? "" : ", perhaps " + nearest + ",") + " to " +
                           json_quote(field) + ", its name in " + as_in.string()
      : nearest.empty() ? "name another with " + option
                        : "did you mean " + option + " " + nearest + "?";
  const std::string there =
      names.empty() ? (is_label ? "no field has only numbers, or only words such as true"
                                : "the first row has no fields")
                    : (is_label ? "fields with numbers, or words such as true, are "
                                : "the fields of the first row are ") +
                          join_some(names);
  throw InputError("no row has the field " + json_quote(field), source.file.string(),
                   advice + further + (is_score ? "" : "; " + there));
}

std::vector<std::string> names_in_rows(const ScoredSource& source, const std::string& option,
                                       const std::string& field,
                                       const std::filesystem::path& as_in) {
  require_field(source, option, field, as_in);
  std::vector<std::string> names;
  const std::string shown = json_quote(name_in_file(source, field));
  NamesInField in_field(field);
  for (size_t i = 0; i < source.rows.size(); ++i) {
    const FieldValue value = find_field(source.rows[i], field);
    if (is_missing(value)) {
      throw InputError("the row has no " + shown, source.places[i],
                       "give every row its value, or leave " + option + " out");
    }
    if (!value->is_string() && !value->is_number() && !value->is_bool()) {
      throw InputError("the field " + shown + " must be text, it is " + value->kind(),
                       source.places[i], "write it as a text");
    }
    const std::string name = value->is_string() ? value->string() : name_of(value.get());
    names.push_back(in_field.add(name, source.places[i]));
  }
  in_field.warn();
  return names;
}

namespace {

// Nothing if the field is not to be read.
std::vector<std::string> read_names(const ScoredSource& source, const std::string& option,
                                    const std::string& field, const RowFields& fields) {
  const auto has_field = [&](const Json& row) { return find_field(row, field) != nullptr; };
  const bool is_optional = fields.names_are_optional;
  if (field.empty() || (is_optional && std::ranges::none_of(source.rows, has_field))) return {};
  return names_in_rows(source, option, field, fields.as_in);
}

// A field such as an id leaves no group with two rows, of which all that is computed needs more.
void require_shared_groups(const ScoredSource& source, const std::string& field,
                           const std::vector<std::string>& groups) {
  constexpr size_t kFew = 50;
  const std::set<std::string_view> names(groups.begin(), groups.end());
  if (names.size() <= kFew || names.size() < groups.size()) return;
  throw InputError("each of the " + std::to_string(groups.size()) +
                       " rows has a group of its own, " + json_quote(name_in_file(source, field)),
                   source.file.string(),
                   "name a field with --group whose values several rows share, such as that of the "
                   "data set");
}

// Removes the elements with these indices, which ascend.
template <class Value>
void remove_at(std::span<const size_t> indices, std::vector<Value>& values) {
  size_t kept = 0, next = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (next < indices.size() && indices[next] == i) {
      ++next;
    } else if (kept++ != i) {
      values[kept - 1] = std::move(values[i]);
    }
  }
  values.resize(kept);
}

void remove_rows(std::span<const size_t> indices, ScoredSource& source) {
  remove_at(indices, source.rows);
  remove_at(indices, source.places);
  remove_at(indices, source.ids);
  if (!source.question_hashes.empty()) remove_at(indices, source.question_hashes);
}

// Returns the labels, and removes rows without label from `source` or, unless these are to be left
// out, throws.
std::vector<double> take_labels(ScoredSource& source, const std::string& field,
                                const std::filesystem::path& as_in, Missing rule) {
  if (field.empty()) return {};
  require_field(source, "--human", field, as_in);
  MissingValues missing(rule);
  LabelWords words;
  const std::string shown = name_in_file(source, field);
  std::vector<double> labels;
  std::vector<size_t> without;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    const FieldValue value = find_field(source.rows[i], field);
    if (lacks_label(value.get())) {
      missing.keeps(MissingValues::kLabel, shown, source.places[i], value.get());
      without.push_back(i);
    } else {
      labels.push_back(require_value(*value, "the label " + json_quote(shown), source.places[i]));
      words.add(*value, labels.back(), source.places[i]);
    }
  }
  remove_rows(without, source);
  source.label_warnings = warn_of_stray_labels(
      labels, [&](size_t row) { return ids_text({source.ids[row]}); },
      [&](size_t row) { return source.places[row]; });
  return labels;
}

// Leaves out, with a warning, metrics of which no row has a number.
void drop_without_numbers(const ScoredSource& source, std::vector<std::string>& metrics) {
  const auto dropped = std::ranges::stable_partition(metrics, [&](const std::string& metric) {
    return std::ranges::any_of(source.rows, [&](const Json& row) {
      const FieldValue score = find_score(row, metric);
      return score && is_value(*score);
    });
  });
  if (dropped.empty()) return;
  std::vector<std::string> quoted;
  for (const std::string& metric : dropped) quoted.push_back(json_quote(metric));
  log_warning("scores that are no numbers are left out: " + join_some(quoted));
  metrics.erase(dropped.begin(), dropped.end());
}

// Whether `field` names the score: as an entry of "scores", or as the row's field of its name.
bool is_of_score(const std::string& metric, const std::string& field) {
  return field == metric || field == "scores." + metric;
}

// Whether a score and the label are one field or, in every row that has both, one value. Another
// judge's score of the label's name is not.
bool has_same_values(const ScoredSource& source, const std::string& metric,
                     const std::string& label) {
  return std::ranges::all_of(source.rows, [&](const Json& row) {
    const FieldValue score = find_score(row, metric), value = find_field(row, label);
    if (score == value || is_missing(score) || lacks_label(value.get())) return true;
    if (!is_value(*score) || !is_value(*value)) return false;
    return require_value(*score, metric, "") == require_value(*value, label, "");
  });
}

// Leaves out a label that "scores" has too, as when it was joined.
void drop_label(const ScoredSource& source, const std::string& label,
                std::vector<std::string>& metrics) {
  std::erase_if(metrics, [&](const std::string& metric) {
    if (!is_of_score(metric, label) || !has_same_values(source, metric, label)) return false;
    log_info("the score " + json_quote(metric) + " has the name of the label, and is no metric");
    return true;
  });
}

std::vector<std::string> all_metrics(const ScoredSource& source, const RowFields& fields) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (source.is_table()) {
    std::vector<std::string> others = fields.no_metrics;
    others.insert(others.end(), {fields.human, fields.label, fields.group, fields.system});
    names = number_columns(source, others);
  }
  for (size_t i = 0; i < source.rows.size(); ++i) {
    const Json* scores = source.rows[i].find("scores");
    if (is_missing(scores)) continue;
    if (source.is_table() && !scores->is_object()) break;  // a column of this name
    if (!scores->is_object()) {
      throw InputError(std::string("\"scores\" must be an object, it is ") + scores->kind(),
                       source.places[i], "rename the field, or name the metrics: --metric a,b");
    }
    for (const auto& [name, value] : scores->object()) add(name);
  }
  drop_without_numbers(source, names);
  for (const std::string& label : {fields.human, fields.label}) drop_label(source, label, names);
  if (!names.empty()) return names;
  throw InputError("the file holds no scores", source.file.string(),
                   source.is_table()
                       ? "no column but an answer's fields holds numbers alone; name columns "
                         "with --metric a,b"
                       : "score it with `rubric score`, or name fields that are "
                         "numbers: --metric a,b");
}

InputError no_such_score(const ScoredSource& source, const std::string& metric) {
  const std::vector<std::string> names = numbers_in_row(source.rows.front());
  const std::string nearest = nearest_name(metric, names);
  return InputError("no row has a score " + json_quote(metric), source.file.string(),
                    (nearest.empty() ? "score the file with it, or choose other metrics"
                                     : "did you mean " + nearest + "?") +
                        (names.empty() ? "" : "; the file has " + join_some(names)));
}

// The metric's name in the file: another one where no row has this and a row has that.
std::string name_in(const ScoredSource& source, const std::string& metric,
                    const RowFields& fields) {
  const auto is_there = [&](const std::string& name) {
    return std::ranges::any_of(source.rows,
                               [&](const Json& row) { return !is_missing(find_score(row, name)); });
  };
  const auto others = fields.other_names.find(metric);
  if (others == fields.other_names.end() || is_there(metric)) return metric;
  const auto found = std::ranges::find_if(others->second, is_there);
  return found == others->second.end() ? metric : *found;
}

// The rows without a score of the metric, in order. Throws InputError if no row has one.
std::vector<size_t> rows_without(const ScoredSource& source, const std::string& metric) {
  std::vector<size_t> without;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    if (is_missing(find_score(source.rows[i], metric))) without.push_back(i);
  }
  if (without.size() == source.rows.size()) throw no_such_score(source, metric);
  return without;
}

std::string places_of(const ScoredSource& source, std::span<const size_t> rows) {
  std::vector<std::string> places;
  for (const size_t row : rows) places.push_back(source.places[row]);
  return join_some(places);
}

std::vector<double> metric_column(const ScoredSource& source, const std::string& metric,
                                  const std::vector<bool>& is_unscored) {
  const std::vector<size_t> without = rows_without(source, metric);
  if (!without.empty() && is_unscored.empty()) {
    throw InputError("the metric " + json_quote(metric) + " has no score in " +
                         std::to_string(without.size()) + " of " +
                         std::to_string(source.rows.size()) + " rows",
                     places_of(source, without),
                     "score these rows too, choose other metrics, or leave such rows out: "
                     "--missing drop");
  }
  std::vector<double> scores;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    if (!is_unscored.empty() && is_unscored[i]) {
      scores.push_back(0);
      continue;
    }
    scores.push_back(require_value(*find_score(source.rows[i], metric),
                                   "the score " + json_quote(metric), source.places[i]));
  }
  return scores;
}

// Marks the rows that lack a score of one of these metrics, with a warning.
void mark_unscored(std::span<const std::string> metrics, const ScoredSource& source,
                   ScoredRows& rows) {
  std::set<size_t> distinct;
  for (const std::string& metric : metrics)
    distinct.merge([&] {
      const std::vector<size_t> without = rows_without(source, metric);
      return std::set<size_t>(without.begin(), without.end());
    }());
  if (distinct.empty()) return;
  const std::vector<size_t> without(distinct.begin(), distinct.end());
  if (without.size() == source.rows.size()) {
    throw InputError("no row has a score of each metric: " + join({metrics.begin(), metrics.end()}),
                     source.file.string(), "choose other metrics");
  }
  log_warning(counted(std::ssize(without), "row is", "rows are") +
              " left out, without a score: " + places_of(source, without));
  rows.unscored = std::ssize(without);
  rows.is_unscored.resize(source.rows.size());
  for (const size_t row : without) rows.is_unscored[row] = true;
}

bool is_same_value(const Json* one, const Json* other) {
  if (is_missing(one) || is_missing(other)) return is_missing(one) == is_missing(other);
  return one->dump() == other->dump();
}

// What tells two rows of one id apart, beside their constituents.
class RowIdentity {
 public:
  // `field`, and another one: their values tell rows apart, too; "": none does.
  RowIdentity(const ScoredSource& source, const ScoredRows& rows, std::string field,
              std::string other = "")
      : source_(source), rows_(rows), field_(std::move(field)), other_(std::move(other)) {}

  // The first two rows that are not told apart; `differs`: and differ in one of these fields. Rows
  // are known by their numbers, so that no text of millions of rows is copied.
  std::optional<std::pair<size_t, size_t>> repeated(
      std::initializer_list<const char*> differs = {}) const {
    const auto hash = [&](size_t i) {
      uint64_t mixed = 0;
      for (const std::string_view part : parts(i)) {
        mixed = mix(mixed) + std::hash<std::string_view>()(part);
      }
      return mixed;
    };
    const auto is_same = [&](size_t i, size_t j) { return parts(i) == parts(j); };
    std::unordered_set<size_t, decltype(hash), decltype(is_same)> seen(source_.ids.size(), hash,
                                                                       is_same);
    for (size_t i = 0; i < source_.ids.size(); ++i) {
      const auto [first, is_new] = seen.insert(i);
      if (is_new) continue;
      const bool differ = std::ranges::any_of(differs, [&, row = *first](const char* field) {
        return !is_same_value(source_.rows[row].find(field), source_.rows[i].find(field));
      });
      if (differ || differs.size() == 0) return std::pair(*first, i);
    }
    return std::nullopt;
  }

 private:
  std::array<std::string_view, 6> parts(size_t i) const {
    return {source_.ids[i],
            text(i, "constituent"),
            rows_.groups.empty() ? std::string_view() : rows_.groups[i],
            rows_.systems.empty() ? std::string_view() : rows_.systems[i],
            text(i, field_),
            text(i, other_)};
  }
  std::string_view text(size_t i, const std::string& field) const {
    const auto& hashes = source_.question_hashes;
    if (field == "question" && !hashes.empty() && hashes[i]) {
      return {reinterpret_cast<const char*>(&*hashes[i]), sizeof(QuestionHash)};
    }
    const Json* const value = field.empty() ? nullptr : source_.rows[i].find(field);
    return value != nullptr && value->is_string() ? plain_name(value->string())
                                                  : std::string_view();
  }

  const ScoredSource& source_;
  const ScoredRows& rows_;
  std::string field_, other_;
};

// Whether a text is another in nearly every row, as a judge's reasons are: it names nothing.
bool is_free_text(size_t texts, size_t rows) {
  constexpr size_t kFew = 4, kRowsOfOne = 2;
  return rows > kFew && texts * kRowsOfOne > rows;
}

// The field of texts that tells rows of one id apart, of several that with the fewest; "": none.
std::string field_that_tells_apart(const ScoredSource& source, const ScoredRows& rows) {
  std::string best;
  size_t fewest = source.rows.size();
  for (const auto& [name, value] : source.rows.front().object()) {
    const bool is_of_one_answer = name == "candidate" || name == "reference" || name == "passage";
    if (is_of_one_answer || !value.is_string() || is_value(value)) continue;
    std::set<std::string_view> texts;
    for (const Json& row : source.rows) {
      const Json* const text = row.find(name);
      if (text != nullptr && text->is_string()) texts.insert(plain_name(text->string()));
    }
    const bool is_fewer = best.empty() || texts.size() < fewest;
    const bool may_name = name == "question" || !is_free_text(texts.size(), source.rows.size());
    if (!is_fewer || !may_name || RowIdentity(source, rows, name).repeated()) continue;
    fewest = texts.size();
    best = name;
  }
  return best;
}

std::string advice_for_repeated(const ScoredSource& source, const ScoredRows& rows,
                                const std::string& field) {
  const std::string system = rows.systems.empty() ? likely_system(source) : "";
  // `estimate` keeps the candidates of some rows alone.
  const bool has_candidates = std::ranges::all_of(
      source.rows, [](const Json& row) { return row.find("candidate") != nullptr; });
  if (field.empty() && has_candidates &&
      !RowIdentity(source, rows, system, "candidate").repeated()) {
    return (system.empty() ? "" : "--system " + shell_word(system) + " tells systems apart, and ") +
           "the candidates" + own_field("candidate") +
           " tell the rows apart, several answers to one question: give each row its "
           "own id, or match them by their texts, --field constituent=candidate" +
           (system.empty() && rows.systems.empty()
                ? "; where a field names the system, --system FIELD"
                : "");
  }
  if (field.empty()) {
    return (system.empty() ? "" : "--system " + shell_word(system) + " tells systems apart; ") +
           "remove one row if it is a copy, give each row its own id, or name the field of the ids "
           "(--field id=FIELD) or of what "
           "tells the two apart: --system or --field constituent=FIELD";
  }
  if (field == "question") return "the questions tell the rows apart: --field id=question";
  return "the field " + json_quote(field) +
         " tells the rows apart: where it names the system, --system " + shell_word(field) +
         "; where it names the data, --field " + shell_word("constituent=" + field);
}

// Whether rows that are not told apart have one question and one reference.
bool are_answers_to_one(const ScoredSource& source, const ScoredRows& rows) {
  return !RowIdentity(source, rows, "").repeated({"question", "reference"});
}

// Rows of one id with several candidates. Where ids name questions, most have several; where few
// have, these are more likely rows that were copied and changed.
void note_shared_ids(const ScoredSource& source, const std::pair<size_t, size_t>& first) {
  constexpr size_t kFew = 10;  // one in so many
  const std::set<std::string_view> ids(source.ids.begin(), source.ids.end());
  const size_t repeated = source.ids.size() - ids.size();
  const std::string id = json_quote(source.ids[first.second]);
  if (repeated * kFew > source.ids.size()) {
    log_info("several rows have one id, such as " + id + ", with different candidates" +
             own_field("candidate") + ": each counts as an answer to the question of this id");
    return;
  }
  log_warning(counted(static_cast<int64_t>(repeated), "row has", "rows have") + " the id" +
              own_field("id") + " of an earlier row, and another candidate" +
              own_field("candidate") + ", and all count: the first is " + id + " (" +
              source.places[first.first] + " and " + source.places[first.second] +
              "); if these are copies of one row, take one out");
}

void require_distinct(const ScoredSource& source, const ScoredRows& rows, const RowFields& fields) {
  const std::string sources = fields.sources_tell_apart ? likely_system(source) : "";
  auto repeated = RowIdentity(source, rows, sources).repeated();
  if (repeated && fields.sources_tell_apart) {
    const std::pair<size_t, size_t> first = *repeated;
    repeated = RowIdentity(source, rows, sources, "candidate").repeated();
    if (!repeated) note_shared_ids(source, first);
  }
  if (!repeated) return;
  const std::string field = field_that_tells_apart(source, rows);
  if (fields.averages_rows && field.empty() && are_answers_to_one(source, rows)) return;
  const auto& [first, second] = *repeated;
  throw InputError("the id " + json_quote(source.ids[second]) + own_field("id") + " occurs twice",
                   source.places[first] + " and " + source.places[second],
                   advice_for_repeated(source, rows, field));
}

// Throws InputError if the label is one of these metrics: it would agree with itself.
void require_no_label(const ScoredSource& source, const std::vector<std::string>& metrics,
                      const std::string& human) {
  for (const std::string& metric : metrics) {
    if (!is_of_score(metric, human) && metric != "scores." + human) continue;
    if (!has_same_values(source, metric, human)) continue;
    throw InputError("the label " + human + " is also named as a metric", "--metric",
                     "name other metrics: the label would agree with itself");
  }
}

}  // namespace

void remove_unscored(ScoredRows& rows) {
  std::vector<size_t> marked;
  for (size_t i = 0; i < rows.is_unscored.size(); ++i) {
    if (rows.is_unscored[i]) marked.push_back(i);
  }
  remove_rows(marked, rows);
  remove_at(marked, rows.human);
  remove_at(marked, rows.groups);
  remove_at(marked, rows.systems);
  for (std::vector<double>& scores : rows.scores) remove_at(marked, scores);
  rows.is_unscored.clear();
}

ScoredRows read_scored_rows(const std::filesystem::path& file, InputFormat format,
                            const RowFields& fields) {
  return read_scored_rows(read_scored_source(file, format, fields.fields), fields);
}

ScoredRows read_scored_rows(ScoredSource source, const RowFields& named) {
  ScoredRows rows;
  RowFields fields = named;
  require_named_fields(source, fields.fields);
  if (!fields.averages_rows) warn_of_copies(source.copies, kMeansCountCopies);
  for (std::string* const field : {&fields.human, &fields.group, &fields.system}) {
    if (!field->empty()) *field = field_in(source, *field);
  }
  const auto all = std::ssize(source.rows);
  rows.human = take_labels(source, fields.human, fields.as_in, fields.missing);
  rows.unlabelled = all - std::ssize(source.rows);
  rows.groups = read_names(source, "--group", fields.group, fields);
  require_shared_groups(source, fields.group, rows.groups);
  rows.systems = read_names(source, "--system", fields.system, fields);
  require_distinct(source, rows, fields);
  if (fields.reads_scores) {
    rows.metrics = fields.metrics.empty() ? all_metrics(source, fields) : fields.metrics;
  }
  std::vector<std::string> names;  // of the metrics in the file
  for (const std::string& metric : rows.metrics) names.push_back(name_in(source, metric, fields));
  for (const std::string& label : {fields.human, fields.label}) {
    require_no_label(source, names, label);
  }
  if (fields.missing == Missing::drop) mark_unscored(names, source, rows);
  for (const std::string& name : names) {
    rows.scores.push_back(metric_column(source, name, rows.is_unscored));
  }
  static_cast<ScoredSource&>(rows) = std::move(source);
  if (!fields.marks_unscored) remove_unscored(rows);
  return rows;
}

InstanceKey key_of(const ScoredRows& rows, size_t i) {
  const std::string constituent = constituent_of(rows.rows[i]);
  const bool is_system = !rows.systems.empty() && rows.systems[i] == constituent;
  return {is_system ? "" : constituent, rows.ids[i]};
}

}  // namespace rubric::data
