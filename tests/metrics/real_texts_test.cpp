// Scores of real data sets' texts against those that the reference implementations gave.
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/hash.h"
#include "metrics/fixture_rows.h"
#include "metrics/real_pairs.h"
#include "rubric/metrics.h"
#include "sanitized.h"

namespace rubric::real_texts_test {

void expect_equal_scores(const std::string& fixture) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Json files = metric_fixture(fixture);
  ASSERT_EQ(files.array().size(), 5U);
  for (const Json& file : files.array()) {
    const std::string& name = file.find("file")->string();
    ASSERT_EQ(sha256_file(std::filesystem::path(data) / name), file.find("sha256")->string())
        << name << " is another than the fixture is of";
    std::vector<Answer> answers = read_real_pairs(data, name);
    ASSERT_EQ(answers.size(), static_cast<size_t>(file.find("rows")->number())) << name;
    auto every = static_cast<size_t>(file.find("every")->number());
    if (is_sanitized()) {  // only the rows whose scores the fixture has
      for (size_t i = 0; i * every < answers.size(); ++i) answers[i] = answers[i * every];
      answers.resize((answers.size() + every - 1) / every);
      every = 1;
    }
    for (const Json& expected : file.find("scores")->array()) {
      SettingValues settings;
      for (const auto& [setting, value] : expected.find("settings")->object()) {
        settings[setting] = value.string();
      }
      const Scores scores =
          make_metric(expected.find("metric")->string(), settings)->score(answers);
      const std::string what =
          name + " " + expected.find("metric")->string() + " " + expected.find("settings")->dump();
      const Json::Array& rows = expected.find("rows")->array();
      for (size_t i = 0; i < rows.size(); ++i) {
        EXPECT_NEAR(scores.rows[i * every][0], rows[i].number(), 1e-9) << what << " row " << i;
      }
      if (is_sanitized()) continue;
      double sum = 0;
      for (const auto& row : scores.rows) sum += row[0];
      EXPECT_NEAR(sum / static_cast<double>(answers.size()), expected.find("mean")->number(), 1e-9)
          << what;
      const Json* const corpus = expected.find("corpus");
      EXPECT_EQ(corpus != nullptr, !scores.statistics.empty());
      if (corpus != nullptr) {
        EXPECT_NEAR(score_of_all(scores)[0], corpus->number(), 1e-9) << what;
      }
    }
  }
}

TEST(RealTexts, BleuAndChrfEqualSacreBleu) {
  expect_equal_scores("sacrebleu_real.json");
}

TEST(RealTexts, RougeEqualsGoogles) {
  expect_equal_scores("google_rouge_real.json");
}

}  // namespace rubric::real_texts_test
