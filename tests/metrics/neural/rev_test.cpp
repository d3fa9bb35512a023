#include <cmath>
#include <numeric>

#include "core/json/json.h"
#include "data/rationales/rationale_rows.h"
#include "data/source_targets/pair_config.h"
#include "messages.h"
#include "metrics/neural/likelihood_metrics.h"
#include "metrics/neural/pair_likelihoods.h"
#include "models/fixture.h"
#include "temporary_folder.h"

namespace rubric::metrics::rev_test {

// Of tests/fixtures/make_rev.py.
const std::vector<data::Rationale>& rationales() {
  static const auto rows = data::read_rationales(fixture("rev/rows.jsonl")).records;
  return rows;
}

data::Rationale rationale(const std::string& id) {
  for (const data::Rationale& record : rationales()) {
    if (record.id == id) return record;
  }
  throw Error("no such row", id);
}

const Json& expected_of(const std::string& model) {
  static const Json expected = Json::parse_file(fixture("rev/expected.json"));
  return expected.require(model, "");
}

enum class Evaluators { one, two };

Rev open_rev(const std::string& model, Evaluators evaluators = Evaluators::one) {
  if (evaluators == Evaluators::one) return Rev(fixture("rev/" + model), std::nullopt);
  const std::string baseline = expected_of(model).require_string("baseline_model", "");
  return Rev(fixture("rev/" + model), fixture("rev/" + baseline));
}

data::Scores score(Rev rev, const std::vector<data::Rationale>& records = rationales()) {
  for (const data::Rationale& record : records) rev.check(record, "rows.jsonl:1");
  return rev.score(0, std::ssize(records));
}

void expect_near(const data::Scores& scores, const data::Scores& others, double tolerance) {
  ASSERT_EQ(scores.rows.size(), others.rows.size());
  for (size_t i = 0; i < scores.rows.size(); ++i) {
    for (size_t j = 0; j < scores.names.size(); ++j) {
      EXPECT_NEAR(scores.rows[i][j], others.rows[i][j], tolerance)
          << scores.names[j] << " of " << i;
    }
  }
}

class RevParity : public testing::TestWithParam<const char*> {};

TEST_P(RevParity, EqualsThePublishedProcedure) {
  for (const auto evaluators : {Evaluators::one, Evaluators::two}) {
    const char* const mode = evaluators == Evaluators::one ? "one" : "two";
    Rev rev = open_rev(GetParam(), evaluators);
    for (const data::Rationale& record : rationales()) rev.check(record, "rows.jsonl:1");
    const data::Scores scores = rev.score(0, std::ssize(rationales()));
    ASSERT_EQ(scores.names, (std::vector<std::string>{"rev", "rev_with", "rev_without"}));
    const Json::Array& expected = expected_of(GetParam()).require(mode, "").array();
    ASSERT_EQ(scores.rows.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      for (size_t j = 0; j < scores.names.size(); ++j) {
        EXPECT_NEAR(scores.rows[i][j], expected[i].require_number(scores.names[j], ""), 1e-5)
            << scores.names[j] << " of " << rationales()[i].id << ", evaluators: " << mode;
      }
    }
  }
}

TEST_P(RevParity, ARationaleThatIsItsBaselineTellsNothing) {
  for (const auto evaluators : {Evaluators::one, Evaluators::two}) {
    Rev rev = open_rev(GetParam(), evaluators);
    // The first two but for case and white space, the third lacks a full stop.
    const std::vector<data::Rationale> records = {rationale("q3"), rationale("q9"),
                                                  rationale("q4")};
    for (const data::Rationale& record : records) rev.check(record, "rows.jsonl:1");
    const data::Scores scores = rev.score(0, 3);
    for (const size_t vacuous : {0u, 1u}) {
      EXPECT_EQ(scores.rows[vacuous][0], 0);
      EXPECT_EQ(scores.rows[vacuous][1], scores.rows[vacuous][2]);
    }
    EXPECT_GT(std::abs(scores.rows[2][0]), 1e-4);
    expect_contains(rev.signature(), "|equal:2/3|");
  }
}

// The mean over the tokens of whole texts, <eos> written behind the label and nothing added.
TEST_P(RevParity, EqualsTheLikelihoodsOfItsTexts) {
  data::PairConfig config;
  config.bos = config.source_eos = config.target_eos = false;
  config.decoder_start = "last-input";
  PairScorer scorer(fixture(std::string("rev/") + GetParam()), config);
  std::vector<data::SourceTarget> with, without;
  for (const data::Rationale& row : rationales()) {
    const std::string target = row.label + " <eos>";
    with.push_back(
        {row.id, "[rationale] " + row.rationale + " " + row.baseline + " [answer]", target});
    without.push_back({row.id, "[rationale] " + row.baseline + " [answer]", target});
  }
  const bool leaves_end_out = std::string(GetParam()) == "gpt2";
  const auto mean = [&](std::vector<float> values) {
    if (leaves_end_out) values.pop_back();
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const auto of_with = scorer.log_probabilities(with, scorer.check(with)),
             of_without = scorer.log_probabilities(without, scorer.check(without));
  const data::Scores scores = score(open_rev(GetParam()));
  for (size_t i = 0; i < rationales().size(); ++i) {
    const bool is_vacuous = rationales()[i].id == "q3" || rationales()[i].id == "q9";
    EXPECT_NEAR(scores.rows[i][1], mean(is_vacuous ? of_without[i] : of_with[i]), 1e-6) << i;
    EXPECT_NEAR(scores.rows[i][2], mean(of_without[i]), 1e-6) << i;
  }
}

TEST_P(RevParity, BatchesDoNotTell) {
  Rev rev = open_rev(GetParam(), Evaluators::two);
  data::Scores alone = {{"rev", "rev_with", "rev_without"}, {}};
  std::vector<data::Rationale> many;
  for (int round = 0; round < 8; ++round) {
    many.insert(many.end(), rationales().rbegin(), rationales().rend());
  }
  for (const data::Rationale& record : many) rev.check(record, "rows.jsonl:1");
  for (int64_t i = 0; i < std::ssize(many); ++i) {
    alone.rows.push_back(rev.score(i, i + 1).rows.at(0));
  }
  expect_near(rev.score(0, std::ssize(many)), alone, 1e-5);
}

// Marks of the template, and what else the model has tokens for.
TEST_P(RevParity, TokensInsideATextAreRefused) {
  const bool is_gpt2 = std::string(GetParam()) == "gpt2";
  Rev rev = open_rev(GetParam());
  for (const std::string token : {"[rationale]", "[answer]", "<eos>", "[question]", "[choice]",
                                  "<pad>", is_gpt2 ? "<|endoftext|>" : "</s>"}) {
    for (std::string data::Rationale::*const text :
         {&data::Rationale::rationale, &data::Rationale::baseline, &data::Rationale::label}) {
      data::Rationale record = rationale("q1");
      record.*text = "He closed " + token + " and left";
      const std::string message = input_error([&] { rev.check(record, "rows.jsonl:7"); });
      expect_says(message, {" holds " + token, "rows.jsonl:7: ", "q1"});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RevParity, testing::Values("t5_v1_0", "t5_v1_1", "bart", "gpt2"),
                         [](const auto& test) { return std::string(test.param); });

// An evaluator whose card a test writes.
struct RevCard : testing::Test {
  void copy(const std::string& model) const {
    fs::remove_all(folder_.path());
    fs::copy(fixture("rev/" + model), folder_.path());
  }
  // The card of GPT-2 with other settings.
  void write_card(const std::vector<std::pair<std::string, std::string>>& settings) const {
    std::string card = read_file(fixture("rev/gpt2/rubric.yaml"));
    for (const auto& [before, after] : settings) {
      const size_t at = card.find(before);
      ASSERT_NE(at, std::string::npos) << before;
      card.replace(at, before.size(), after);
    }
    write_file(folder_.path() / "rubric.yaml", card);
  }
  data::Scores score_here() const { return score(Rev(folder_.path(), std::nullopt)); }
  std::string refusal() const {
    return input_error([&] { Rev(folder_.path(), std::nullopt); });
  }

  TemporaryFolder folder_;
};

TEST_F(RevCard, ItSaysWhatTheEvaluatorReads) {
  for (const std::string model : {"t5_v1_0", "bart"}) {
    copy(model);
    write_card({{"target_eos: false", "target_eos: true"},
                {"decoder_start: model", "decoder_start: last-input"}});
    expect_near(score_here(), score(open_rev(model)), 1e-12);
    write_card({{"decoder_start: model", "decoder_start: last-input"}});
    EXPECT_GT(std::abs(score_here().rows[0][1] - score(open_rev(model)).rows[0][1]), 1e-4);
  }
}

TEST_F(RevCard, WithoutOneAModelIsThePublishedCodes) {
  copy("gpt2");
  fs::remove(folder_.path() / "rubric.yaml");
  expect_near(score_here(), score(open_rev("gpt2")), 1e-12);
}

TEST_F(RevCard, OtherTemplatesAreRefused) {
  const std::string ours = "[rationale] {rationale} {baseline} [answer]";
  copy("t5_v1_0");
  write_card({{ours, "[rationale] {baseline} {rationale} [answer]"}});
  std::string message = refusal();
  expect_says(message, {"[rationale] {baseline} {rationale} [answer]", ours,
                        (folder_.path() / "rubric.yaml").string()});
  write_card({{"{label}", "{gold}"}});
  message = refusal();
  expect_says(message, {"writes \"{gold}\"", "writes \"{label}\""});
  // An evaluator of rationales where that of their baselines belongs.
  message = input_error([] { Rev(fixture("rev/t5_v1_0"), fixture("rev/gpt2")); });
  expect_says(message, {"reads \"" + ours + "\"", "reads \"[rationale] {baseline} [answer]\""});
  write_file(folder_.path() / "rubric.yaml", "task: lerc\n");
  expect_contains(refusal(), "the model was trained for lerc");
}

TEST_F(RevCard, ATextThatIsTooLongIsRefused) {
  data::Rationale record = rationale("q2");
  for (int i = 0; i < 60; ++i) record.rationale += " because of the rain";
  for (const std::string model : {"bart", "gpt2"}) {  // more than it has positions for
    Rev rev = open_rev(model);
    const std::string message = input_error([&] { rev.check(record, "rows.jsonl:3"); });
    expect_says(message, {"the source has", "rows.jsonl:3: record \"q2\""});
  }
  copy("t5_v1_0");  // more than its card allows, even where that would cut it
  write_card({{"max_source: 300", "max_source: 40"}, {"too_long: refuse", "too_long: cut"}});
  Rev rev(folder_.path(), std::nullopt);
  expect_contains(input_error([&] { rev.check(record, "rows.jsonl:3"); }), "more than the 40");
  rev.check(rationale("q6"), "rows.jsonl:7");
}

TEST(Rev, TheSignatureNamesTheEvaluators) {
  const std::string one = open_rev("t5_v1_0").signature();
  const std::string two = open_rev("t5_v1_0", Evaluators::two).signature();
  EXPECT_TRUE(one.starts_with("rev|model:")) << one;
  EXPECT_FALSE(holds(one, "baseline_"));
  expect_contains(two, "|baseline_model:");
  EXPECT_TRUE(two.starts_with(one.substr(0, one.find("|start")))) << two;
}

}  // namespace rubric::metrics::rev_test
