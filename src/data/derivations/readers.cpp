#include "data/derivations/readers.h"

#include <set>

#include "core/error.h"

namespace rubric::data {

namespace {

constexpr const char* kFactForm = "a supporting fact is [title, sentence]";
constexpr const char* kArticleForm = "an article is [title, [sentence, …]]";
constexpr const char* kFileForm = "HotpotQA's file is a list of questions";

Article read_article(const Json& json, const std::string& where) {
  const Json::Array& pair = require_list(json, "the article", 2, where, kArticleForm);
  Article article{require_text(pair[0], "the title", where, kArticleForm), {}};
  for (const Json& sentence : require_list(pair[1], "the text", 0, where, kArticleForm)) {
    article.sentences.push_back(require_text(sentence, "the sentence", where, kArticleForm));
  }
  return article;
}

}  // namespace

const std::string& require_text(const Json& json, const std::string& what, const std::string& where,
                                const char* form) {
  if (json.is_string()) return json.string();
  throw InputError(what + " is " + json.kind() + ", not a string", where, form);
}

const Json::Array& require_list(const Json& json, const std::string& what, size_t size,
                                const std::string& where, const char* form) {
  if (!json.is_array()) throw InputError(what + " is " + json.kind() + ", not a list", where, form);
  const Json::Array& list = json.array();
  if (size == 0 || list.size() == size) return list;
  throw InputError(
      what + " has " + counted(std::ssize(list), "part") + ", not " + std::to_string(size), where,
      form);
}

SupportingFact read_sentence_name(const Json& title, const Json& sentence, const std::string& where,
                                  const char* form) {
  constexpr double kMost = 1e9;
  SupportingFact fact{require_text(title, "the title", where, form), 0};
  if (sentence.is_number() && sentence.number() >= 0 && sentence.number() <= kMost) {
    fact.sentence = static_cast<int64_t>(sentence.number());
    if (static_cast<double>(fact.sentence) == sentence.number()) return fact;
  }
  throw InputError("the sentence is " +
                       (sentence.is_number() ? sentence.number_text() : sentence.kind()) +
                       ", not a whole number from 0",
                   where, form);
}

std::vector<SupportingFact> read_supporting_facts(const Json& list, const std::string& where) {
  std::vector<SupportingFact> facts;
  for (const Json& fact : require_list(list, "the supporting facts", 0, where, kFactForm)) {
    const Json::Array& pair = require_list(fact, "the supporting fact", 2, where, kFactForm);
    facts.push_back(read_sentence_name(pair[0], pair[1], where, kFactForm));
  }
  return facts;
}

std::vector<HotpotQuestion> read_hotpotqa(const std::filesystem::path& file) {
  const Json root = Json::parse_file(file);
  std::vector<HotpotQuestion> questions;
  std::set<std::string> ids;
  for (const Json& json : require_list(root, "the file", 0, file.string(), kFileForm)) {
    const std::string number = file.string() + ": question " + std::to_string(questions.size() + 1);
    HotpotQuestion question;
    question.id = json.require_string("_id", number);
    const std::string where = file.string() + ": " + json_quote(question.id);
    if (!ids.insert(question.id).second) {
      throw InputError("two questions have this \"_id\"", where, "remove one");
    }
    question.question = json.require_string("question", where);
    question.answer = json.require_string("answer", where);
    question.supporting_facts =
        read_supporting_facts(json.require("supporting_facts", where), where);
    for (const Json& article : json.require_array("context", where)) {
      question.articles.push_back(read_article(
          article, where + ", article " + std::to_string(question.articles.size() + 1)));
    }
    questions.push_back(std::move(question));
  }
  return questions;
}

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
        throw InputError(std::string("the answer is ") + json.kind() + ", not a string", where(id),
                         "write it as a string");
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
