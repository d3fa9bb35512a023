#include "metrics/list.h"

#include <csignal>
#include <cstdlib>
#include <tuple>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/signals.h"
#include "messages.h"
#include "metrics/meteor/meteor_folder.h"
#include "paths.h"
#include "rubric/version.h"
#include "sanitized.h"

namespace rubric::metrics::list_test {

std::unique_ptr<AnswerMetric> make_light_metric(std::string_view name,
                                                const Settings& settings = {}) {
  return require_metric(name).make(settings);
}

data::Answer answer(const std::string& reference, const std::string& candidate) {
  data::Answer result;
  result.id = "q1";
  result.references = {reference};
  result.candidate = candidate;
  return result;
}

struct LightMetrics : testing::Test {
  LightMetrics() { setenv("RUBRIC_METEOR", meteor_.path().c_str(), 1); }
  ~LightMetrics() override { unsetenv("RUBRIC_METEOR"); }
  const MeteorFolder meteor_;
};

TEST_F(LightMetrics, ScoreEachRecordUnderTheirName) {
  const std::vector<data::Answer> answers = {answer("the cat", "a cat"), answer("x y", "x y")};
  for (const std::string& name : metric_names(/*with_model=*/false)) {
    const data::Scores scores = make_light_metric(name)->score(answers);
    EXPECT_EQ(scores.names, std::vector<std::string>{name});
    ASSERT_EQ(scores.rows.size(), 2u);
    ASSERT_EQ(scores.rows[1].size(), 1u);
  }
  EXPECT_EQ(make_light_metric("em")->score(answers).rows[0][0], 1);
  EXPECT_NEAR(make_light_metric("bleu1")->score(answers).rows[0][0], 0.5, 1e-9);
  EXPECT_NEAR(make_light_metric("rouge_l")->score(answers).rows[0][0], 0.5, 1e-9);
  EXPECT_GT(make_light_metric("bleu2")->score(answers).rows[1][0], 0.99);
  EXPECT_LT(make_light_metric("bleu4")->score(answers).rows[1][0], 0.01);
}

TEST_F(LightMetrics, ScoreRowsAloneAsTogether) {
  std::vector<data::Answer> answers = {answer("the cat sat on the mat", "a cat sat on a mat"),
                                       answer("x y", "x y"), answer("", "a"),
                                       answer("中文。", "中")};
  answers.push_back(answers[0]);
  answers[0].references.emplace_back("a cat sits there");
  for (const std::string& name : metric_names(/*with_model=*/false)) {
    const auto metric = make_light_metric(name);
    const data::Scores together = metric->score(answers);
    for (size_t i = answers.size(); i-- > 0;) {
      const data::Scores alone = metric->score(std::span(answers).subspan(i, 1));
      EXPECT_EQ(alone.rows[0], together.rows[i]) << name;
      if (together.statistics.empty()) continue;
      EXPECT_EQ(alone.statistics[0], together.statistics[i]) << name;
    }
  }
}

// Texts of 40 words; enough rows for four threads.
std::vector<data::Answer> many_answers() {
  const char* const words[] = {"the", "cat", "Sat,", "on", "running", "42", "mats.", "?!", "a"};
  uint32_t number = 1;
  const auto text = [&] {
    std::string made;
    for (int i = 0; i < 40; ++i) {
      number = number * 1664525 + 1013904223;
      made += std::string(i == 0 ? "" : " ") + words[(number >> 16) % std::size(words)];
    }
    return made;
  };
  std::vector<data::Answer> answers(1200);
  for (size_t i = 0; i < answers.size(); ++i) {
    answers[i] = answer(text(), i % 100 == 0 ? "?!" : text());
    answers[i].id = std::to_string(i);
    if (i % 3 == 0) answers[i].references.push_back(text());
  }
  return answers;
}

TEST_F(LightMetrics, ScoreTheSameOnFourThreadsAsOnOne) {
  const std::vector<data::Answer> answers = many_answers();
  for (const std::string& name : metric_names(/*with_model=*/false)) {
    for (const std::string strip : {"", "?.!"}) {
      if (is_sanitized() && !strip.empty()) continue;
      const auto told_and_scored = [&](size_t threads) {
        const ContextScope scope({.threads = threads});
        const auto metric = make_light_metric(name, {{kStrip, strip}});
        testing::internal::CaptureStderr();
        const data::Scores scores = metric->score(answers);
        return std::tuple(scores.rows, scores.statistics, metric->signature(),
                          testing::internal::GetCapturedStderr());
      };
      EXPECT_TRUE(told_and_scored(4) == told_and_scored(1)) << name << " " << strip;
    }
  }
}

TEST_F(LightMetrics, StripIsOfNGramsAndSaysWhatItEmpties) {
  const std::vector<data::Answer> answers = {answer("yes.", "yes!"), answer("no", "?!")};
  testing::internal::CaptureStderr();
  const data::Scores bleu = make_light_metric("bleu1", {{kStrip, "?.!"}})->score(answers);
  expect_contains(testing::internal::GetCapturedStderr(),
                  "bleu1: --strip leaves candidates empty: 1, in records \"q1\"");
  EXPECT_GT(bleu.rows[0][0], 0.99);
  EXPECT_LT(bleu.rows[1][0], 0.01);
  const auto contains = make_light_metric("contains", {{kStrip, "esy"}});
  EXPECT_EQ(contains->score(answers).rows[0][0], 1);
  EXPECT_EQ(contains->signature(), "contains|case:lc|tok:squad|rubric:" + version_with_build());
}

TEST_F(LightMetrics, BlanksAreNothingAndReferencesAreNamedToo) {
  std::vector<data::Answer> answers = {answer("no", "? ."), answer("! .", "no"), answer("no", " ")};
  for (size_t i = 0; i < answers.size(); ++i) answers[i].id = std::to_string(i);
  answers[1].references = {"! .", "no", "?"};
  testing::internal::CaptureStderr();
  make_light_metric("bleu1", {{kStrip, "?.!"}})->score(answers);
  const std::string told = testing::internal::GetCapturedStderr();
  expect_contains(told, "--strip leaves candidates empty: 1, in records \"0\"\n");
  expect_contains(told, "--strip leaves references empty: 2, in records \"1\"\n");
}

TEST_F(LightMetrics, MeteorSaysWhichDataAndModulesItHas) {
  const auto meteor = make_light_metric("meteor", {{kStrip, "?.!"}});
  EXPECT_TRUE(meteor->signature().starts_with(
      "meteor|1.5|case:lc|tok:norm|modules:exact,stem,synonym,paraphrase|data:"))
      << meteor->signature();
  EXPECT_TRUE(meteor->signature().ends_with("|strip:?.!|rubric:" + version_with_build()))
      << meteor->signature();
  const data::Scores scores =
      meteor->score(std::vector<data::Answer>{answer("the car!", "the car?")});
  EXPECT_EQ(scores.rows[0][0], 1);
  setenv("RUBRIC_METEOR", "/nowhere", 1);
  expect_contains(input_error([] { make_light_metric("meteor"); }), "scripts/setup --meteor");
}

TEST_F(LightMetrics, TheRecordThatCannotBeScoredIsNamed) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "the ";
  const std::vector<data::Answer> answers = {answer(text, text)};
  expect_contains(input_error([&] { make_light_metric("meteor")->score(answers); }), "\"q1\"");
}

