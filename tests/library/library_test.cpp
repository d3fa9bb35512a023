// The functions of include/rubric, called as another program does.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <span>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"
#include "messages.h"
#include "paths.h"
#include "recorder.h"
#include "rubric/rubric.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

struct Library : testing::Test {
  Library() {
    std::string rows;
    for (const std::string system : {"a", "b"}) {
      for (int i = 0; i < 6; ++i) {
        Json row;
        row["id"] = std::to_string(i);
        row["system"] = system;
        row["reference"] = "the black cat";
        row["candidate"] = i % 3 == 0 ? "dog" : i % 2 == 0 ? "cat" : system + " black cat";
        row["score"] = static_cast<double>(i % 3);
        rows += row.dump() + "\n";
      }
    }
    folder_.write("rows.jsonl", rows);
  }

  ScoreRequest request() const {
    return {.metrics = {"f1", "rouge_l"},
            .input = folder_.file("rows.jsonl"),
            .output = folder_.file("scored.jsonl"),
            .settings = {{"strip", "?.!"}}};
  }

  TemporaryFolder folder_;
};

TEST_F(Library, ScoresAFileAndTellsTheObserverAlone) {
  folder_.write("empty.jsonl", R"({"reference": "x", "candidate": ""})"
                               "\n");
  ScoreRequest with_empty = request();
  with_empty.input = folder_.file("empty.jsonl");
  Recorder recorder;
  testing::internal::CaptureStderr();
  const std::vector<FileScore> scores = score_file(with_empty, {&recorder, {}, {}});
  score_file(request());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(scores[0].name, "f1");
  EXPECT_EQ(scores[0].rows, 1);
  ASSERT_FALSE(recorder.messages.empty());
  EXPECT_EQ(recorder.messages[0].first, LogLevel::warning);
}

TEST_F(Library, ACorpusScoreIsNotTheMeanOfItsRows) {
  ScoreRequest corpus = request();
  corpus.metrics = {"sacrebleu", "f1"};
  corpus.settings = {{"smooth", "none"}};
  const std::vector<FileScore> scores = score_file(corpus);
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(scores[0].name, "bleu");
  EXPECT_TRUE(scores[0].is_corpus);
  EXPECT_FALSE(scores[1].is_corpus);
  EXPECT_EQ(scores[0].rows, 12);
  ASSERT_TRUE(scores[0].interval);
  EXPECT_LE(scores[0].interval->low, scores[0].value);
  EXPECT_LE(scores[0].value, scores[0].interval->high);
  expect_contains(scores[0].signature,
                  "bleu|nrefs:1|case:mixed|eff:no|tok:13a|smooth:none|rubric:");
  const std::vector<Answer> answers = read_answers(folder_.file("rows.jsonl"));
  const Scores rows = make_metric("bleu", corpus.settings)->score(answers);
  EXPECT_EQ(score_of_all(rows), std::vector<double>{scores[0].value});
  const auto f1 = score_of_all(make_metric("f1")->score(answers));
  EXPECT_EQ(f1, std::vector<double>{scores[1].value});
  corpus.metrics = {"bleu", "sacrebleu"};
  expect_contains(input_error([&] { score_file(corpus); }), "the metric bleu is named twice");
}

void expect_equal(const FileScore& a, const FileScore& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.value, b.value);
  ASSERT_TRUE(a.interval && b.interval);
  EXPECT_EQ(a.interval->low, b.interval->low);
  EXPECT_EQ(a.interval->high, b.interval->high);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.signature, b.signature);
}

