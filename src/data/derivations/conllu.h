// Parsed sentences: CoNLL-U (universaldependencies.org/format.html) as scripts/parse writes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/records.h"

namespace rubric {

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

}  // namespace rubric