TEST_F(LightMetrics, AStopEndsThem) {
  EXPECT_EXIT(
      {
        catch_stop_signals();
        raise(SIGTERM);
        try {
          const std::vector<data::Answer> answers(1);
          make_light_metric("f1")->score(answers);
        } catch (const Interrupted&) {
          _exit(kInterrupted);
        }
        _exit(kDone);
      },
      testing::ExitedWithCode(kInterrupted), "");
}

TEST_F(LightMetrics, StripRemovesCharactersFromBothSides) {
  const std::vector<data::Answer> answers = {answer("It is. It is?", "It is It is!"),
                                             answer("ist’s", "ists’.")};
  EXPECT_LT(make_light_metric("rouge_l")->score(answers).rows[0][0], 1);
  EXPECT_EQ(make_light_metric("rouge_l", {{kStrip, "?.!"}})->score(answers).rows[0][0], 1);
  EXPECT_EQ(make_light_metric("rouge_l", {{kStrip, ".’"}})->score(answers).rows[1][0], 1);
}

TEST_F(LightMetrics, SignatureShowsWhatTheFiguresDependOn) {
  EXPECT_EQ(make_light_metric("bleu1", {{kStrip, "?.!"}})->signature(),
            "bleu1|case:mixed|tok:none|smooth:coco|strip:?.!|rubric:" + version_with_build());
  EXPECT_EQ(make_light_metric("f1")->signature(),
            "f1|case:lc|tok:squad|rubric:" + version_with_build());
}

