// Coverage over many draws: shares that theory knows.
#include "eval/estimate/coverage.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random.h"
#include "eval/result/render.h"
#include "measured.h"

namespace rubric::eval::coverage_test {

double of(uint64_t what, uint64_t i) {
  return uniform(random_bits(23, Purpose::bootstrap, what, i));
}

// 800 answers, label = score + noise of the same variance: R^2 is one half.
LabelledAnswers answers_with_labels() {
  LabelledAnswers answers;
  answers.metrics = {"good"};
  answers.scores.resize(1);
  answers.system_names = {""};
  for (uint32_t i = 0; i < 800; ++i) {
    answers.scores[0].push_back(of(1, i));
    answers.labels.push_back(of(1, i) + of(2, i));
    answers.labelled.push_back(i);
    answers.systems.push_back(0);
    answers.questions.of.push_back(i);
  }
  answers.questions.count = 800;
  return answers;
}

TEST(Coverage, IntervalsHoldTheTruthAndAreAsNarrowAsTheorySays) {
  CoverageOptions options;
  options.sizes = {50, 200, 800};
  options.draws = 1000;
  options.bootstrap.resamples = 400;
  const Json json = to_json(evaluate_coverage(answers_with_labels(), "label", options));
  EXPECT_EQ(measured(json, "truth").find("n")->number(), 800);
  EXPECT_EQ(json.find("measurements")->array().size(), 1 + 2U * 4 * 5);  // 800 labels are all
  for (const std::string subset : {"50 labels", "200 labels"}) {
    const auto of_metric = [&](const std::string& statistic, const std::string& metric) {
      return value_of(json, statistic, {.metric = metric, .subset = subset});
    };
    for (const std::string metric : {"", "good", "constant", "adversarial"}) {
      SCOPED_TRACE(subset + " " + metric);
      Keys keys{.metric = metric, .subset = subset, .method = "t"};
      EXPECT_NEAR(value_of(json, "coverage", keys), 0.95, 0.025);
      keys.method = "bootstrap";
      EXPECT_NEAR(value_of(json, "coverage", keys), 0.94, 0.035);
    }
    EXPECT_NEAR(of_metric("theory", "good"), std::sqrt(0.5), 0.03);
    EXPECT_NEAR(of_metric("relative_width", "good"), of_metric("theory", "good"), 0.03);
    EXPECT_EQ(of_metric("relative_width", "constant"), 1);
    EXPECT_LT(of_metric("relative_width", "adversarial"), 1.03);
  }
  // With 200 labels intervals are half as wide as with 50, less as 800 are all.
  EXPECT_NEAR(value_of(json, "width", {.subset = "200 labels"}) /
                  value_of(json, "width", {.subset = "50 labels"}),
              std::sqrt((1 / 200.0 - 1 / 800.0) / (1 / 50.0 - 1 / 800.0)), 0.03);
}

// "theory" is over all answers: of the made-up noise alone it depends on the seed.
TEST(Coverage, AdversarialNoiseFollowsTheSeed) {
  const auto theory = [](const std::string& metric, uint64_t seed) {
    CoverageOptions options;
    options.sizes = {10};
    options.draws = 2;
    options.bootstrap = {.resamples = 10, .seed = seed};
    const Json json = to_json(evaluate_coverage(answers_with_labels(), "label", options));
    return value_of(json, "theory", {.metric = metric, .subset = "10 labels"});
  };
  EXPECT_EQ(theory("adversarial", 1), theory("adversarial", 1));
  EXPECT_NE(theory("adversarial", 1), theory("adversarial", 2));
  EXPECT_EQ(theory("good", 1), theory("good", 2));
}

// One label of 800 differs, and no draw of ten has it: 0 / 0 is no width.
TEST(Coverage, ARelativeWidthOfDrawsWithEqualLabelsIsUndefined) {
  LabelledAnswers answers = answers_with_labels();
  answers.labels.assign(800, 0);
  answers.labels[5] = 1;
  CoverageOptions options;
  options.sizes = {10};
  options.draws = 3;
  options.bootstrap.resamples = 10;
  const Result result = evaluate_coverage(answers, "label", options);
  const Json json = to_json(result);
  for (const std::string metric : {"good", "constant"}) {
    const Keys keys{.metric = metric, .subset = "10 labels"};
    EXPECT_EQ(value_of(json, "width", keys), 0);
    EXPECT_TRUE(measured(json, "relative_width", keys).find("value")->is_null());
  }
  EXPECT_TRUE(result.notes.back().starts_with("10 labels: the labels of each draw"));
  EXPECT_TRUE(result.notes.back().ends_with("a relative width is undefined"));
  EXPECT_EQ(print(result, OutputFormat::csv).find("nan"), std::string::npos);
}

// 1.96 sqrt(0.95 · 0.05 / n).
TEST(Coverage, NotesAndTitleSayHowManyDraws) {
  CoverageOptions options;
  for (const auto& [draws, number, margin] :
       {std::tuple(int64_t{2000}, "2000", "±1.0%"), {10, "10", "±13.5%"}}) {
    options.draws = draws;
    const Result result = evaluate_coverage({}, "label", options);
    EXPECT_NE(result.notes[0].find(std::string("; of ") + number + " draws "), std::string::npos)
        << result.notes[0];
    EXPECT_NE(result.notes[0].find(margin), std::string::npos) << result.notes[0];
    EXPECT_TRUE(result.tables[0].title.ends_with(std::string(", ") + number + " draws of labels"));
  }
}

TEST(Coverage, AMetricHasNoNameOfAPredictorThatIsAdded) {
  LabelledAnswers answers = answers_with_labels();
  answers.metrics = {"constant"};
  CoverageOptions options;
  options.sizes = {10};
  EXPECT_THROW(evaluate_coverage(answers, "label", options), InputError);
}

// The variances of labels of 1e-200 would vanish.
TEST(Coverage, LabelsOfAnySizeGiveTheSame) {
  CoverageOptions options;
  options.sizes = {20};
  options.draws = 5;
  options.bootstrap.resamples = 10;
  const auto widths = [&](int exponent) {
    LabelledAnswers answers = answers_with_labels();
    for (double& label : answers.labels) label = std::ldexp(label, exponent);
    std::vector<std::optional<double>> all;
    for (const Measurement& one : evaluate_coverage(answers, "label", options).measurements) {
      if (one.statistic == "coverage" || one.statistic == "relative_width")
        all.push_back(one.value);
    }
    return all;
  };
  EXPECT_EQ(widths(-700), widths(0));
}

TEST(Coverage, TheTruthMustBeKnown) {
  CoverageOptions options;
  options.draws = 10;
  options.sizes = {800};
  EXPECT_THROW(evaluate_coverage(answers_with_labels(), "label", options), InputError);
  LabelledAnswers answers = answers_with_labels();
  answers.labelled.pop_back();
  answers.labels.pop_back();
  options.sizes = {50};
  EXPECT_THROW(evaluate_coverage(answers, "label", options), InputError);
}

}  // namespace rubric::eval::coverage_test
