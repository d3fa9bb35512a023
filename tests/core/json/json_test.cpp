#include "core/json/json.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::json_test {

Json parse(const std::string& text) {
  return Json::parse(text, "f.json");
}

std::string parse_error(const std::string& text) {
  return input_error([&] { parse(text); });
}

std::string nested(size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

// A loop over the array of a temporary reads its own.
static_assert(std::is_same_v<decltype(Json().array()), Json::Array>);
static_assert(std::is_same_v<decltype(Json().object()), Json::Object>);

TEST(Json, RoundTripKeepsOrderAndDigits) {
  for (const std::string text :
       {R"({"z": 1, "a": [true, false, null], "m": {"y": "x", "b": []}, "e": {}})",
        R"([0, -0, 1.50, 1e5, 1E+05, -2.0, 0.1000, 18446744073709551615, -9223372036854775808])",
        R"([123456789012345678901234567890, 3.14159265358979323846264338327950288])",
        R"(["\" \\ / \b \f \n \r \t \u0000 \u001f é 中 😀"])", "\"text\"", "-1.5e-300"}) {
    EXPECT_EQ(parse(text).dump(), text);
  }
}

TEST(Json, EscapesReadAsWhatTheyMean) {
  EXPECT_EQ(parse(R"("\u00e9\u4e2d\ud83d\ude00\/\u0041")").string(), "é中😀/A");
  EXPECT_EQ(parse(R"("\u0000")").string(), std::string(1, '\0'));
}

TEST(Json, NumbersHaveValues) {
  const std::vector<double> expected = {2.5, -3, 0x1p64, 100, 0};
  const Json numbers = parse("[2.5, -3, 18446744073709551615, 1e2, -0]");
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(numbers.array()[i].number(), expected[i]);
}

TEST(Json, DumpIndents) {
  EXPECT_EQ(
      parse(R"({"a": [1, {"b": 2}], "c": [], "d": {}})").dump(2),
      "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": [],\n  \"d\": {}\n}");
}

TEST(Json, ValuesOfCppAreWritten) {
  Json value;
  value["double"] = 0.1;
  value["large"] = std::numeric_limits<uint64_t>::max();
  value["negative"] = int64_t{-7};
  value["text"] = "a\"b\n";
  value["true"] = true;
  value["nan"] = std::nan("");
  value["infinity"] = std::numeric_limits<double>::infinity();
  value["digits"] = Json::exact_number(1, "1.000");
  value["double"] = 0.25;  // replaces
  EXPECT_EQ(value.dump(),
            R"({"double": 0.25, "large": 18446744073709551615, "negative": -7, "text": "a\"b\n", )"
            R"("true": true, "nan": null, "infinity": null, "digits": 1.000})");
}

TEST(Json, DoublesReadBackAsTheSame) {
  for (const double value : {0.1, 1.0 / 3, 1e22, 5e-324, 1.7976931348623157e308, -0.0, 4.2}) {
    const double back = parse(Json(value).dump()).number();
    EXPECT_EQ(back, value);
    EXPECT_EQ(std::signbit(back), std::signbit(value));
  }
}

TEST(Json, NestingIsBounded) {
  EXPECT_EQ(parse(nested(100)).dump(), nested(100));
  EXPECT_EQ(parse_error(nested(101)),
            error_lines("nested deeper than 100 levels", "f.json, column 101", "correct it there"));
  expect_contains(parse_error(std::string(1 << 20, '[')), "nested deeper");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  expect_contains(parse_error(objects), "nested deeper");
}

TEST(Json, ARepeatedKeyIsAnError) {
  EXPECT_EQ(
      parse_error("{\n \"b\": 1, \"a\": {},\n \"b\": 2}"),
      error_lines("the key \"b\" occurs twice in one object", "f.json:3:8", "correct it there"));
  expect_contains(parse_error(R"([{"x": {"k": 1, "\u006b": 2}}])"), "\"k\" occurs twice");
  EXPECT_EQ(parse_error(R"([{"k": 1}, {"k": {"k": 2}}])"), "accepted");
}

TEST(Json, TextMustBeUtf8) {
  for (const std::string bytes : {"\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    expect_contains(parse_error("{\"a\": \"" + bytes + "\"}"), "ill-formed UTF-8");
    expect_contains(parse_error("{\"a\": \"" + bytes + "\"}"), "to do: convert the file to UTF-8");
    expect_contains(parse_error("{\"" + bytes + "\": 1}"), "ill-formed UTF-8");
  }
}

TEST(Json, LoneSurrogatesAreErrors) {
  for (const char* text : {R"("\ud83d")", R"("\ud83dx")", R"("\ude00")", R"("\ud83d\u0041")"}) {
    expect_contains(parse_error(text), "surrogate");
  }
}

TEST(Json, NumbersBeyondDoubleAreErrors) {
  EXPECT_EQ(parse_error("[1e999]"),
            error_lines("a number is out of range", "f.json, column 6", "correct it there"));
  expect_contains(parse_error(std::string(400, '9')), "out of range");
  EXPECT_EQ(parse("1e-999").number(), 0);
}

