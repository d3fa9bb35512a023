#include "data/source_target.h"

#include <functional>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "data/row_fields.h"
#include "data/row_scores.h"
#include "data/rows.h"

namespace rubric {
namespace {

constexpr const char* kScores = "scores";

SourceTarget row_source_target(const Json& row, const FieldNames& names, Targets targets,
                               int64_t number, const std::string& where) {
  const bool needs_target = targets == Targets::required;
  require_field(row, names, "source", where);
  if (needs_target) require_field(row, names, "target", where);
  for (const auto& [ours, theirs] : names) require_field(row, names, ours, where);
  const std::string target = field_name(names, "target");
  SourceTarget record;
  record.id = optional_text(row, field_name(names, "id"), where);
  if (record.id.empty()) record.id = std::to_string(number);
  record.source = row.require_string(field_name(names, "source"), where);
  record.target =
      needs_target ? row.require_string(target, where) : optional_text(row, target, where);
  if (needs_target && trim(record.target).empty()) {
    throw InputError("the field " + json_quote(target) + " is empty", where,
                     "give a target, or leave the row out");
  }
  return record;
}

using Visitor = std::function<void(SourceTarget record, Json row, const std::string& where)>;

void visit_source_targets(const std::filesystem::path& file, InputFormat format,
                          const FieldNames& names, Targets targets, int64_t limit,
                          const Visitor& visit) {
  if (!has_rows(format)) {
    throw InputError("the format " + input_format_names()[static_cast<size_t>(format)] +
                         " has no sources and targets",
                     file.string(), "give rows: jsonl, csv or tsv");
  }
  int64_t number = 0;
  visit_rows(file, format, [&](Json row, const std::string& where) {
    SourceTarget record = row_source_target(row, names, targets, ++number, where);
    visit(std::move(record), std::move(row), where);
    return number != limit;
  });
  if (number == 0) throw InputError("the file has no rows", file.string());
}

}  // namespace

const std::vector<std::string>& source_target_fields() {
  static const std::vector<std::string> fields = {"id", "source", "target"};
  return fields;
}

std::vector<SourceTarget> read_source_targets(const std::filesystem::path& file, InputFormat format,
                                              const FieldNames& names, Targets targets,
                                              int64_t limit) {
  std::vector<SourceTarget> records;
  visit_source_targets(file, format, names, targets, limit,
                       [&](SourceTarget record, const Json&, const std::string&) {
                         records.push_back(std::move(record));
                       });
  return records;
}

WholeSourceTargets read_whole_source_targets(const std::filesystem::path& file, InputFormat format,
                                             const FieldNames& names, Targets targets,
                                             int64_t limit) {
  WholeSourceTargets whole;
  visit_source_targets(file, format, names, targets, limit,
                       [&](SourceTarget record, Json row, const std::string& where) {
                         whole.records.push_back(std::move(record));
                         whole.rows.push_back(std::move(row));
                         whole.wheres.push_back(where);
                       });
  return whole;
}

std::vector<std::vector<std::string>> row_texts(const WholeSourceTargets& file,
                                                const std::string& name) {
  std::vector<std::vector<std::string>> all;
  for (size_t i = 0; i < file.rows.size(); ++i) {
    std::vector<std::string>& texts = all.emplace_back();
    for (const Json& text : file.rows[i].require_array(name, file.wheres[i])) {
      if (text.is_string() && !trim(text.string()).empty()) {
        texts.push_back(text.string());
        continue;
      }
      throw InputError("the field " + json_quote(name) + " lists " +
                           (text.is_string() ? "an empty text" : text.kind()),
                       file.wheres[i], "give a list of texts");
    }
    if (!texts.empty()) continue;
    throw InputError("the field " + json_quote(name) + " lists no text", file.wheres[i],
                     "give a list of texts");
  }
  return all;
}

void check_scores(const WholeSourceTargets& file) {
  for (size_t i = 0; i < file.rows.size(); ++i) {
    check_scores_member(file.rows[i], kScores, file.wheres[i]);
  }
}

void add_scores(WholeSourceTargets& file, const Scores& scores) {
  for (size_t i = 0; i < file.rows.size(); ++i) {
    add_row_scores(file.rows[i], kScores, scores.names, scores.rows[i]);
  }
}

}  // namespace rubric