TEST_F(Library, ScoresAnswersInMemoryAsThoseOfAFile) {
  const std::vector<Answer> answers = read_answers(folder_.file("rows.jsonl"));
  const std::vector<AnswerScores> scores =
      score_answers(answers, {"bleu1", "f1"}, {{"strip", "?.!"}});
  ScoreRequest of_file = request();
  of_file.metrics = {"bleu1", "f1"};
  const std::vector<FileScore> expected = score_file(of_file);
  ASSERT_EQ(scores.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(scores[i].rows.size(), answers.size());
    expect_equal(scores[i].over_all, expected[i]);
  }
  EXPECT_THROW(score_answers(std::span<const Answer>(), {"f1"}), InputError);
  EXPECT_THROW(score_answers(answers, {"f1", "f1"}), InputError);
  EXPECT_THROW(score_answers(answers, {"lerc"}), InputError);
  EXPECT_THROW(score_answers(answers, {"f1"}, {{"strip", "?"}}), InputError);
  CancellationSource stop;
  stop.cancel();
  Context context;
  context.cancellation = stop.token();
  EXPECT_THROW(score_answers(answers, {"f1"}, {}, context), Interrupted);
}

TEST_F(Library, PartsOfAnswersAreScoredAsAllTogether) {
  const std::vector<std::string> metrics = {"f1", "bleu1", "bleu", "chrf"};
  const SettingValues settings = {{"strip", "?.!"}};
  std::vector<Answer> answers = read_answers(folder_.file("rows.jsonl"));
  for (size_t i = 0; i < answers.size(); ++i) answers[i].question = "q" + std::to_string(i % 6);
  answers[1].references.emplace_back("another");  // nrefs:var is of all parts
  answers[2].candidate = "";
  answers[7].candidate = "?!";
  answers[10].candidate = answers[10].references[0] = "the";
  const auto told = [&](const AnswerSource& source, Recorder& messages) {
    Context context;
    context.observer = &messages;
    return score_answers(source, metrics, settings, context);
  };
  const auto parts = [&](size_t size) {
    return [&answers, size, next = size_t{0}]() mutable {
      const size_t first = std::min(next, answers.size());
      next = first + size;
      return std::span<const Answer>(answers).subspan(first,
                                                      std::min(size, answers.size() - first));
    };
  };
  Recorder of_all, of_parts;
  const std::vector<AnswerScores> expected = told(parts(answers.size()), of_all);
  const std::vector<AnswerScores> scores = told(parts(5), of_parts);
  ASSERT_EQ(scores.size(), metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i) {
    EXPECT_EQ(scores[i].rows, expected[i].rows);
    expect_equal(scores[i].over_all, expected[i].over_all);
  }
  expect_contains(scores[2].over_all.signature, "nrefs:var");
  EXPECT_EQ(of_parts.messages, of_all.messages);
  EXPECT_EQ(of_all.messages.size(), 3U);  // empty texts, articles, texts that --strip empties
}

// One warning for all metrics that normalise as SQuAD's scripts do.
TEST_F(Library, ReferencesOfArticlesAndPunctuationAreCountedOnce) {
  std::vector<Answer> answers = read_answers(folder_.file("rows.jsonl"));
  answers[1].references = {"A", "the", "word"};
  answers[4].references = {"="};
  answers[5].references = {""};
  const auto warnings = [&](const std::vector<std::string>& metrics) {
    Recorder messages;
    Context context;
    context.observer = &messages;
    bool is_read = false;
    score_answers(
        [&]() -> std::span<const Answer> {
          return std::exchange(is_read, true) ? std::span<const Answer>() : answers;
        },
        metrics, {}, context);
    return std::ranges::count_if(messages.messages, [](const auto& message) {
      return message.second.find("leaves nothing of 3 references") != std::string::npos;
    });
  };
  for (const char* const metric : {"f1", "em", "recall", "contains"}) {
    EXPECT_EQ(warnings({metric}), 1) << metric;
  }
  EXPECT_EQ(warnings({"f1", "em", "recall", "contains"}), 1);
  EXPECT_EQ(warnings({"bleu1"}), 0);
}

