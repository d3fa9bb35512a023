#include "core/error.h"
#include "data/derivations/readers.h"

namespace rubric::data {
namespace {

constexpr const char* kStepForm = "a step is [title, sentence, [head, relation, tail]]";
constexpr const char* kQuestionForm = "a file of derivations is {ID: [[step, …], …], …}";

DerivationStep read_step(const Json& json, const std::string& where) {
  const Json::Array& step = require_list(json, "the step", 3, where, kStepForm);
  auto [title, sentence] = read_sentence_name(step[0], step[1], where, kStepForm);
  const Json::Array& fact = require_list(step[2], "the fact", 3, where, kStepForm);
  return {std::move(title), sentence, require_text(fact[0], "the head", where, kStepForm),
          require_text(fact[1], "the relation", where, kStepForm),
          require_text(fact[2], "the tail", where, kStepForm)};
}

Derivation read_derivation(const Json& json, const std::string& where) {
  Derivation derivation;
  for (const Json& step : require_list(json, "the derivation", 0, where, kStepForm)) {
    derivation.push_back(
        read_step(step, where + ", step " + std::to_string(derivation.size() + 1)));
  }
  return derivation;
}

const Json::Object& require_r4c_questions(const Json& json, const std::string& what,
                                          const std::string& where) {
  if (json.is_object()) return json.object();
  throw InputError(what + " is " + json.kind() + ", not an object", where,
                   "its keys are the ids of the questions");
}

}  // namespace

std::vector<DerivationQuestion> read_r4c(const std::filesystem::path& file) {
  const Json root = Json::parse_file(file);
  std::vector<DerivationQuestion> questions;
  for (const auto& [id, json] : require_r4c_questions(root, "the file", file.string())) {
    const std::string where = file.string() + ": " + json_quote(id);
    DerivationQuestion question{id, {}};
    for (const Json& derivation : require_list(json, "the question", 0, where, kQuestionForm)) {
      const std::string place =
          where + ", derivation " + std::to_string(question.references.size() + 1);
      question.references.push_back(read_derivation(derivation, place));
      if (question.references.back().empty()) {
        throw InputError("the derivation has no step", place, kStepForm);
      }
    }
    if (question.references.empty()) {
      throw InputError("the question has no derivation", where, kQuestionForm);
    }
    questions.push_back(std::move(question));
  }
  if (questions.empty()) throw InputError("there is no question", file.string(), kQuestionForm);
  return questions;
}

R4cPredictions read_r4c_predictions(const std::filesystem::path& file) {
  const Json root = Json::parse_file(file);
  if (root.is_object() && root.find("re") == nullptr) {
    throw InputError("there is no \"re\", which holds the derivations", file.string(),
                     "give a prediction file: {\"re\": {ID: [[title, sentence, [head, relation, "
                     "tail]], …]}}");
  }
  const auto where = [&](const std::string& id) { return file.string() + ": " + json_quote(id); };
  R4cPredictions predictions;
  predictions.file = file;
  for (const auto& [id, json] :
       require_r4c_questions(root.require("re", file.string()), "\"re\"", file.string())) {
    predictions.derivations[id] = read_derivation(json, where(id));
  }
  if (const Json* const answers = root.find("answer")) {
    for (const auto& [id, json] : require_r4c_questions(*answers, "\"answer\"", file.string())) {
      if (!json.is_string()) {
        throw InputError(std::string("the answer is ") + json.kind() + ", not a string", where(id));
      }
      predictions.answers[id] = json.string();
    }
  }
  if (const Json* const facts = root.find("sp")) {
    for (const auto& [id, json] : require_r4c_questions(*facts, "\"sp\"", file.string())) {
      predictions.supporting_facts[id] = read_supporting_facts(json, where(id));
    }
  }
  return predictions;
}

Json to_json(const Derivation& derivation) {
  Json::Array steps;
  for (const DerivationStep& step : derivation) {
    steps.push_back(
        Json::Array{step.title, step.sentence, Json::Array{step.head, step.relation, step.tail}});
  }
  return steps;
}

}  // namespace rubric::data
