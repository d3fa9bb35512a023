// Against the same rules on spaCy's documents: make_derive.py.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "data/derivations/derivations.h"
#include "data/derivations/readers.h"
#include "paths.h"

namespace rubric::data::baselines_test {

const std::string kFixture = std::string(fixtures_folder()) + "/derive";

void expect_rule(const char* name,
                 Derivation (*derive)(const SupportingFact&, std::span<const ParsedSentence>)) {
  std::map<SupportingFact, std::vector<ParsedSentence>> parses;
  for (ParsedSentence& sentence : read_conllu(kFixture + "/parses.conllu")) {
    parses[sentence.source].push_back(std::move(sentence));
  }
  const Json expected = Json::parse_file(kFixture + "/expected.json");
  for (const HotpotQuestion& question : read_hotpotqa(kFixture + "/articles.json")) {
    Derivation derivation;
    for (const SupportingFact& fact : question.supporting_facts) {
      for (const DerivationStep& step : derive(fact, parses.at(fact))) derivation.push_back(step);
    }
    EXPECT_EQ(to_json(derivation).dump(), expected.find(name)->find(question.id)->dump())
        << question.id;
  }
}

TEST(DerivationBaselines, CoreEqualsItsRulesOnSpacy) {
  expect_rule("core", core_derivation);
}

TEST(DerivationBaselines, IeEqualsItsRulesOnSpacy) {
  expect_rule("ie", ie_derivation);
}

ParsedToken token(const char* form, const char* tag, int64_t head) {
  return {form, tag, head, true, false, false};
}

TEST(DerivationBaselines, CoreWithoutAChildToTheRightIsNoStep) {
  const SupportingFact fact{"T", 2};
  const std::vector<ParsedSentence> verb = {
      {fact, {token("He", "PRP", 1), token("ran", "VBD", -1)}}};
  EXPECT_TRUE(core_derivation(fact, verb).empty());
  const std::vector<ParsedSentence> preposition = {
      {fact, {token("ran", "VBD", -1), token("in", "IN", 0)}}};
  EXPECT_TRUE(core_derivation(fact, preposition).empty());
  for (const auto& none : {std::vector<ParsedSentence>(), {{fact, {}}}}) {
    EXPECT_TRUE(core_derivation(fact, none).empty());
    EXPECT_TRUE(ie_derivation(fact, none).empty());
  }
}

}  // namespace rubric::data::baselines_test