TEST_F(Library, AnswersToOneQuestionHaveNoInterval) {
  const std::string row = R"("question": "who", "score": )";
  const auto write = [&](const char* file, const std::vector<std::string>& candidates) {
    std::string rows;
    for (size_t i = 0; i < candidates.size(); ++i) {
      rows += R"({"id": ")" + std::to_string(i) + R"(", "reference": "a cat", "candidate": ")" +
              candidates[i] + R"(", )" + row + std::to_string(i) + "}\n";
    }
    folder_.write(file, rows);
    ScoreRequest of_file = request();
    of_file.metrics = {"em", "f1", "bleu"};
    of_file.settings = {};
    of_file.input = folder_.file(file);
    of_file.output = folder_.file(std::string("scored_") + file);
    of_file.summary = folder_.file("summary.json");
    return of_file;
  };
  score_file(write("others.jsonl", {"dog", "cat", "cat"}));
  for (const FileScore& score : score_file(write("one.jsonl", {"cat", "black cat", "dog"}))) {
    EXPECT_FALSE(score.interval) << score.name;
  }
  const Json summary = Json::parse_file(folder_.file("summary.json"));
  EXPECT_EQ(measured(summary, "mean", {.metric = "em"}).find("low"), nullptr);

  AgreementRequest agreement;
  agreement.input = folder_.file("scored_one.jsonl");
  agreement.metrics = {"f1"};
  for (const Measurement& one : evaluate_agreement(agreement).measurements) {
    EXPECT_FALSE(one.interval) << one.statistic;
    if (one.statistic == "pearson") {
      EXPECT_TRUE(one.value);
    }
  }

  CompareRequest compare;
  compare.files = {folder_.file("scored_one.jsonl"), folder_.file("scored_others.jsonl")};
  compare.metrics = {"em"};
  for (const Measurement& one : compare_systems(compare).measurements) {
    EXPECT_FALSE(one.interval) << one.statistic;
    EXPECT_EQ(one.p.value_or(1), 1);
  }
}

TEST_F(Library, AMetricIsFoundByAnyOfItsNames) {
  ScoreRequest scored = request();
  scored.metrics = {"em", "f1"};
  scored.settings = {};
  score_file(scored);
  AgreementRequest agreement;
  agreement.input = folder_.file("scored.jsonl");
  agreement.system = "system";
  agreement.metrics = {"em"};
  const auto pearson = [&] {
    const std::vector<Measurement> all = evaluate_agreement(agreement).measurements;
    return std::ranges::find(all, "pearson", &Measurement::statistic)->value.value();
  };
  const double by_name = pearson();
  agreement.metrics = {"exact_match"};
  EXPECT_EQ(pearson(), by_name);
  CompareRequest compare;
  compare.files = {folder_.file("scored.jsonl")};
  compare.system = "system";
  compare.metrics = {"exact_match"};
  EXPECT_EQ(compare_systems(compare).measurements[0].n, 6);
  // A column of that name comes first.
  folder_.write("table.csv", "id,system,em,exact_match\n0,a,0,1\n0,b,0,0\n");
  compare.files = {folder_.file("table.csv")};
  EXPECT_EQ(compare_systems(compare).measurements[0].value, 1);

  const std::vector<std::string> twice = {"f1", "em", "exact_match"};
  scored.metrics = agreement.metrics = compare.metrics = twice;
  const std::string named_twice = "the metric em is named twice";
  expect_contains(input_error([&] { score_file(scored); }), named_twice);
  expect_contains(input_error([&] { evaluate_agreement(agreement); }), named_twice);
  expect_contains(input_error([&] { compare_systems(compare); }), named_twice);
}

TEST_F(Library, ACancelledCallWritesNothing) {
  CancellationSource source;
  source.cancel();
  EXPECT_THROW(score_file(request(), {nullptr, source.token(), {}}), Interrupted);
  EXPECT_FALSE(fs::exists(folder_.file("scored.jsonl")));
  score_file(request());
  EXPECT_TRUE(fs::exists(folder_.file("scored.jsonl")));
}

