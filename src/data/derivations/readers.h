// Readers of R4C's derivations and prediction files (Inoue et al. 2020), HotpotQA's questions, and
// parsed sentences in CoNLL-U.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric::data {

// Reads {ID: [DERIVATION, …]}, where a derivation is [[title, sentence, [head, relation, tail]],
// …], in file order. Throws InputError naming file, question, derivation and step, also for a
// question without derivation and a derivation without step.
std::vector<DerivationQuestion> read_r4c(const std::filesystem::path& file);

// The predictions of a system: HotpotQA's prediction file with derivations ("re"); answers and
// supporting facts are optional.
struct R4cPredictions {
  std::filesystem::path file;
  std::map<std::string, Derivation> derivations;
  std::map<std::string, std::string> answers;
  std::map<std::string, std::vector<SupportingFact>> supporting_facts;
};

// Reads {"re": {ID: DERIVATION}, "answer": {ID: text}, "sp": {ID: [[title, sentence], …]}}. A
// derivation may be empty. Throws InputError naming file, question and step.
R4cPredictions read_r4c_predictions(const std::filesystem::path& file);

// A derivation as these files write it.
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

// Reads [{"_id", "question", "answer", "supporting_facts": [[title, sentence], …], "context":
// [[title, [sentence, …]], …]}, …], in file order. Throws InputError naming file and question.
std::vector<HotpotQuestion> read_hotpotqa(const std::filesystem::path& file);

// Reads [title, sentence], by which these files name a sentence. Throws InputError naming `where`,
// with `form` as what to do.
SupportingFact read_sentence_name(const Json& title, const Json& sentence, const std::string& where,
                                  const char* form);

// Reads [[title, sentence], …].
std::vector<SupportingFact> read_supporting_facts(const Json& list, const std::string& where);

// The value as a string. Throws InputError: "WHAT is a number, not a string".
const std::string& require_text(const Json& json, const std::string& what, const std::string& where,
                                const char* form);

// The value as a list with `size` elements (0: any number). Throws InputError: "WHAT is a string,
// not a list".
const Json::Array& require_list(const Json& json, const std::string& what, size_t size,
                                const std::string& where, const char* form);

// Parsed sentences, in CoNLL-U (universaldependencies.org/format.html) as scripts/parse writes it.
struct ParsedToken {
  std::string form;
  std::string tag;                 // XPOS: a tag of the Penn Treebank
  int64_t head = -1;               // index of the head in the sentence; -1: this is the root
  bool is_before_space = true;     // false with SpaceAfter=No in MISC
  bool begins_noun_chunk = false;  // NounChunk=B in MISC
  bool is_in_noun_chunk = false;   // NounChunk=B or NounChunk=I
};

struct ParsedSentence {
  SupportingFact source;  // the article's sentence that was parsed; a parser may split it
  std::vector<ParsedToken> tokens;
};

// Reads the sentences in file order. Comments "# article = TITLE" and "# sentence = N" name the
// source and hold until the next one of their kind; rows of multiword tokens and empty nodes are
// skipped. Comments without rows are a sentence without tokens. Throws InputError naming file and
// line for a row without ten columns, heads that form no tree, a sentence without these comments,
// and a sentence of an article that has ended before.
std::vector<ParsedSentence> read_conllu(const std::filesystem::path& file);

}  // namespace rubric::data
