#include "data/answer_file.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "data/rows.h"

namespace rubric {
namespace {

std::string optional_text(const Json& row, const std::string& name, const std::string& where) {
  const Json* value = row.find(name);
  if (value == nullptr || value->is_null()) return "";
  if (value->is_number()) return value->number_text();
  if (!value->is_string()) {
    throw InputError("the field \"" + name + "\" must be a string, it is " + value->kind(), where);
  }
  return value->string();
}

// A string, or a list of strings that is not empty.
std::vector<std::string> references_of(const Json& row, const std::string& name,
                                       const std::string& where) {
  const Json& value = row.require(name, where);
  if (value.is_string()) return {value.string()};
  std::vector<std::string> references;
  if (value.is_array()) {
    for (const Json& reference : value.array()) {
      if (reference.is_string()) references.push_back(reference.string());
    }
  }
  if (references.empty() || references.size() != value.array().size()) {
    throw InputError("the field \"" + name + "\" must be a string or a list of strings", where);
  }
  return references;
}

// Scores join those of a row; anything else under their name would be lost.
void check_scores_member(const Json& row, const std::string& member, const std::string& where) {
  const Json* value = row.find(member);
  if (value == nullptr || value->is_null() || value->is_object()) return;
  throw InputError("the field \"" + member + "\" must be an object, it is " + value->kind(), where,
                   "rename it: scores are added under this name");
}

}  // namespace

AnswerFile::AnswerFile(std::filesystem::path file, InputFormat format, FieldNames names,
                       int64_t limit)
    : file_(std::move(file)), format_(format), names_(std::move(names)) {
  if (format_ == InputFormat::mocha) {
    if (!names_.empty()) {
      throw InputError("MOCHA's format has fixed field names", "--field", "leave --field out");
    }
    read_mocha(limit);
  } else {
    visit_rows(file_, format_, [&](Json row, const std::string& where) {
      add_row(std::move(row), where);
      return limit == 0 || std::ssize(rows_) < limit;
    });
  }
  if (records_.empty()) throw InputError("the file has no rows", file_.string());
}

std::string AnswerFile::field_name(const std::string& ours) const {
  const auto found = names_.find(ours);
  return found == names_.end() ? ours : found->second;
}

void AnswerFile::require_field(const Json& row, const std::string& ours,
                               const std::string& where) const {
  const std::string theirs = field_name(ours);
  if (row.find(theirs) != nullptr) return;
  std::vector<std::string> names, quoted;
  for (const auto& [name, value] : row.object()) {
    names.push_back(name);
    quoted.push_back(json_quote(name));
  }
  const std::string nearest = nearest_name(theirs, names);
  const bool is_table = format_ == InputFormat::csv || format_ == InputFormat::tsv;
  throw InputError("the field " + json_quote(theirs) + " is missing", where,
                   "name what holds it, --field " + ours + "=" + (nearest.empty() ? "…" : nearest) +
                       ", among " +
                       (is_table ? "the columns (the first line is taken for the header): "
                                 : "the fields of the row: ") +
                       join_some(quoted));
}

void AnswerFile::add_row(Json row, const std::string& where) {
  for (const char* ours : {"reference", "candidate"}) require_field(row, ours, where);
  for (const auto& [ours, theirs] : names_) require_field(row, ours, where);  // no silent typo
  check_scores_member(row, "scores", where);
  Answer answer;
  answer.id = optional_text(row, field_name("id"), where);
  if (answer.id.empty()) answer.id = std::to_string(rows_.size() + 1);
  answer.constituent = optional_text(row, field_name("constituent"), where);
  answer.source = optional_text(row, field_name("source"), where);
  answer.passage = optional_text(row, field_name("passage"), where);
  answer.question = optional_text(row, field_name("question"), where);
  answer.references = references_of(row, field_name("reference"), where);
  answer.candidate = row.require_string(field_name("candidate"), where);
  records_.push_back(std::move(answer));
  slots_.push_back({rows_.size(), "scores"});
  rows_.push_back(std::move(row));
}

void AnswerFile::read_mocha(int64_t limit) {
  visit_mocha(file_, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
    if (limit > 0 && std::ssize(rows_) >= limit) return;
    const auto add = [&](Answer answer, const char* member) {
      check_scores_member(instance, member, where);
      records_.push_back(std::move(answer));
      slots_.push_back({rows_.size(), member});
    };
    if (is_mocha_pair(instance)) {
      AnswerPair pair = mocha_pair(key, instance, where);
      add(std::move(pair.better), "scores1");
      add(std::move(pair.worse), "scores2");
    } else {
      add(mocha_answer(key, instance, where), "scores");
    }
    rows_.push_back(instance);
    keys_.push_back(key);
  });
}

void AnswerFile::add_scores(const Scores& scores) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    Json& target = rows_[slots_[i].row][slots_[i].member];
    if (!target.is_object()) target = Json(Json::Object());
    for (size_t j = 0; j < scores.names.size(); ++j) target[scores.names[j]] = scores.rows[i][j];
  }
}

void AnswerFile::write(const std::filesystem::path& file) const {
  AtomicFile out(file);
  if (format_ == InputFormat::mocha) {
    Json root{Json::Object()};
    for (size_t i = 0; i < rows_.size(); ++i) {
      Json& constituent = root[keys_[i].first];
      if (constituent.is_null()) constituent = Json(Json::Object());
      constituent.object().emplace_back(keys_[i].second, rows_[i]);
    }
    out.write(root.dump(1) + "\n");
  } else {
    for (const Json& row : rows_) out.write(row.dump() + "\n");
  }
  out.commit();
}

}  // namespace rubric