TEST_F(Library, MistakesAreInputErrorsThatNameTheNearest) {
  expect_contains(input_error([] { make_metric("rougel"); }), "did you mean rouge_l or rougeL?");
  expect_contains(input_error([] {
                    make_metric("bleu1", {{"stripp", "?"}});
                  }),
                  "did you mean strip?");
  expect_contains(input_error([] {
                    make_metric("f1", {{"strip", "?"}});
                  }),
                  "none of which is scored");
  expect_contains(input_error([] { make_metric("lerc"); }), "make_metric_with_model()");
  ScoreRequest neural = request();
  neural.metrics = {"lerc"};
  neural.settings = {};
  neural.models = {"lerc=m"};
  expect_contains(input_error([&] { score_file(neural); }), "score_file_with_models()");
  const std::vector<Answer> answers = read_answers(folder_.file("rows.jsonl"));
  expect_contains(input_error([&] { score_answers(answers, {}); }), "no metric is named");
  expect_contains(input_error([&] { score_answers(answers, {"lerc"}); }),
                  "make_metric_with_model()");
  ScoreRequest twice = request();
  twice.metrics = {"f1", "f1"};
  expect_contains(input_error([&] { score_file(twice); }), "named twice");
}

TEST_F(Library, MeteorWantsItsDataToBeNamed) {
  const std::string set = environment("RUBRIC_METEOR");
  unsetenv("RUBRIC_METEOR");
  expect_contains(input_error([] { make_metric("meteor"); }), "resources.fetched");
  if (!set.empty()) setenv("RUBRIC_METEOR", set.c_str(), /*overwrite=*/1);
}

TEST_F(Library, MetricsOnSeveralThreadsScoreAsOneDoes) {
  const std::vector<Answer> answers = read_answers(folder_.file("rows.jsonl"));
  const Scores alone = make_metric("bleu1")->score(answers);
  std::vector<Scores> scores(4);
  {
    std::vector<std::jthread> threads;
    for (Scores& each : scores) {
      threads.emplace_back([&] { each = make_metric("bleu1")->score(answers); });
    }
  }
  for (const Scores& each : scores) EXPECT_EQ(each.rows, alone.rows);
}

// Resamples are drawn on several threads.
TEST_F(Library, TellsTheProgressOfEvaluations) {
  score_file(request());
  AgreementRequest agreement;
  agreement.input = request().output;
  agreement.system = "system";
  agreement.options.bootstrap.resamples = 50;
  Recorder recorder;
  evaluate_agreement(agreement, {&recorder, {}, {}});
  ASSERT_FALSE(recorder.updates.empty());
  EXPECT_EQ(recorder.updates.back().task, "resampling");
  EXPECT_EQ(recorder.updates.back().total, 50);
  EXPECT_EQ(recorder.updates.back().done, 50);
}

TEST_F(Library, EvaluatesAgreementAndComparesSystems) {
  score_file(request());
  const Result agreement = evaluate_agreement({.input = folder_.file("scored.jsonl"),
                                               .dev = {},
                                               .row_format = {},
                                               .human = "score",
                                               .group = "",
                                               .system = "system",
                                               .metrics = {},
                                               .options = {{.resamples = 100}}});
  for (const std::string metric : {"f1", "rouge_l"}) {
    EXPECT_TRUE(std::ranges::any_of(agreement.measurements, [&](const Measurement& one) {
      return one.statistic == "pearson" && one.keys == Keys{.metric = metric};
    }));
  }
  expect_contains(print(agreement, OutputFormat::json), "\"pearson\"");
  const Result comparison = compare_systems({.files = {folder_.file("scored.jsonl")},
                                             .metrics = {"f1", "rouge_l"},
                                             .system = "system",
                                             .group = "",
                                             .row_format = {},
                                             .bootstrap = {.resamples = 100}});
  double rows = 0;
  for (const Measurement& one : comparison.measurements) {
    const bool is_count =
        one.statistic == "wins" || one.statistic == "ties" || one.statistic == "losses";
    if (is_count && one.keys.metric == "rouge_l") rows += one.value.value_or(0);
  }
  EXPECT_EQ(rows, 6);
  expect_contains(print(comparison, OutputFormat::csv), "difference");
}