TEST(Json, WhatIsNotJsonIsRefused) {
  for (const std::string text :
       {"NaN",    "Infinity",    "-Infinity", "nul",           "01",
        "1.",     ".5",          "+1",        "'a'",           "{a: 1}",
        "[1,]",   "{\"a\": 1,}", "[1 2]",     "{\"a\" 1}",     "\"open",
        "[",      "{\"a\":",     "]",         "// comment\n1", "\"line\nbreak\"",
        "{1: 2}", "True"}) {
    expect_contains(parse_error(text), "not valid JSON: ");
  }
  EXPECT_EQ(parse_error(std::string("{}\0{", 4)),
            error_lines("not valid JSON: a zero byte", "f.json, column 3",
                        "name a file of text; if it is one, take the zero bytes out"));
  const std::string hint =
      "write null, or leave it out (Python: json.dumps(…, allow_nan=False) finds it)";
  for (const std::string number : {"NaN", "Infinity", "-Infinity"}) {
    for (const std::string& text : {number, "[1, " + number + "]", "[\n" + number + "\n]",
                                    "{\"NaN of\": 1, \"a\": " + number + "}"}) {
      const std::string message = parse_error(text);
      expect_says(message, {"not valid JSON: " + number + ", as Python", hint});
    }
  }
  for (const std::string text : {"\"NaN", "[\"Infinity\"x]", "{\"a\": \"NaN\" 1}", "[1 \"NaN\"]"}) {
    EXPECT_EQ(parse_error(text).find("as Python"), std::string::npos) << text;
  }
  EXPECT_EQ(parse_error("{\"NaN\": 1, \"a\": nul}").find("as Python"), std::string::npos);
  expect_contains(parse_error(std::string("\"a\0\"", 4)), "a zero byte");
}

TEST(Json, MessagesAreReadableAndSayWhere) {
  EXPECT_EQ(parse_error("{\n  \"a\": nan\n}"),
            error_lines("not valid JSON: invalid literal", "f.json:2:9", "correct it there"));
  EXPECT_EQ(parse_error("[1] 2"),
            error_lines("not valid JSON: unexpected number literal; expected end of input",
                        "f.json, column 5", "correct it there"));
  EXPECT_EQ(parse_error(""),
            error_lines("not valid JSON: unexpected end of input; expected '[', '{', or a literal",
                        "f.json, column 1", "there is nothing in it: write it again"));
  for (const std::string text : {"", "{", "[1,]", "\"\xFF", "NaN", "1e999", "\"a; last read: '"}) {
    const std::string message = parse_error(text);
    EXPECT_EQ(message.find("json.exception"), std::string::npos) << message;
    EXPECT_EQ(message.find("last read"), std::string::npos) << message;
    EXPECT_EQ(message.find('\xFF'), std::string::npos);
  }
}

TEST(Json, FilesMayHaveAByteOrderMark) {
  const TemporaryFolder folder;
  EXPECT_EQ(Json::parse_file(folder.write("a.json", "\xEF\xBB\xBF{\"a\": 1}\n")).dump(),
            "{\"a\": 1}");
  const auto empty = folder.write("empty.json", "");
  expect_contains(input_error([&] { Json::parse_file(empty); }), "unexpected end of input");
  expect_contains(input_error([&] { Json::parse_file(empty); }), empty.string());
  expect_contains(input_error([&] { Json::parse_file(folder.path()); }), "a directory");
}

TEST(Json, RequiredMembersNameWhatIsWrong) {
  const Json object =
      parse(R"({"name": "x", "size": 2.5, "count": 9007199254740992, "big": 1e300})");
  EXPECT_EQ(object.require_string("name", "r"), "x");
  EXPECT_EQ(object.require_number("size", "r"), 2.5);
  EXPECT_EQ(object.require_integer("count", "r"), int64_t{1} << 53);
  const Json other = Json::parse(R"({"no": false, "list": [1, 2]})", "");
  EXPECT_FALSE(other.require_boolean("no", "r"));
  EXPECT_EQ(other.require_array("list", "r").size(), 2u);
  expect_contains(input_error([&] { other.require_boolean("list", "r"); }), "true or false");
  expect_contains(input_error([&] { other.require_array("no", "r"); }), "must be an array");
  EXPECT_EQ(input_error([&] { object.require("nane", "row 1"); }),
            error_lines("the field \"nane\" is missing", "row 1", "did you mean \"name\"?"));
  EXPECT_EQ(input_error([&] { object.require_string("size", "row 1"); }),
            error_lines("the field \"size\" must be a string, it is a number", "row 1",
                        "write a string"));
  for (const char* key : {"size", "big"}) {
    expect_contains(input_error([&] { object.require_integer(key, "r"); }), "a whole number");
  }
  expect_contains(input_error([&] { parse("[]").require("a", "r"); }), "found an array");
  EXPECT_EQ(parse("[]").find("a"), nullptr);
}

// Bars, colons and, of several texts, commas separate a signature's parts.
TEST(SignatureText, KeepsTheFormOfASignature) {
  EXPECT_EQ(signature_text("f1"), "f1");
  EXPECT_EQ(signature_text("a|b:c\nd\"e,f"), "a\\x7cb\\x3ac\\nd\\\"e,f");
  EXPECT_EQ(signature_texts(std::vector<std::string>{"f1", "a,b|c"}), "f1,a\\x2cb\\x7cc");
  EXPECT_EQ(signature_texts({}), "");
}

}  // namespace rubric::json_test
