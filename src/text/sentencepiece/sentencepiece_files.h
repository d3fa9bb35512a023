// spiece.model, the file that SentencePiece trains: a protocol buffer (ModelProto of
// sentencepiece_model.proto), of which this reads what cutting a text needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace rubric {

enum class PieceKind {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6
};

struct SentencePieceModel {
  Vocabulary pieces;           // ids from 0 on, in the order of the file
  std::vector<double> scores;  // by id: finite
  std::vector<PieceKind> kinds;
  int32_t unknown_id = 0;  // of a piece of the kind `unknown`
  std::string charsmap;    // precompiled_charsmap of its normalizer; checked by Charsmap
};

// Throws InputError naming `where` (and the piece) for what is no unigram model or damaged: pieces
// that are empty, repeated, too long or no UTF-8, scores that are not finite, no unknown piece.
SentencePieceModel parse_sentencepiece_model(std::string_view bytes, const std::string& where);

}  // namespace rubric
