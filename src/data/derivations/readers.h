// R4C's derivations (Inoue et al. 2020) and the prediction files that are judged by them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric::data {

// {ID: [DERIVATION, …]}, a derivation being [[title, sentence, [head, relation, tail]], …]: the
// questions in file order. Throws InputError naming file, question, derivation and step; also where
// a question has no derivation, or a derivation no step.
std::vector<DerivationQuestion> read_r4c(const std::filesystem::path& file);

// What a system answered: HotpotQA's prediction file with derivations ("re") beside its answers and
// supporting facts, which it may lack.
struct R4cPredictions {
  std::filesystem::path file;
  std::map<std::string, Derivation> derivations;
  std::map<std::string, std::string> answers;
  std::map<std::string, std::vector<SupportingFact>> supporting_facts;
};

// {"re": {ID: DERIVATION}, "answer": {ID: text}, "sp": {ID: [[title, sentence], …]}}. A derivation
// may be empty. Throws InputError naming file, question and step.
R4cPredictions read_r4c_predictions(const std::filesystem::path& file);

// A derivation in the form of the files above.
Json to_json(const Derivation& derivation);

// HotpotQA (Yang et al. 2018): questions, their articles, answers and supporting facts.

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

// Parsed sentences: CoNLL-U (universaldependencies.org/format.html) as scripts/parse writes it.

struct ParsedToken {
  std::string form;
  std::string tag;                 // XPOS: of the Penn Treebank
  int64_t head = -1;               // index of its head in the sentence; -1: it is the root
  bool is_before_space = true;     // MISC's SpaceAfter=No says otherwise
  bool begins_noun_chunk = false;  // MISC's NounChunk=B
  bool is_in_noun_chunk = false;   // NounChunk=B or NounChunk=I
};

struct ParsedSentence {
  SupportingFact source;  // what was parsed: a sentence of an article, which a parser may divide
  std::vector<ParsedToken> tokens;
};

// The sentences in file order. Comments "# article = TITLE" and "# sentence = N" say what is parsed
// and stand until the next of their kind; rows of multiword tokens and empty nodes are passed over.
// Comments without rows are a sentence without tokens. Throws InputError naming file and line: a
// row without ten columns, heads that are no tree, a sentence without its comments, one of an
// article whose parse has ended before.
std::vector<ParsedSentence> read_conllu(const std::filesystem::path& file);

}  // namespace rubric::data
