#include <set>

#include "core/error.h"
#include "data/derivations/readers.h"

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
  const size_t found = json.array().size();
  if (size == 0 || found == size) return json.array();
  throw InputError(what + " has " + std::to_string(found) + " parts, not " + std::to_string(size),
                   where, form);
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

}  // namespace rubric::data
