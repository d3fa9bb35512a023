#include <vector>

#include "core/text/utf8.h"
#include "text/byte_bpe/byte_bpe.h"
#include "text/tokenizer_fixtures.h"

namespace rubric::text::byte_level_test {

TEST(ByteCharacters, AreThoseOfGpt2) {
  EXPECT_EQ(byte_character('a'), "a");
  EXPECT_EQ(byte_character(' '), "Ġ");
  EXPECT_EQ(byte_character('\n'), "Ċ");
  EXPECT_EQ(byte_character(0x00), "Ā");
  EXPECT_EQ(byte_character(0xAD), "Ń");
  EXPECT_EQ(byte_character(0xFF), "ÿ");
  for (int byte = 0; byte < 256; ++byte) {
    const auto back = token_bytes(byte_character(static_cast<uint8_t>(byte)));
    ASSERT_TRUE(back) << byte;
    EXPECT_EQ(*back, std::string(1, static_cast<char>(byte)));
  }
  EXPECT_EQ(token_bytes("ĠcafÃ©"), " café");
  EXPECT_EQ(token_bytes("two words"), std::nullopt);  // a blank is Ġ
  EXPECT_EQ(token_bytes("Ō"), std::nullopt);
}

std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  std::string_view piece;
  for (size_t position = 0; next_pre_token(text, position, piece);) pieces.emplace_back(piece);
  return pieces;
}

TEST(NextPiece, CutsAsTheExpressionDoes) {
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(pieces_of(""), Pieces{});
  EXPECT_EQ(pieces_of("they've 12 x's!"), (Pieces{"they", "'ve", " 12", " x", "'s", "!"}));
  EXPECT_EQ(pieces_of("a  b"), (Pieces{"a", " ", " b"}));
  EXPECT_EQ(pieces_of("a \n"), (Pieces{"a", " \n"}));
  EXPECT_EQ(pieces_of("a\n\nb"), (Pieces{"a", "\n", "\n", "b"}));
  EXPECT_EQ(pieces_of("!'s"), (Pieces{"!'", "s"}));
  EXPECT_EQ(pieces_of(" 's 'x"), (Pieces{" '", "s", " '", "x"}));
}

// What the reference's regular expression takes each character for.
TEST(NextPiece, TakesEveryCodePointForWhatTheReferenceDoes) {
  const Json table = Json::parse_file(byte_bpe_fixture("codepoints.json"));
  const std::pair<char, std::vector<bool>> kinds[] = {
      {'a', code_points(table.require("letters", ""))},
      {'1', code_points(table.require("numbers", ""))},
      {'!', code_points(table.require("others", ""))}};
  for (char32_t c = 0; c < kCodePoints; ++c) {
    if (is_surrogate(c)) continue;
    for (const auto& [first, taken] : kinds) {
      std::string text(1, first);
      append_utf8(c, text);
      ASSERT_EQ(pieces_of(text).size() == 1, taken[c]) << first << " " << uint32_t{c};
    }
  }
}

}  // namespace rubric::text::byte_level_test
