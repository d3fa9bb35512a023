#include "data/rows/list_cell.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "messages.h"

namespace rubric::data::list_cell_test {

using Items = std::vector<std::string>;

std::optional<Items> parse(const std::string& text) {
  return parse_list_cell(text, "file:2");
}

TEST(ListCell, ReadsListsOfJsonAndPython) {
  EXPECT_EQ(parse(R"(["a", "b, c"])"), (Items{"a", "b, c"}));
  EXPECT_EQ(parse("['Denver Broncos', 'The Broncos']"), (Items{"Denver Broncos", "The Broncos"}));
  EXPECT_EQ(parse(R"(['it\'s', "it's", 'say "no"'])"), (Items{"it's", "it's", "say \"no\""}));
  EXPECT_EQ(parse("  [ 'a' ,\n 'b' , ]  "), (Items{"a", "b"}));
  EXPECT_EQ(parse("[]"), Items());
  EXPECT_EQ(parse("['a', -2.50, 3e2]"), (Items{"a", "-2.50", "3e2"}));
  EXPECT_EQ(parse("['a', 2]"), (Items{"a", "2"}));
}

TEST(ListCell, AnyQuotedOrMissingItemMakesAList) {
  EXPECT_EQ(parse("[1, 'gold']"), (Items{"1", "gold"}));
  EXPECT_EQ(parse("[u'gold', u\"x\"]"), (Items{"gold", "x"}));
  for (const char* const text : {R"([null, "gold"])", "[None, 'gold']", "[nan, 'gold']", "[None]",
                                 "[1, nan ]", "[b'a']", "[np.str_('a')]", "[x, 'gold']"}) {
    expect_contains(input_error([&] { parse(text); }), "neither a text nor a number");
  }
}

// Answers of SQuAD, as JSON and Python write them.
TEST(ListCell, ObjectsAreTheirTexts) {
  EXPECT_EQ(parse("[{'text': 'gold', 'answer_start': 1}]"), Items{"gold"});
  EXPECT_EQ(parse(R"([{"answer_start": [1, 2], "text": "a}"}, {"text": "b", "x": null}, "c"])"),
            (Items{"a}", "b", "c"}));
  const auto error = [](const std::string& text) { return input_error([&] { parse(text); }); };
  expect_contains(error("[{'answer': 'gold'}]"), "no text under the key \"text\"");
  expect_contains(error("[{'text': None}]"), "no text under the key \"text\"");
  expect_contains(error("[{'text' 'a'}]"), "no colon");
  expect_contains(error("[{'text': 'a'"), "an object is not closed");
  expect_contains(error("[{'text': {'a': 1}}]"), "neither a text nor a number nor a list");
  expect_contains(error("[{'text': 'a', 'x': [1"), "a list in an object is not closed");
}

// What Python's repr() and json.dumps() make of '\n\\\x01é\u2028😀/'.
TEST(ListCell, ReadsTheEscapesOfBoth) {
  const Items expected = {"\n\\\x01é\u2028😀/"};
  EXPECT_EQ(parse(R"(['\n\\\x01é\u2028😀/'])"), expected);
  EXPECT_EQ(parse(R"(["\n\\\u0001\u00e9\u2028\ud83d\ude00\/"])"), expected);
  EXPECT_EQ(parse(R"(['\U0001f600'])"), (Items{"😀"}));
  EXPECT_EQ(parse(R"(["\ud83d"])"), (Items{"\uFFFD"}));      // half a pair
  EXPECT_EQ(parse(R"(['\U0000d800'])"), (Items{"\uFFFD"}));  // which UTF-8 cannot write
  EXPECT_EQ(parse(R"(['\U0000dfff'])"), (Items{"\uFFFD"}));
}

TEST(ListCell, OtherTextsAreNoLists) {
  for (const auto& [text] : cases<std::string>("data/rows/list_cells.json", "no lists")) {
    EXPECT_EQ(parse(text), std::nullopt) << text;
  }
}

TEST(ListCell, WhatBeginsLikeAListAndIsNoneIsAnError) {
  const auto error = [](const std::string& text) { return input_error([&] { parse(text); }); };
  expect_contains(error("['a', 'b"), "may have been cut off");
  expect_contains(error("['a'"), "not closed");
  expect_contains(error("['a' 'b']"), "numpy");
  expect_contains(error("['a'] and more"), "text follows the list");
  expect_contains(error("['a', None]"), "\"None\"");
  expect_contains(error("[['a'], ['b']]"), "an item is neither a text nor a number: \"['a'\"");
  expect_contains(error("['\\x4']"), "2 hexadecimal digits");
  expect_contains(error("['a\\"), "cut off");
  expect_contains(error("['a"), "file:2");
}

TEST(ListCells, OtherCollectionsThatPythonWritesAreRefused) {
  for (const char* text : {"('a', 'b')", " (\"it's\",)", "{'text': ['a'], 'answer_start': [1]}",
                           "{\"text\": [\"a\"]}", "{'a', 'b'}", "array(['a'], dtype=object)",
                           "<StringArray>\n['a', 'b']\nLength: 2, dtype: string"}) {
    const std::string message = input_error([&] { parse_list_cell(text, "t.csv:2"); });
    expect_says(message, {"as Python writes it", "json.dumps"});
  }
}

}  // namespace rubric::data::list_cell_test
