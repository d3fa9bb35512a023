#include "data/answers/mocha.h"

#include <gtest/gtest.h>

#include "data/reading.h"

namespace rubric::data::mocha_test {

using Mocha = Reading<read_mocha>;
using MochaPairs = Reading<read_mocha_pairs>;

const std::string kMochaInstance =
    R"("context": "p", "question": "q", "reference": "r", "candidate": "c")";

TEST_F(Mocha, ReadsInstancesInFileOrder) {
  const std::vector<Answer> answers =
      read("{\"drop\": {\"b\": {" + kMochaInstance +
           R"(, "score": 4.5, "metadata": {"scores": [4, 5], "source": "bert"}}, "a": {)" +
           kMochaInstance + "}}, \"my own\": {\"b\": {" + kMochaInstance +
           R"(, "score": 1, "metadata": {}, "extra": 1}}})");
  EXPECT_EQ(
      rows_text(answers),
      R"({"id": "b", "constituent": "drop", "source": "bert", "passage": "p", "question": "q", "reference": "r", "candidate": "c", "score": 4.5}
{"id": "a", "constituent": "drop", "passage": "p", "question": "q", "reference": "r", "candidate": "c"}
{"id": "b", "constituent": "my own", "passage": "p", "question": "q", "reference": "r", "candidate": "c", "score": 1}
)");
}

TEST_F(Mocha, ErrorsNameFileConstituentAndId) {
  expect_error(
      "{\"drop\": {\"x1\": {\"context\": \"p\", \"question\": \"q\", \"candidate\": \"c\"}}}",
      {file_ + ": ", "\"drop\"", "\"x1\"", "\"reference\" is missing"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"score\": \"5\"}}}",
               {"\"x1\"", "must be a number", "a string"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"score\": null}}}",
               {"\"x1\"", "null"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"score\": 5.01}}}",
               {"5.01", "from 1 to 5"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"score\": 0}}}", {"from 1 to 5"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"metadata\": []}}}",
               {"\"metadata\""});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"metadata\": {\"source\": 3}}}}",
               {"\"source\""});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + "}, \"x1\": {" + kMochaInstance + "}}}",
               {"\"x1\" occurs twice"});
}

TEST_F(Mocha, RefusesWhatIsNotMocha) {
  expect_error("{\"drop\": {\"x1\": {", {"not valid JSON"});
  expect_error("[]", {"expected an object", "an array", "{constituent: {id:"});
  expect_error("{\"drop\": 3}", {"\"drop\""});
  expect_error("{\"drop\": {\"x1\": \"text\"}}", {"\"x1\"", "a string"});
  expect_error("{\"drop\": {}}", {"no instances"});
  expect_error(std::string(100000, '['), {"nested"});
  expect_contains(input_error([] { read_mocha("/no/such/file.json"); }), "no such file");
}

std::string pair_with(const std::string& scores) {
  return R"({"quoref": {"m1": {"context": "p", "question": "q", "reference": "r",
             "candidate1": "good", "candidate2": "bad")" +
         scores + "}}}";
}

TEST_F(MochaPairs, ReadsMinimalPairs) {
  const auto pairs = read(pair_with(R"(, "score1": 5, "score2": 1.5)"));
  ASSERT_EQ(pairs.size(), 1u);
  const std::string rest =
      R"({"id": "m1", "constituent": "quoref", "passage": "p", "question": "q", "reference": "r", )";
  EXPECT_EQ(rows_text({pairs[0].better, pairs[0].worse}),
            rest + "\"candidate\": \"good\", \"score\": 5}\n" + rest +
                "\"candidate\": \"bad\", \"score\": 1.5}\n");
  EXPECT_FALSE(read(pair_with(""))[0].better.score);
}

TEST_F(MochaPairs, InTheWrongOrderAreRefused) {
  expect_error(pair_with(R"(, "score1": 2, "score2": 2)"), {"greater"});
  expect_error(pair_with(R"(, "score1": 2)"), {"the other has none"});
}

}  // namespace rubric::data::mocha_test
