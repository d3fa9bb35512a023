#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/answers/mocha.h"
#include "data/rows/copied_rows.h"
#include "data/rows/rows.h"
#include "data/scored_files/scored_files.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
namespace {

// lm-evaluation-harness calls it "doc_id".
std::string take_id(Json& row, int64_t number, NamesInField& ids, const std::string& where) {
  const Json* const doc_id = row.find("doc_id");
  if (is_missing(row.find("id")) && !is_missing(doc_id)) row["id"] = Json(*doc_id);
  const Json* const value = row.find("id");
  const std::string id = is_missing(value)    ? ""
                         : value->is_string() ? ids.add(value->string(), where)
                                              : name_of(value);
  return id.empty() ? std::to_string(number) : id;
}

// Fields that are looked up under our names; the others only where an option names them.
constexpr std::string_view kRenamed[] = {"id",       "constituent", "passage",
                                         "question", "reference",   "candidate"};

bool is_renamed(const std::string& ours) {
  return std::ranges::find(kRenamed, ours) != std::end(kRenamed);
}

// Gives the row's fields our names. What had one of them before gives way.
void rename_fields(const FieldNames& names, Json& row) {
  Json::Object found;  // by our names
  for (const auto& [ours, theirs] : names) {
    const FieldValue value = is_renamed(ours) ? find_field(row, theirs) : nullptr;
    if (value != nullptr) found.emplace_back(ours, *value);
  }
  if (found.empty()) return;
  Json::Object fields;  // in the order of the row
  std::set<std::string> taken;
  for (auto& [member, value] : row.object()) {
    bool is_kept = true;
    for (const auto& [ours, renamed] : found) {
      is_kept &= member != ours && member != names.at(ours);
      if (member == names.at(ours) && taken.insert(ours).second) fields.emplace_back(ours, renamed);
    }
    if (is_kept) fields.emplace_back(member, std::move(value));
  }
  for (auto& [ours, nested] : found) {
    if (!taken.contains(ours)) fields.emplace_back(ours, std::move(nested));
  }
  row = Json(std::move(fields));
}

// Whether the cell is "nan", "-inf" or the like: meant as a number, but unusable.
bool is_not_finite(std::string_view cell) {
  std::string text = ascii_lower(trim(cell));
  if (text.starts_with('-') || text.starts_with('+')) text.erase(0, 1);
  return text == "nan" || text == "inf" || text == "infinity";
}

// The kinds of a column's cells; `first_text` is the first that is not a number.
struct ColumnContent {
  int64_t numbers = 0, texts = 0;
  std::string first_text;
  bool is_whole = true, counts = true;  // whole numbers; each one more than the one before
  std::optional<double> last = {};

  void add(std::optional<double> number) {
    ++numbers;
    is_whole = is_whole && number && *number == std::floor(*number);
    counts = counts && is_whole && (!last || *number == *last + 1);
    last = number;
  }
};

ColumnContent content_of(const ScoredSource& source, const std::string& column) {
  ColumnContent content;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    const Json* cell = source.rows[i].find(column);
    if (is_missing(cell)) continue;
    const std::optional<double> number = parse_cell(cell->string());
    if (number || is_not_finite(cell->string())) {
      content.add(number);
    } else if (++content.texts == 1) {
      content.first_text = json_quote(cell->string()) + " (" + source.places[i] + ")";
    }
  }
  return content;
}

// A program that has ids with gaps writes all of them as decimal numbers: 1.0, 2.0.
void drop_zero_decimals(ScoredSource& source) {
  const auto is_decimal = [](const std::string& id) {
    return id.ends_with(".0") && parse_count(id.substr(0, id.size() - 2)).has_value();
  };
  if (!source.is_table() || !std::ranges::all_of(source.ids, is_decimal)) return;
  for (std::string& id : source.ids) id.resize(id.size() - 2);
}

}  // namespace

bool may_be_copy(const Json& row) {
  const auto lacks = [&](const char* field) { return is_missing(row.find(field)); };
  return lacks("id") && lacks("doc_id") && !(lacks("question") && lacks("candidate"));
}

ScoredSource read_scored_source(const std::filesystem::path& file, InputFormat format,
                                const FieldNames& names, const RowShortener& shorten,
                                int64_t first_number) {
  check_field_names(format, names);
  require_fields(names, answer_fields());
  ScoredSource source{.file = file, .format = format};
  CopiedRows copies;
  NamesInField ids("id", /*are_ids=*/true);
  const auto restart = [&] {
    source = {.file = file, .format = format};
    copies = {};
    ids = NamesInField("id", /*are_ids=*/true);
  };
  const auto add = [&](Json row, const std::string& where) {
    rename_fields(source.names, row);
    if (may_be_copy(row)) copies.add(row, where);
    source.ids.push_back(take_id(row, first_number + std::ssize(source.places), ids, where));
    source.places.push_back(where);
    if (shorten) {
      source.question_hashes.push_back(shorten(row, source.ids.back(), source.rows.empty()));
    }
    source.rows.push_back(std::move(row));
  };
  if (has_rows(format)) {
    const auto visit = [&](Json row, const FieldNames& all, const std::string& where) {
      source.names = all;
      add(std::move(row), where);
      return true;
    };
    if (shorten) {  // what shortens rows keeps no texts, of which millions may be there
      stream_named_rows(file, format, names, Reads::scores, visit, restart);
    } else {
      visit_named_rows(file, format, names, Reads::scores, visit);
    }
  } else if (format != InputFormat::kMocha) {
    for (const Answer& answer : read_answers(file, format)) {
      add(answer_row(answer), record_place(file.string(), answer));
    }
  } else {
    visit_mocha(file, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
      Json row = instance;
      row["constituent"] = key.first;
      row["id"] = key.second;
      const Json* metadata = instance.find("metadata");
      const Json* generator = metadata != nullptr ? metadata->find("source") : nullptr;
      if (generator != nullptr) row["source"] = *generator;
      add(std::move(row), where);
    });
  }
  if (source.rows.empty()) throw no_rows(file);
  drop_zero_decimals(source);
  ids.warn();
  source.copies = copies.places();
  return source;
}