// The library itself refuses what would cost data, not only the commands.
TEST_F(Library, RefusesOutputsThatWouldReplaceOrCannotBeWritten) {
  ScoreRequest summary = request();
  summary.summary = summary.input;
  expect_contains(input_error([&] { score_file(summary); }), "this would replace");
  summary.summary = summary.output;
  expect_contains(input_error([&] { score_file(summary); }), "this would replace");
  summary.summary = folder_.file("missing/summary.json");
  expect_contains(input_error([&] { score_file(summary); }), "does not exist");
  ScoreRequest output = request();
  output.output = output.input;
  expect_contains(input_error([&] { score_file(output); }), "this would replace");
  output.output = folder_.file("missing/scored.jsonl");
  expect_contains(input_error([&] { score_file(output); }), "does not exist");
  output.output.clear();  // means alone
  EXPECT_EQ(score_file(output).size(), 2U);
  EXPECT_FALSE(fs::exists(request().output));
  score_file(request());
}

TEST_F(Library, RefusesValuesOutOfRange) {
  ScoreRequest limit = request();
  limit.limit = -1;
  expect_contains(input_error([&] { score_file(limit); }), "--limit is -1");
  score_file(request());
  AgreementRequest agreement;
  agreement.input = request().output;
  agreement.options.bootstrap.resamples = 0;
  expect_contains(input_error([&] { evaluate_agreement(agreement); }), "--resamples is 0");
  agreement.options.bootstrap.resamples = 100;
  agreement.metrics = {"f1", "f1"};
  expect_contains(input_error([&] { evaluate_agreement(agreement); }), "named twice");
  agreement.metrics.clear();
  agreement.human.clear();
  expect_contains(input_error([&] { evaluate_agreement(agreement); }), "--human is empty");
  CompareRequest compare;
  compare.files = {request().output};
  compare.metrics = {"f1"};
  compare.system = "system";
  compare.bootstrap.resamples = -5;
  expect_contains(input_error([&] { compare_systems(compare); }), "--resamples is -5");
  compare.bootstrap.resamples = 100;
  compare.rows = 1001;
  expect_contains(input_error([&] { compare_systems(compare); }), "--rows is 1001");
}

TEST_F(Library, AMetricScoresInTheContextThatItWasMadeWith) {
  CancellationSource source;
  const auto f1 = make_metric("f1", {}, {nullptr, source.token(), {}});
  const std::vector<Answer> answers = read_answers(folder_.file("rows.jsonl"));
  f1->score(answers);
  CancellationSource moved = std::move(source);
  moved.cancel();
  source.cancel();  // a moved-from source still has its flag
  EXPECT_THROW(f1->score(answers), Interrupted);
}

// Nothing of the process that calls is changed.
TEST_F(Library, LeavesTheProcessAsItWas) {
  const auto handlers = [] {
    std::vector<void (*)(int)> all;
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) {
      struct sigaction action {};
      sigaction(signal, nullptr, &action);
      all.push_back(action.sa_handler);
    }
    return all;
  };
  const auto before = handlers();
  const int descriptors = static_cast<int>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
  std::string variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables += *variable;
  score_file(request());
  EXPECT_EQ(handlers(), before);
  std::string now;
  for (char** variable = environ; *variable != nullptr; ++variable) now += *variable;
  EXPECT_EQ(now, variables);
  EXPECT_EQ(static_cast<int>(
                std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator())),
            descriptors);
}

}  // namespace
}  // namespace rubric
