#include <bit>
#include <cmath>

#include "core/files/files.h"
#include "core/random.h"
#include "text/generation_fixtures.h"
#include "text/sentencepiece/sentencepiece_files.h"

namespace rubric::text::sentencepiece_model_test {

using std::string_literals::operator""s;

// A message or text as field `number`, shorter than 128 bytes.
std::string field(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

std::string piece(const std::string& text, float score = -1, int kind = 1) {
  const auto bits = std::bit_cast<uint32_t>(score);
  std::string message = field(1, text) + "\x15";
  for (int shift = 0; shift < 32; shift += 8) message += static_cast<char>(bits >> shift);
  return field(1, message + "\x18" + static_cast<char>(kind));
}

std::string parse_error(const std::string& bytes) {
  return input_error([&] { parse_sentencepiece_model(bytes, "spiece.model"); });
}

TEST(SentencePieceModel, HasPiecesScoresKindsAndCharacters) {
  const std::string bytes = piece("<unk>", 0, 2) + piece("\u2581a", -1.5F) + piece("</s>", 0, 3) +
                            field(3, field(1, "nfkc") + field(2, "map\0s"s));
  const SentencePieceModel model = parse_sentencepiece_model(bytes, "");
  EXPECT_EQ(model.pieces.count(), 3u);
  EXPECT_EQ(model.pieces.find("\u2581a"), 1);
  EXPECT_EQ(model.scores, (std::vector<double>{0, -1.5, 0}));
  EXPECT_EQ(model.kinds[2], PieceKind::control);
  EXPECT_EQ(model.unknown_id, 0);
  EXPECT_EQ(model.charsmap, "map\0s"s);
}

TEST(SentencePieceModel, WhatIsNoUnigramModelIsRefused) {
  const std::string unknown = piece("<unk>", 0, 2);
  EXPECT_EQ(parse_error(unknown + piece("a")), "accepted");
  expect_says(parse_error(""), {"unknown text", "spiece.model"});
  expect_says(parse_error(piece("a")), {"unknown text"});
  expect_says(parse_error(unknown + field(2, "\xC0\x02\x05")), {"the piece 5"});
  expect_says(parse_error(unknown + field(2, "\xC0\x02\x01") + piece("a")), {"the piece 1"});
  expect_says(parse_error(unknown + field(2, "\x18\x02")), {"BPE", "unigram is needed"});
  expect_says(parse_error(unknown + field(2, "\x18\x09")), {"type 9"});
  expect_says(parse_error(unknown + piece("")), {"an empty token", "piece 1"});
  expect_says(parse_error(unknown + piece("a") + piece("a")), {"\"a\" is there twice", "piece 2"});
  expect_says(parse_error(unknown + piece("\xC3")), {"UTF-8", "piece 1"});
  expect_says(parse_error(unknown + piece("a", INFINITY)), {"not finite", "piece 1"});
  expect_says(parse_error(unknown + piece("a", NAN)), {"not finite"});
  expect_says(parse_error(unknown + piece("a", 0, 7)), {"the unknown kind 7"});
}

TEST(SentencePieceModel, DamagedFilesEndWithAnInputErrorOrAModel) {
  const std::string whole = read_file(generation_fixture("plain") / "spiece.model");
  size_t refused = 0;
  const auto try_it = [&](const std::string& bytes) {
    const std::string message = parse_error(bytes);
    refused += message != "accepted";
    return message;
  };
  EXPECT_EQ(try_it(whole), "accepted");
  for (size_t length = 0; length < whole.size(); length += 7) try_it(whole.substr(0, length));
  EXPECT_GT(refused, whole.size() / 10);
  for (uint64_t i = 0; i < 2000; ++i) {
    std::string bytes = i < 1000 ? whole : std::string(i, ' ');
    for (uint64_t change = 0; change < (i < 1000 ? 3 : bytes.size()); ++change) {
      const uint64_t random = mix(i * 4096 + change);
      bytes[random % bytes.size()] = static_cast<char>(random >> 32);
    }
    try_it(bytes);
  }
}

}  // namespace rubric::text::sentencepiece_model_test
