// Against the definitions as make_r4c.py has them.
#include <gtest/gtest.h>

#include "core/json/json.h"
#include "data/derivations/readers.h"
#include "metrics/derivations/derivation_scores.h"
#include "paths.h"

namespace rubric::metrics::hotpotqa_test {

void expect_equal(const HotpotScore& score, const Json& values, size_t row) {
  EXPECT_DOUBLE_EQ(score.exact_match, values.array()[0].number()) << row;
  EXPECT_DOUBLE_EQ(score.f1, values.array()[1].number()) << row;
  EXPECT_DOUBLE_EQ(score.precision, values.array()[2].number()) << row;
  EXPECT_DOUBLE_EQ(score.recall, values.array()[3].number()) << row;
}

TEST(HotpotQa, EqualsTheDefinitions) {
  const Json cases = Json::parse_file(std::string(fixtures_folder()) + "/r4c/hotpotqa.json");
  size_t row = 0;
  for (const Json& one : cases.array()) {
    const HotpotScore answer =
        score_hotpot_answer(one.find("gold")->string(), one.find("given")->string());
    const HotpotScore facts =
        score_supporting_facts(data::read_supporting_facts(*one.find("gold_facts"), "gold"),
                               data::read_supporting_facts(*one.find("facts"), "facts"));
    expect_equal(answer, *one.find("answer"), row);
    expect_equal(facts, *one.find("supporting_facts"), row);
    expect_equal(joint_score(answer, facts), *one.find("joint"), row);
    ++row;
  }
  EXPECT_EQ(row, 200u);
}

}  // namespace rubric::metrics::hotpotqa_test