TEST_F(LightMetrics, UnknownNameNamesTheNearest) {
  EXPECT_EQ(
      input_error([] { make_light_metric("rougel"); }),
      error_lines("there is no metric called \"rougel\"", "", "did you mean rouge_l or rougeL?"));
}

TEST_F(LightMetrics, RecordWithoutReferenceIsNamed) {
  std::vector<data::Answer> answers = {answer("x", "x")};
  answers[0].references.clear();
  expect_contains(input_error([&] { make_light_metric("bleu1")->score(answers); }), "\"q1\"");
}

// The two sentences of a row of STS-B, which quotes fields with commas.
std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

TEST_F(LightMetrics, EqualPycocoevalcapOnStsb) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  std::vector<data::Answer> answers;
  LineReader reader(std::filesystem::path(data) / "stsb" / "stsb-en-dev.csv");
  const Json expected = Json::parse_file(std::string(fixtures_folder()) + "/metrics/stsb.json");
  for (std::string line; answers.size() < expected.array().size() && reader.next(line);) {
    const std::vector<std::string> fields = csv_fields(line);
    ASSERT_EQ(fields.size(), 3u) << reader.where();
    answers.push_back(answer(fields[0], fields[1]));
  }
  ASSERT_EQ(answers.size(), expected.array().size());
  const std::vector<std::string> names = {"bleu1", "bleu2", "bleu3", "bleu4"};
  for (size_t order = 0; order < names.size(); ++order) {
    const data::Scores scores = make_light_metric(names[order])->score(answers);
    for (size_t i = 0; i < answers.size(); ++i) {
      EXPECT_NEAR(scores.rows[i][0], expected.array()[i].find("bleu")->array()[order].number(),
                  1e-9);
    }
  }
  const data::Scores scores = make_light_metric("rouge_l")->score(answers);
  for (size_t i = 0; i < answers.size(); ++i) {
    EXPECT_NEAR(scores.rows[i][0], expected.array()[i].find("rouge_l")->number(), 1e-9);
  }
}

TEST_F(LightMetrics, AnswerToOtherNamesAndTellTheirKin) {
  EXPECT_EQ(&require_metric("exact_match"), &kExactMatch);
  for (const char* const name : {"bleu", "BLEU", "sacrebleu"}) {
    EXPECT_EQ(&require_metric(name), &kSacreBleu);
  }
  expect_contains(input_error([] { require_metric("sacreBLEU"); }), "did you mean bleu?");
  expect_contains(input_error([] { require_metric("belu"); }), "did you mean bleu?");
  expect_contains(input_error([] { require_metric("chrf++"); }), "did you mean chrf?");
  EXPECT_EQ(&require_metric("token_f1"), &kF1);
  expect_contains(input_error([] { require_metric("ROUGE-L"); }),
                  "did you mean rouge_l or rougeL?");
  expect_contains(input_error([] { require_metric("exactmatch"); }), "did you mean em?");
}

}  // namespace rubric::metrics::list_test