std::string ids_text(const std::vector<std::string>& ids) {
  return (ids.size() == 1 ? "id " : "ids ") + join_some(ids);
}

void require_named_fields(const ScoredSource& source, const FieldNames& names) {
  std::vector<std::string> missing;
  for (const auto& [ours, theirs] : names) {
    const auto has_field = [&, &name = ours, &other = theirs](const Json& row) {
      return row.find(name) != nullptr || find_field(row, other) != nullptr;
    };
    if (std::ranges::none_of(source.rows, has_field)) missing.push_back(ours);
  }
  if (!missing.empty()) {
    require_fields(source.rows.front(), names, missing, source.places.front());
  }
}

std::string field_in(const ScoredSource& source, const std::string& name) {
  const std::string theirs = is_renamed(name) ? name : field_name(source.names, name);
  const auto has_field = [&](const Json& row) { return find_field(row, theirs) != nullptr; };
  if (std::ranges::any_of(source.rows, has_field)) return theirs;
  const auto renamed = std::ranges::find_if(source.names, [&](const auto& field) {
    return field.second == theirs && is_renamed(field.first);
  });
  return renamed == source.names.end() ? theirs : renamed->first;
}

std::string name_in_file(const ScoredSource& source, const std::string& field) {
  return is_renamed(field) ? field_name(source.names, field) : field;
}

std::string likely_system(const ScoredSource& source) {
  for (const char* const usual : {"source", "system", "model"}) {
    const std::string field = field_in(source, usual);
    if (has_values(source, field)) return field;
  }
  return "";
}

namespace {

bool all_have(const ScoredSource& source, const char* field) {
  return std::ranges::none_of(source.rows,
                              [&](const Json& row) { return is_missing(row.find(field)); });
}

}  // namespace

bool has_ids(const ScoredSource& source) {
  return all_have(source, "id");
}

bool has_questions(const ScoredSource& source) {
  return all_have(source, "question");
}

void identify_by_question(ScoredSource& source) {
  for (size_t i = 0; i < source.rows.size(); ++i) {
    source.ids[i] = name_of(source.rows[i].find("question"));
    source.rows[i]["id"] = source.ids[i];
  }
}

bool has_values(const ScoredSource& source, const std::string& field) {
  return std::ranges::any_of(source.rows,
                             [&](const Json& row) { return !is_missing(find_field(row, field)); });
}

bool is_id_name(std::string_view name) {
  // The last word of the name, in letters of any case: that of questionId, doc_id, "row id".
  size_t begin = name.size();
  const auto is = [&](int (*kind)(int), size_t i) {
    return kind(static_cast<unsigned char>(name[i])) != 0;
  };
  while (begin > 0 && is(std::isalnum, begin - 1)) {
    --begin;
    if (is(std::isupper, begin) && begin > 0 && is(std::islower, begin - 1)) break;
  }
  const std::string last = ascii_lower(name.substr(begin));
  constexpr std::string_view kNames[] = {"id",    "ids",    "idx", "index", "qid",    "pid", "uid",
                                         "docid", "itemid", "row", "rowid", "rownum", "nr"};
  return std::ranges::find(kNames, last) != std::end(kNames) || name.starts_with("Unnamed: ");
}

std::vector<std::string> number_columns(const ScoredSource& source,
                                        const std::vector<std::string>& others) {
  constexpr int64_t kFewest = 10;  // a few scores may count rows by chance
  std::vector<std::string> names, ids;
  const auto is_of = [](const std::vector<std::string>& fields, const std::string& column) {
    return std::ranges::find(fields, column) != fields.end();
  };
  for (const auto& [column, cell] : source.rows.front().object()) {
    if (is_of(answer_fields(), column) || is_of(others, column)) continue;
    if (!cell.is_string()) continue;  // scores that were added to the table
    const ColumnContent content = content_of(source, column);
    const std::string message_start =
        "the column " + json_quote(column) + " of " + source.file.string();
    if (content.numbers == 0 && content.texts == 0) {
      log_warning(message_start + " has no values and is left out");
    } else if (content.texts == 0) {
      const bool are_ids = content.is_whole &&
                           (is_id_name(column) || (content.counts && content.numbers >= kFewest));
      (are_ids ? ids : names).push_back(are_ids ? json_quote(column) : column);
    } else if (content.numbers > content.texts) {  // most likely a metric
      log_warning(message_start + " is left out: " + content.first_text + " is not a number");
    }
  }
  if (!ids.empty()) {
    log_info("columns that look like ids are no metrics: " + join_some(ids) +
             "; --metric names one that is");
  }
  return names;
}

std::string constituent_of(const Json& row) {
  const Json* constituent = row.find("constituent");
  if (constituent == nullptr && row.find("doc_id") != nullptr) return sample_constituent(row);
  const bool is_text = constituent != nullptr && constituent->is_string();
  return is_text ? std::string(plain_name(constituent->string())) : "";
}

}  // namespace rubric::data
