#include "data/rows/json_rows.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/answers/usual_names.h"

namespace rubric::data {
namespace {

// A list of objects, and where it stands: "results.results".
struct RowList {
  std::string path;
  Json::Array* rows;
};

// Rows that stand in the objects of such a list.
struct InnerRows {
  std::string path;
  Json::Array rows;
};

bool holds_objects(const Json& value) {
  return value.is_array() && !value.array().empty() && value.array().front().is_object();
}

// Adds the lists of objects among the members of an object and of the objects in it.
void add_row_lists(Json& object, const std::string& path, int levels, std::vector<RowList>& lists) {
  for (auto& [name, value] : object.object()) {
    const std::string place = path.empty() ? name : path + "." + name;
    if (holds_objects(value)) {
      lists.push_back({place, &value.array()});
    } else if (value.is_object() && levels > 1) {
      add_row_lists(value, place, levels - 1, lists);
    }
  }
}

// 2: candidate and reference are in some row, by their usual names; 1: the candidate is.
int texts_in(std::span<const Json> rows) {
  rows = rows.first(std::ranges::find_if_not(rows, &Json::is_object) - rows.begin());
  const auto has = [&](const FieldNames& names, const char* field) {
    return std::ranges::any_of(rows, [&](const Json& row) {
      return is_row_pair(row, names) || find_field(row, field_name(names, field)) != nullptr;
    });
  };
  try {
    const FieldNames names = usual_names(rows, {}, "").names;
    return has(names, "candidate") ? 1 + static_cast<int>(has(names, "reference")) : 0;
  } catch (const InputError&) {
    return 2;  // more than one field may be the candidate, or the reference
  }
}

// The objects that a list's objects hold under one name, as the server of Hugging Face's data sets
// writes {"row_idx": 0, "row": {…}}, where only these have a candidate and a reference.
std::optional<InnerRows> inner_rows(const std::vector<RowList>& lists) {
  std::optional<InnerRows> found;
  for (const RowList& list : lists) {
    for (const auto& [name, value] : list.rows->front().object()) {
      Json::Array inner;
      for (const Json& row : *list.rows) {
        const Json* const member = row.is_object() ? row.find(name) : nullptr;
        if (member != nullptr && member->is_object()) inner.push_back(*member);
      }
      if (inner.size() != list.rows->size() || texts_in(inner) < 2) continue;
      if (found) return std::nullopt;
      found = {list.path + "." + name, std::move(inner)};
    }
  }
  return found;
}

// Whether all members are objects of the same members.
bool holds_alike(const Json& object) {
  const Json::Object& members = object.object();
  return !members.empty() && std::ranges::all_of(members, [&](const auto& member) {
    return member.second.is_object() && members.front().second.is_object() &&
           have_same_members(members.front().second, member.second);
  });
}

// The rows of {"q1": {…}, "q2": {…}}, as pandas' orient="index" has it: their names are their ids;
// none where these objects have no candidate and reference.
std::optional<Json::Array> rows_by_id(Json& document, const std::string& file) {
  Json::Array rows;
  for (const auto& [name, value] : document.object()) {
    if (!value.is_object()) return std::nullopt;
    rows.push_back(value);
  }
  if (rows.empty() || texts_in(rows) < 2) return std::nullopt;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].find("id") == nullptr) rows[i]["id"] = document.object()[i].first;
  }
  log_info("the rows of " + file + " are read from its objects, whose names are their ids");
  return rows;
}

bool is_count(const std::string& name) {
  return parse_count(name).has_value();
}

// Whether an object that holds no rows by id holds columns, as pandas' to_json(orient="columns",
// "index" or "split") and to_dict("list") write them.
bool has_columns(const Json& object, bool may_be_by_key) {
  const Json::Object& members = object.object();
  if (members.empty()) return false;
  const auto* const split = object.find("data");
  if (object.find("columns") != nullptr && split != nullptr && split->is_array()) {
    return split->array().empty() || split->array().front().is_array();
  }
  const Json& first = members.front().second;
  const bool is_empty = first.is_array() && first.array().empty() && members.size() == 1;
  if (first.is_array() && !holds_objects(first) && !is_empty) {
    const auto has_usual_name = [](const auto& member) { return may_be_field(member.first); };
    return (!may_be_by_key || std::ranges::any_of(members, has_usual_name)) &&
           std::ranges::all_of(members, [&](const auto& member) {
             return member.second.is_array() &&
                    member.second.array().size() == first.array().size();
           });
  }
  // {"column": {"0": …, "1": …}} or {"0": {"column": …}, "1": …}
  if (!first.is_object() || first.object().empty()) return false;
  const bool has_counts = is_count(first.object().front().first);
  return holds_alike(object) && std::ranges::all_of(members, [&](const auto& member) {
           return is_count(member.first) != has_counts;
         });
}

InputError columns_instead(const std::string& what, const std::string& file) {
  return InputError(what, file,
                    "write rows: in pandas to_json(FILE, orient=\"records\", lines=True), in "
                    "datasets to_json(FILE)");
}

