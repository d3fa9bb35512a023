#include "data/source_targets/source_target.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

constexpr const char* kScores = "scores";

// The context of a row's text that is inserted into a template.
struct RowText {
  const std::string& field;  // the file's name of the field
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

std::vector<std::string> listed_texts(const Json& list, const RowText& of) {
  std::vector<std::string> texts;
  for (const Json& item : list.array()) {
    if (!item.is_string() || trim(item.string()).empty()) {
      throw InputError("the field " + json_quote(of.field) + " lists " +
                           (item.is_string() ? "an empty text" : item.kind()),
                       of.where, "give a list of texts");
    }
    texts.push_back(of.checked(item.string()));
  }
  return texts;
}

// Joins the texts of a list field, with a mark before each.
std::string list_text(const Json& list, const std::string& mark, const RowText& of) {
  std::string text;
  for (const std::string& item : listed_texts(list, of)) {
    text += (text.empty() ? "" : " ") + mark + " " + item;
  }
  return text;
}

std::string place_text(const TemplatePart& place, const Json& row, const RowText& of) {
  const Json& value = row.require(of.field, of.where);
  if (value.is_null()) {
    throw InputError("the field " + json_quote(of.field) + " is null", of.where,
                     "give a text, or leave the row out");
  }
  const bool is_list = !place.item_mark.empty();
  if (value.is_array() && is_list) return list_text(value, place.item_mark, of);
  if (!value.is_array() && !is_list) return of.checked(optional_text(row, of.field, of.where));
  throw InputError("the field " + json_quote(of.field) + " is " + value.kind(), of.where,
                   is_list ? "the template needs a list there"
                           : "the place of a list in a template is {" + place.field + ":MARK}");
}

// Fills the template with the texts of a row.
std::string fill(const TextTemplate& parts, bool may_be_empty, const Json& row,
                 const PairTexts& texts, const std::string& where) {
  std::string text;
  for (const TemplatePart& part : parts) {
    text += part.text;
    if (part.field.empty()) continue;
    const std::string name = field_name(texts.names, part.field);
    const std::string field = place_text(part, row, {name, where, texts.marks});
    if (!may_be_empty && trim(field).empty()) {
      throw InputError("the field " + json_quote(name) + " is empty", where,
                       "give a text, or leave the row out");
    }
    text += field;
  }
  return text;
}

}  // namespace

PairTexts::PairTexts(const PairConfig& config, FieldNames field_names,
                     const std::string& given_template)
    : source(parse_template(config.source, "seq2seq.source")),
      target(parse_template(config.target, "seq2seq.target")),
      given(parse_template(given_template, "--given")) {
  for (const auto& [part, name] : {std::pair(&source, "source"), {&target, "target"}}) {
    if (!template_fields(*part).empty()) continue;
    throw InputError(std::string("the template of the ") + name + " has no place for a field",
                     json_quote(name == std::string("source") ? config.source : config.target),
                     std::string("write {") + name + "}, or {} around another field's name");
  }
  std::vector<std::string> fields = {"id"};
  for (const TextTemplate* const part : {&source, &target, &given}) {
    for (const std::string& field : template_fields(*part)) fields.push_back(field);
    for (const std::string& mark : template_marks(*part)) marks.push_back(mark);
  }
  if (!config.end.empty()) marks.push_back(config.end);
  require_fields(field_names, fields);
  names = std::move(field_names);
}

SourceTarget source_target_of(const Json& row, const PairTexts& texts, int64_t number,
                              const std::string& where) {
  std::vector<std::string> needed;
  for (const auto& [ours, theirs] : texts.names) needed.push_back(ours);
  for (const TextTemplate* const part : {&texts.source, &texts.given, &texts.target}) {
    if (part == &texts.target && texts.targets != Targets::required) continue;
    for (const std::string& field : template_fields(*part)) {
      if (std::ranges::count(needed, field) == 0) needed.push_back(field);
    }
  }
  require_fields(row, texts.names, needed, where);
  SourceTarget record;
  record.id = optional_name(row, field_name(texts.names, "id"), where);
  if (record.id.empty()) record.id = std::to_string(number);
  const bool is_one_field = texts.source.size() == 1;
  record.source = fill(texts.source, /*may_be_empty=*/is_one_field, row, texts, where);
  record.given = fill(texts.given, false, row, texts, where);
  if (texts.targets == Targets::required) {
    record.target = fill(texts.target, false, row, texts, where);
  }
  return record;
}

SourceTargetRows read_source_targets_with_rows(const std::filesystem::path& file,
                                               InputFormat format, const PairTexts& texts,
                                               int64_t limit) {
  SourceTargetRows whole;
  visit_rows(file, format, [&](Json row, const std::string& where) {
    whole.records.push_back(source_target_of(row, texts, std::ssize(whole.rows) + 1, where));
    whole.rows.push_back(std::move(row));
    whole.places.push_back(where);
    return std::ssize(whole.rows) != limit;
  });
  if (whole.rows.empty()) throw no_rows(file);
  return whole;
}

std::vector<std::vector<std::string>> row_texts(const SourceTargetRows& file,
                                                const std::string& name, const PairTexts& texts) {
  std::vector<std::vector<std::string>> all;
  for (size_t i = 0; i < file.rows.size(); ++i) {
    file.rows[i].require_array(name, file.places[i]);
    all.push_back(listed_texts(*file.rows[i].find(name), {name, file.places[i], texts.marks}));
    if (!all.back().empty()) continue;
    throw InputError("the field " + json_quote(name) + " lists no text", file.places[i],
                     "give a list of texts");
  }
  return all;
}

void check_scores(const SourceTargetRows& file) {
  for (size_t i = 0; i < file.rows.size(); ++i) {
    check_scores_member(file.rows[i], kScores, file.places[i]);
  }
}

void add_scores(SourceTargetRows& file, const Scores& scores) {
  for (size_t i = 0; i < file.rows.size(); ++i) {
    add_row_scores(file.rows[i], kScores, scores.names, scores.rows[i]);
  }
}

}  // namespace rubric::data
