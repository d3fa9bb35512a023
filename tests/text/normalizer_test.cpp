#include "text/normalizer.h"

#include "cases.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/text/utf8.h"
#include "text/generation_fixtures.h"

namespace rubric::text::normalizer_test {

std::string normalized(const Charsmap& charsmap, std::string_view text) {
  std::string out;
  charsmap.append_normalized(text, out);
  return out;
}

// A charsmap that replaces q by r.
std::string one_letter() {
  return read_file(generation_fixture("one_letter.charsmap"));
}

TEST(Charsmap, TakesAlongWhatJoinsTheCharacterAsTheReferenceDoes) {
  const Charsmap charsmap(one_letter(), "");
  const Json table = Json::parse_file(generation_fixture("codepoints.json"));
  const std::vector<bool> joining = code_points(table.require("joining", ""));
  for (char32_t c = 1; c < kCodePoints; ++c) {
    if (is_surrogate(c)) continue;
    std::string character;
    append_utf8(c, character);
    const std::string expected = joining[c] ? "r" : "r" + (c == 'q' ? "r" : character);
    EXPECT_EQ(normalized(charsmap, "q" + character), expected) << std::hex << uint32_t{c};
  }
}

TEST(Charsmap, ReplacesClustersOfLessThanSixBytesWhole) {
  const Charsmap charsmap(one_letter(), "");
  EXPECT_EQ(normalized(charsmap, "aqb qq"), "arb rr");
  EXPECT_EQ(normalized(charsmap, "q\u0301\u0301x"), "rx");                          // five bytes
  EXPECT_EQ(normalized(charsmap, "q\u0301\u0301\u0301x"), "r\u0301\u0301\u0301x");  // seven
  EXPECT_EQ(normalized(charsmap, "e\u0301q"), "e\u0301r");
  EXPECT_EQ(normalized(charsmap, std::string("q\0q", 3)), std::string("r\0r", 3));
  EXPECT_EQ(normalized(charsmap, ""), "");
}

TEST(Charsmap, WithoutBytesReplacesNothing) {
  EXPECT_EQ(normalized(Charsmap("", ""), "\uFF21q\r\n"), "\uFF21q\r\n");
}

TEST(Charsmap, BrokenOnesAreRefusedOrHarmless) {
  const std::string whole = one_letter();
  const auto message_of = [](const std::string& bytes) {
    return input_error([&] { Charsmap(bytes, "spiece.model"); });
  };
  for (const size_t length : {size_t{1}, size_t{4}, size_t{100}}) {
    expect_says(message_of(whole.substr(0, length)), {"precompiled_charsmap", "spiece.model"});
  }
  expect_says(message_of(whole + "\xFF"), {"UTF-8"});
  // Any unit changed: no reading beyond the trie or the replacements, which sanitizers watch.
  for (size_t i = 4; i < whole.size(); ++i) {
    for (const char mask : {'\x01', '\x7F', '\xFF'}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ mask);
      try {
        normalized(Charsmap(bytes, ""), "aq\u0301 qr\uFF21 \r\nzq");
      } catch (const InputError&) {
      }
    }
  }
}

std::string normalized(const std::string& json, std::string_view text) {
  std::string out;
  Normalizer::from_json(Json::parse(json, ""), "a.json: normalizer").normalize(text, out);
  return out;
}

// make_tokenizer_json.py: what `tokenizers` makes of texts, step by step and in sequences.
TEST(Normalizer, StepsGiveWhatTheReferenceGives) {
  const Json cases = Json::parse_file(std::filesystem::path(fixtures_folder()) /
                                      "tokenizer_json/normalizers.json");
  for (const Json& one : cases.array()) {
    const std::string json = one.require("normalizer", "").dump();
    const Json::Array& texts = one.require("texts", "").array();
    const Json::Array& expected = one.require("normalized", "").array();
    ASSERT_EQ(texts.size(), expected.size());
    for (size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(normalized(json, texts[i].string()), expected[i].string())
          << json << texts[i].dump();
    }
  }
  EXPECT_GE(cases.array().size(), 14u);
}

TEST(Normalizer, OfNoneChangesNothing) {
  EXPECT_EQ(normalized("null", " \uFF21  b "), " \uFF21  b ");
  EXPECT_TRUE(Normalizer().is_empty());
  EXPECT_EQ(Normalizer().description(), "");
}

TEST(Normalizer, OtherStepsAreRefusedByName) {
  for (const auto& [json, told] : cases<Json, std::string>("text/normalizers.json", "refused")) {
    const std::string message = input_error([&, text = json.dump()] { normalized(text, "a"); });
    expect_says(message, {told, "a.json: normalizer"});
  }
}

}  // namespace rubric::text::normalizer_test
