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

// A text of a row before it takes its place in a template.
struct RowText {
  const std::string& field;  // as the file calls it
  const std::string& where;
  const std::vector<std::string>& marks;  // of the template

  const std::string& checked(const std::string& text) const {
    for (const std::string& mark : marks) {
      if (text.find(mark) == std::string::npos) continue;
      throw InputError("the field " + json_quote(field) + " holds " + mark +
                           ", which marks a part of the template",
                       where, "take it out of the text");
    }
    return text;
  }
};

// The texts that a field lists, with a mark before each.
std::string list_text(const Json& list, const std::string& mark, const RowText& of) {
  std::string text;
  for (const Json& item : list.array()) {
    if (!item.is_string() || trim(item.string()).empty()) {
      throw InputError("the field " + json_quote(of.field) + " lists " +
                           (item.is_string() ? "an empty text" : item.kind()),
                       of.where, "give a list of texts");
    }
    text += (text.empty() ? "" : " ") + mark + " " + of.checked(item.string());
  }
  return text;
}

std::string place_text(const TemplatePart& place, const Json& row, const RowText& of) {
  const Json& value = row.require(of.field, of.where);
  const bool is_list = !place.item_mark.empty();
  if (value.is_array() && is_list) return list_text(value, place.item_mark, of);
  if (!value.is_array() && !is_list) return of.checked(optional_text(row, of.field, of.where));
  throw InputError("the field " + json_quote(of.field) + " is " + value.kind(), of.where,
                   is_list ? "the template needs a list there"
                           : "the place of a list in a template is {" + place.field + ":MARK}");
}

// The places filled with the texts of a row.
std::string fill(const TextTemplate& parts, bool may_be_empty, const Json& row,
                 const FieldNames& names, const std::string& where) {
  const std::vector<std::string> marks = template_marks(parts);
  std::string text;
  for (const TemplatePart& part : parts) {
    text += part.text;
    if (part.field.empty()) continue;
    require_field(row, names, part.field, where);
    const std::string name = field_name(names, part.field);
    const std::string field = place_text(part, row, {name, where, marks});
    if (!may_be_empty && trim(field).empty()) {
      throw InputError("the field " + json_quote(name) + " is empty", where,
                       "give a text, or leave the row out");
    }
    text += field;
  }
  return text;
}

SourceTarget row_source_target(const Json& row, const PairTexts& texts, int64_t number,
                               const std::string& where) {
  for (const auto& [ours, theirs] : texts.names) require_field(row, texts.names, ours, where);
  SourceTarget record;
  record.id = optional_text(row, field_name(texts.names, "id"), where);
  if (record.id.empty()) record.id = std::to_string(number);
  const bool is_one_field = texts.source.size() == 1;
  record.source = fill(texts.source, /*may_be_empty=*/is_one_field, row, texts.names, where);
  record.given = fill(texts.given, false, row, texts.names, where);
  if (texts.targets == Targets::required) {
    record.target = fill(texts.target, false, row, texts.names, where);
  }
  return record;
}

using Visitor = std::function<void(SourceTarget record, Json row, const std::string& where)>;

void visit_source_targets(const std::filesystem::path& file, InputFormat format,
                          const PairTexts& texts, int64_t limit, const Visitor& visit) {
  if (!has_rows(format)) {
    throw InputError("the format " + input_format_names()[static_cast<size_t>(format)] +
                         " has no sources and targets",
                     file.string(), "give rows: jsonl, csv or tsv");
  }
  int64_t number = 0;
  visit_rows(file, format, [&](Json row, const std::string& where) {
    SourceTarget record = row_source_target(row, texts, ++number, where);
    visit(std::move(record), std::move(row), where);
    return number != limit;
  });
  if (number == 0) throw InputError("the file has no rows", file.string());
}

}  // namespace

PairTexts::PairTexts(const PairConfig& config, const std::vector<std::string>& field_names)
    : source(parse_template(config.source, "seq2seq.source")),
      target(parse_template(config.target, "seq2seq.target")) {
  std::vector<std::string> fields = {"id"};
  for (const TextTemplate* const part : {&source, &target}) {
    for (const std::string& field : template_fields(*part)) fields.push_back(field);
  }
  names = parse_field_names(field_names, fields);
}

std::vector<SourceTarget> read_source_targets(const std::filesystem::path& file, InputFormat format,
                                              const PairTexts& texts, int64_t limit) {
  std::vector<SourceTarget> records;
  visit_source_targets(file, format, texts, limit,
                       [&](SourceTarget record, const Json&, const std::string&) {
                         records.push_back(std::move(record));
                       });
  return records;
}

WholeSourceTargets read_whole_source_targets(const std::filesystem::path& file, InputFormat format,
                                             const PairTexts& texts, int64_t limit) {
  WholeSourceTargets whole;
  visit_source_targets(file, format, texts, limit,
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