// Of HELM's request states only the references with the tag "correct" are references; those of
// multiple choice are alternatives, too.
void add_correct_references(Json& row) {
  const FieldValue listed = find_field(row, "instance.references");
  if (!listed || !holds_objects(*listed) || row.find("reference") != nullptr) return;
  Json::Array correct;
  for (const Json& reference : listed->array()) {
    const FieldValue text = find_field(reference, "output.text"),
                     tags = find_field(reference, "tags");
    if (!text || !text->is_string() || !tags || !tags->is_array()) continue;
    const bool is_correct = std::ranges::any_of(tags->array(), [](const Json& tag) {
      return tag.is_string() && tag.string() == "correct";
    });
    if (is_correct) correct.push_back(*text);
  }
  if (!correct.empty()) row["reference"] = std::move(correct);
}

// Of a log of Inspect whose run failed, or some of its samples.
void warn_of_failed_run(const Json& log, const Json::Array& samples, const std::string& file) {
  const Json* const status = log.find("status");
  if (status == nullptr || !status->is_string()) return;
  std::vector<std::string> failed;
  for (const Json& sample : samples) {
    const Json* const id = sample.is_object() ? sample.find("id") : nullptr;
    if (sample.is_object() && has_failed(sample))
      failed.push_back(id == nullptr ? "?" : id->dump());
  }
  if (status->string() != "error" && status->string() != "cancelled" && failed.empty()) return;
  log_warning(
      "the run that " + file + " logs has the status " + json_quote(status->string()) + ", and " +
      counted(std::ssize(failed), "of its samples has an error", "of its samples have errors") +
      (failed.empty() ? "" : " (id " + join_some(failed) + ")") +
      ": the answer of such a sample is scored if it is logged, and is missing if not");
}

// An empty list where a log has its rows, or alone in the object, which is then no row.
void refuse_empty_list(const Json& document, const std::string& file) {
  std::vector<std::string> paths = {"samples", "results.results", "request_states", "testCases"};
  if (document.object().size() == 1) paths.push_back(document.object().front().first);
  if (texts_in({&document, 1}) > 0) return;
  for (const std::string& path : paths) {
    const FieldValue list = find_field(document, path);
    if (!list || !list->is_array() || !list->array().empty()) continue;
    throw InputError("the list " + json_quote(path) + ", which would hold the rows, is empty", file,
                     "give a file that has answers");
  }
}

}  // namespace

Json::Array rows_of_document(Json document, const std::string& file, bool may_be_by_key,
                             bool is_line) {
  if (document.is_array()) {
    const Json::Array& rows = document.array();
    if (!rows.empty() && rows.front().is_array()) {
      throw columns_instead("the rows are lists without names, as pandas' orient=\"values\" has it",
                            file);
    }
    return std::move(document.array());
  }
  if (!document.is_object()) {
    throw InputError("expected an array of rows, found " + std::string(document.kind()), file,
                     "give an array of objects, or name another --input-format");
  }
  if (!may_be_by_key && holds_alike(document)) {
    if (std::optional<Json::Array> rows = rows_by_id(document, file)) return std::move(*rows);
  }
  if (!is_line && has_columns(document, may_be_by_key)) {
    std::vector<std::string> names;
    for (const auto& member : document.object()) names.push_back(json_quote(member.first));
    throw columns_instead(
        "the file holds columns, as pandas' to_json() writes them, not rows: " + join_some(names),
        file);
  }
  refuse_lm_eval_results(document, file);
  constexpr int kLevels = 3;
  std::vector<RowList> lists;
  if (texts_in({&document, 1}) == 0) add_row_lists(document, "", kLevels, lists);
  if (lists.empty()) {
    std::optional<Json::Array> rows;
    if (!may_be_by_key) rows = rows_by_id(document, file);
    if (rows) return std::move(*rows);
    if (!may_be_by_key) refuse_empty_list(document, file);
    return {std::move(document)};
  }
  std::vector<RowList> best;
  int most = 0;
  for (const RowList& list : lists) {
    const int texts = texts_in(*list.rows);
    if (texts > most) best.clear();
    most = std::max(most, texts);
    if (texts == most) best.push_back(list);
  }
  std::optional<InnerRows> inner;
  if (most == 0) inner = inner_rows(lists);
  if (inner) best = {{inner->path, &inner->rows}};
  if (is_line && most == 0 && !inner) return {std::move(document)};
  if (best.size() > 1 && may_be_by_key) return {std::move(document)};
  if (best.size() > 1) {
    std::vector<std::string> paths, commands;
    for (const RowList& list : best) {
      paths.push_back(list.path);
      commands.push_back("jq -c " + shell_word("." + list.path + "[]") + " " + shell_word(file) +
                         " > rows.jsonl");
    }
    throw InputError("the rows may be any of the lists " + join_some(paths), file,
                     "take one out: " + join_some(commands, "\n        or "));
  }
  log_info("rows are read from " + json_quote(best.front().path) + " of " + file);
  if (best.front().path == "samples") warn_of_failed_run(document, *best.front().rows, file);
  if (best.front().path == "request_states") {
    std::ranges::for_each(*best.front().rows, add_correct_references);
  }
  return std::move(*best.front().rows);
}

}  // namespace rubric::data
