#include "data/answers/lm_eval.h"

#include <optional>
#include <string>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/rows/list_cell.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

std::string text_of(const Json& value, const std::string& what, const std::string& where) {
  if (auto text = scalar_text(value)) return *std::move(text);
  throw InputError("the " + what + " must be a text, it is " + value.kind(), where,
                   "log the samples of a task that generates text");
}

std::vector<std::string> references_of(const Json& target, const std::string& where) {
  std::vector<std::string> references;
  if (target.is_array()) {
    for (const Json& each : target.array()) references.push_back(text_of(each, "target", where));
  } else {
    const std::string text = text_of(target, "target", where);
    references = {text};
    try {
      const auto items = target.is_string() ? parse_list_cell(text, where) : std::nullopt;
      if (items) references = *items;
    } catch (const InputError&) {
      // It only looks like a list: templates may write {"a": 1}.
    }
  }
  if (references.empty()) throw InputError("the target is an empty list", where);
  return references;
}

std::string first_response(const Json& row, const std::string& where) {
  const Json& response = row.require("filtered_resps", where);
  if (response.is_string()) return response.string();
  const Json::Array& responses = row.require_array("filtered_resps", where);
  if (responses.empty()) throw InputError("filtered_resps is empty", where);
  const Json& first = responses.front();
  // A list of several is a choice's log-likelihood and whether it is greedy, both written as texts.
  const bool holds_one_text =
      first.is_array() && first.array().size() == 1 && first.array().front().is_string();
  return text_of(holds_one_text ? first.array().front() : first, "response", where);
}

}  // namespace

std::string sample_constituent(const Json& row) {
  std::string constituent;
  for (const char* const field : {"task", "filter"}) {
    const Json* const name = row.find(field);
    if (name == nullptr || !name->is_string() || name->string().empty()) continue;
    constituent += (constituent.empty() ? "" : "/") + name->string();
  }
  return constituent;
}

bool is_lm_eval_sample(const Json& row) {
  for (const char* const field : {"doc_id", "filtered_resps", "target"}) {
    if (row.find(field) == nullptr) return false;
  }
  return row.find("candidate") == nullptr && row.find("reference") == nullptr;
}

Answer lm_eval_answer(const Json& row, int64_t number, const std::string& where) {
  Answer answer;
  answer.id = optional_text(row, "doc_id", where);
  if (answer.id.empty()) answer.id = std::to_string(number);
  answer.constituent = sample_constituent(row);
  for (const char* const field : {"doc.context", "doc.passage"}) {
    if (answer.passage.empty() && find_field(row, field) != nullptr) {
      answer.passage = optional_text(row, field, where);
    }
  }
  answer.question = optional_text(row, "doc.question", where);
  answer.candidate = first_response(row, where);
  answer.references = references_of(row.require("target", where), where);
  return answer;
}

std::vector<Answer> read_lm_eval(const std::filesystem::path& file) {
  std::vector<Answer> answers;
  visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    answers.push_back(lm_eval_answer(row, std::ssize(answers) + 1, where));
    return true;
  });
  if (answers.empty()) throw InputError("the file has no samples", file.string());
  return answers;
}

}  // namespace rubric::data
