// HotpotQA (Yang et al. 2018): questions, their articles, answers and supporting facts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric {

struct Article {
  std::string title;
  std::vector<std::string> sentences;
};

struct HotpotQuestion {
  std::string id, question, answer;
  std::vector<SupportingFact> supporting_facts;
  std::vector<Article> articles;
};

// [{"_id", "question", "answer", "supporting_facts": [[title, sentence], …],
// "context": [[title, [sentence, …]], …]}, …], in file order. Throws InputError naming file and
// question.
std::vector<HotpotQuestion> read_hotpotqa(const std::filesystem::path& file);

// [title, sentence]: what such files name a sentence by. Throws InputError naming `where`, with
// `form` for what to do.
SupportingFact read_sentence_name(const Json& title, const Json& sentence, const std::string& where,
                                  const char* form);

// [[title, sentence], …].
std::vector<SupportingFact> read_supporting_facts(const Json& list, const std::string& where);

// The value as a text. Throws InputError: "WHAT is a number, not a string".
const std::string& require_text(const Json& json, const std::string& what, const std::string& where,
                                const char* form);

// The value as a list, of `size` elements unless that is 0. Throws InputError: "WHAT is a string,
// not a list".
const Json::Array& require_list(const Json& json, const std::string& what, size_t size,
                                const std::string& where, const char* form);

}  // namespace rubric
