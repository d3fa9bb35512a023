// `judge --import` and `evaluate chie` as a user starts them.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "data/rows/rows.h"
#include "measured.h"
#include "text/word_segmenter.h"

namespace rubric::cli::judge_test {

constexpr const char* kReplies =
    "id,context,question,references,predictions,model_gpt4\n"
    "q1,They gave up 308 points.,How many?,308,It is 308.,"
    "\"1. Agree\n2. Disagree\n3. Disagree\n4. Disagree\"\n"
    "q2,They gave up 308 points.,Who?,They,Nobody.,Well\n";

struct Judge : testing::Test {
  Outcome import(const std::vector<std::string>& more = {}) {
    return run(joined(
        {"judge", "--import", replies_, "--ledger", ledger_, "--system-name", "llama", "--judge",
         "gpt-4-0613", "--field", "candidate=predictions", "--field", "reply=model_gpt4"},
        more));
  }
  Outcome evaluate(const std::vector<std::string>& more = {}) {
    return run(joined({"evaluate", "chie", "--ledger", ledger_}, more), environment_);
  }

  TemporaryFolder folder_;
  std::string replies_ = folder_.write("replies.csv", kReplies).string();
  std::string ledger_ = folder_.file("ledger.jsonl");
  Environment environment_ = {{"RUBRIC_SEGMENTERS", folder_.file("none")}};
};

TEST_F(Judge, ImportsAndEvaluates) {
  const Outcome imported = done(import());
  EXPECT_EQ(imported.out, "");
  expect_contains(imported.err, "2 replies added, 0 there before; gpt-4-0613: 2 replies");
  expect_contains(imported.err, "1 without four verdicts, 0 read differently");
  const Outcome evaluated = done(evaluate({"--format", "csv"}));
  for (const char* measured :
       {"C,llama,,,,,,,count,1,,,,,,,,1", "H,llama,,,,,,,count,0,,,,,,,,1",
        "I,llama,,,,,,,count,0,,,,,,,,1", "E,llama,,,,,,,count,0,,,,,,,,1",
        ",llama,,,,,,,invalid,1,,,,,,,,2", "f1,llama,,,,,,,mean,0.25,,,,,,,,2",
        "em,llama,,,,,,,mean,0,,,,,,,,2", "length,llama,,,,,,,mean,3,,,,,,,,2"}) {
    expect_contains(evaluated.out, "\n" + std::string(measured) + ",\n");
  }
  expect_contains(evaluated.err, "|judge:gpt-4-0613|prompt:unknown|parser:published|words:icu-");
  EXPECT_FALSE(holds(evaluated.err, "newmm"));  // of Thai alone
}

// The ledger is rows for the other commands.
TEST_F(Judge, LedgersAreRows) {
  import({"--prompt", folder_.write("prompt.txt", "Judge!")});
  done(run({"score", "em", "--input", ledger_, "--output", folder_.file("scored.jsonl")}));
  int rows = 0;
  data::visit_rows(folder_.file("scored.jsonl"), data::InputFormat::kJsonl,
                   [&](const Json& row, const std::string& where) {
                     ++rows;
                     EXPECT_EQ(row.require_string("system", where), "llama");
                     EXPECT_EQ(row.require_string("language", where), "en");
                     EXPECT_GE(row.require("scores", where).require_number("em", where), 0);
                     return true;
                   });
  EXPECT_EQ(rows, 2);
}

TEST_F(Judge, ALanguageIsACode) {
  for (const std::string language : {"english", "EN", "tha", "zh_CN"}) {
    const Outcome outcome =
        run({"judge", "--import", folder_.write("replies.csv", kReplies), "--system-name", "llama",
             "--judge", "gpt", "--ledger", folder_.file("other.jsonl"), "--language", language,
             "--field", "candidate=predictions", "--field", "reply=model_gpt4"});
    EXPECT_EQ(outcome.code, 2) << language;
    expect_contains(outcome.err, "not a code of two letters");
    EXPECT_FALSE(std::filesystem::exists(folder_.file("other.jsonl")));
  }
}

TEST_F(Judge, GoesOnWhereItStopped) {
  import();
  const std::string whole = read_file(ledger_);
  write_file(ledger_, whole.substr(0, whole.find('\n') + 30));
  const Outcome again = done(import());
  expect_says(again.err, {"the last line was incomplete", "1 replies added, 1 there before"});
  EXPECT_EQ(read_file(ledger_), whole);
  import();
  EXPECT_EQ(read_file(ledger_), whole);
}

TEST_F(Judge, ATornLedgerIsEvaluatedWithAWarning) {
  import();
  const std::string whole = read_file(ledger_);
  write_file(ledger_, whole.substr(0, whole.size() - 5));
  const Outcome evaluated = done(evaluate({"--format", "json"}));
  expect_contains(evaluated.err, "the last line is torn and left out");
  const Json json = Json::parse(evaluated.out, "stdout");
  const Keys of_c{.metric = "C", .system = "llama"};
  EXPECT_EQ(measured(json, "count", of_c).find("n")->number(), 1);
}

TEST_F(Judge, NothingIsLostWhereTheInputIsWrong) {
  import();
  const std::string whole = read_file(ledger_);
  expect_message(import({"--judge", "gpt"}), 2, {"--judge"});
  expect_message(import({"--language", ""}), 2, {"--language is empty"});
  expect_message(import({"--prompt", folder_.write("prompt.txt", "Judge!")}), 2,
                 {"with another prompt", ledger_});
  folder_.write("replies.csv", std::string(kReplies) + "q1,p,q,r,a,x\n");
  expect_message(import(), 2, {"\"q1\" occurs twice", ":7"});
  folder_.write("replies.csv", std::string(kReplies) + "q3,p,q,r,,x\n");
  expect_message(import(), 2, {"\"q3\" has no answer", ":7"});
  EXPECT_EQ(read_file(ledger_), whole);
  expect_message(run({"judge", "--import", replies_, "--ledger", replies_, "--system-name", "s",
                      "--judge", "j"}),
                 2, {"--ledger"});
}

TEST_F(Judge, RepliesOfWhichNoneIsReadAreNotRecorded) {
  folder_.write("replies.csv",
                "id,context,question,references,predictions,model_gpt4\nq1,p,q,r,a,Well\n");
  expect_message(import(), 1, {"in 1 reply", "Well", "--field reply=COLUMN", replies_});
  EXPECT_FALSE(std::filesystem::exists(ledger_));
}

TEST_F(Judge, EvaluateSaysWhatIsWrong) {
  expect_message(evaluate(), 2, {"no such file", ledger_});
  write_file(ledger_, "");
  expect_message(evaluate(), 2, {"the ledger is empty"});
  import();
  expect_message(evaluate({"--parser", "strikt"}), 2, {"did you mean strict"});
  expect_message(evaluate({"--language", "th"}), 2, {"name one of en"});
  expect_message(evaluate({"--summary", ledger_}), 2, {"--summary"});
}

TEST_F(Judge, WritesSummaryAndReport) {
  import();
  const std::string summary = folder_.file("s.json"), report = folder_.file("r.html");
  const Outcome evaluated =
      done(evaluate({"--summary", summary, "--report", report, "--format", "json"}));
  EXPECT_EQ(read_file(summary), evaluated.out);
  expect_contains(read_file(report), "CHIE by system");
}

// ---- the published recordings ----

using Counts = std::array<double, 4>;

constexpr const char* kLlama3 = "Meta-Llama-3-8B-Instruct";
constexpr const char* kLlama31 = "Meta-Llama-3.1-8B-Instruct";
constexpr const char* kSeaLion = "llama3-8b-cpt-sea-lionv2-instruct";
constexpr const char* kSeaLlm = "SeaLLM-7B-v2";
constexpr const char* kWangchanLion = "WangchanLion7B";
constexpr const char* kOpenThaiGpt = "openthaigpt-1.0.0-beta-7b-chat-ckpt-hf";

struct PublishedReplies : Judge {
  void SetUp() override {
    const char* const data = std::getenv("RUBRIC_DATA");
    if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
    chie_ = std::string(data) + "/chie";
  }
  void add(const std::string& file, const std::string& system, const std::string& language,
           const std::string& answers, const std::string& replies,
           const std::string& judge = "gpt-4-0613") {
    const Outcome outcome =
        done(run({"judge", "--import", chie_ + "/" + language + "/" + file, "--system-name", system,
                  "--judge", judge, "--language", language, "--field", "candidate=" + answers,
                  "--field", "reply=" + replies, "--ledger", ledger_}));
  }
  void import_english() {
    for (const char* system : {kLlama3, kLlama31, kSeaLion, kSeaLlm, kWangchanLion, kOpenThaiGpt}) {
      add("eval-gpt-4-" + std::string(system) + ".csv", system, "en", "predictions", "model_gpt4");
    }
  }
  void import_thai() {
    for (const char* system : {kLlama3, kLlama31, kSeaLion}) {
      add("eval-gpt-4-" + std::string(system) + ".csv", system, "th", "predictions", "model_gpt4");
    }
    for (const std::string column : {"v17", "openthaigpt", "seallm"}) {
      add("gpt4-100.csv", column, "th", column, column + "_gpt4");
    }
  }
  // {SYSTEM: {METRIC or STATISTIC: value, …, "n"}}
  Json systems(const std::string& parser) {
    const Json json = printed_json(evaluate({"--parser", parser, "--format", "json"}));
    EXPECT_TRUE(json.find("records")->find("disagreements")->array().empty());
    Json all;
    for (const Json& one : json.find("measurements")->array()) {
      Json& system = all[one.find("system")->string()];
      const Json* const metric = one.find("metric");
      system[(metric == nullptr ? one.find("statistic") : metric)->string()] = *one.find("value");
      system["n"] = *one.find("n");
    }
    return all;
  }
  // By both parsers: in these replies every verdict stands below its number.
  void expect_counts(const std::map<std::string, Counts>& table) {
    for (const char* parser : {"published", "strict"}) {
      const Json all = systems(parser);
      EXPECT_EQ(all.object().size(), table.size());
      for (const auto& [system, counts] : table) {
        const Json& figures = all.require(system, "systems");
        const auto count = [&](const char* name) { return figures.find(name)->number(); };
        EXPECT_EQ((Counts{count("C"), count("H"), count("I"), count("E")}), counts) << system;
        EXPECT_EQ(count("n"), 100);
        EXPECT_EQ(count("invalid"), 0);
      }
    }
  }

  std::string chie_;
};

// The paper's Table 5, and F1 and exact match as the published result files have them.
TEST_F(PublishedReplies, English) {
  import_english();
  expect_counts({{kLlama3, {94, 59, 4, 6}},
                 {kLlama31, {88, 41, 12, 14}},
                 {kSeaLlm, {96, 33, 6, 12}},
                 {kWangchanLion, {68, 20, 30, 22}},
                 {kSeaLion, {94, 34, 5, 12}},
                 {kOpenThaiGpt, {42, 8, 54, 52}}});
  const Json all = systems("published");
  const std::map<std::string, std::array<double, 2>> published = {
      {kLlama3, {19.79546005012573, 0}},    {kLlama31, {24.175830640807405, 0}},
      {kSeaLlm, {22.86496748865372, 0}},    {kWangchanLion, {26.39550826969725, 10}},
      {kSeaLion, {42.137058391922125, 17}}, {kOpenThaiGpt, {18.122298442718176, 10}}};
  for (const auto& [system, figures] : published) {
    EXPECT_NEAR(100 * all.find(system)->find("f1")->number(), figures[0], 1e-9) << system;
    EXPECT_NEAR(100 * all.find(system)->find("em")->number(), figures[1], 1e-9) << system;
  }
}

TEST_F(PublishedReplies, Thai) {
  import_thai();
  expect_counts({{kLlama3, {88, 68, 9, 8}},
                 {kLlama31, {85, 19, 12, 8}},
                 {kSeaLion, {93, 34, 5, 0}},
                 {"v17", {64, 8, 28, 5}},
                 {"openthaigpt", {58, 13, 28, 31}},
                 {"seallm", {76, 48, 32, 31}}});
}

// With PyThaiNLP: the figures of the published result files and, for the three systems that have
// none, of the authors' notebook (cal-xquad-f1_score.ipynb) and, for lengths, the paper's Table 5.
// SeaLLM's F1 is 14.36 there, too, where Table 5 prints 14.08.
TEST_F(PublishedReplies, WordsAsPyThaiNlpCutsThem) {
  if (!std::filesystem::exists(text::segmenter_folder() / "DONE")) {
    GTEST_SKIP() << "scripts/setup --segmenters has not been run";
  }
  environment_.clear();
  const auto expect_words = [&](const std::map<std::string, std::array<double, 3>>& published) {
    const Json all = systems("published");
    for (const auto& [system, figures] : published) {
      const Json& ours = all.require(system, "systems");
      EXPECT_NEAR(100 * ours.find("f1")->number(), figures[0], 1e-9) << system;
      EXPECT_NEAR(100 * ours.find("em")->number(), figures[1], 1e-9) << system;
      EXPECT_NEAR(ours.find("length")->number(), figures[2], 1e-9) << system;
    }
  };
  import_thai();
  expect_words({{kLlama3, {13.032900391148418, 0, 27.76}},
                {kLlama31, {41.2084152408227, 14, 12.67}},
                {kSeaLion, {51.21824169151728, 29, 12.53}},
                {"v17", {50.11968290107823, 32, 5.50}},
                {"openthaigpt", {34.960694330788705, 21, 10.35}},
                {"seallm", {14.361506623099723, 0, 27.81}}});
  ledger_ = folder_.file("english.jsonl");
  import_english();
  expect_words({{kLlama3, {19.79546005012573, 0, 21.13}},
                {kLlama31, {24.175830640807405, 0, 18.78}},
                {kSeaLlm, {22.86496748865372, 0, 19.98}},
                {kWangchanLion, {26.39550826969725, 10, 13.64}},
                {kSeaLion, {42.137058391922125, 17, 11.58}},
                {kOpenThaiGpt, {18.122298442718176, 10, 24.59}}});
}

// How often each judge agrees over the 300 Thai answers of three systems.
TEST_F(PublishedReplies, OtherJudges) {
  const std::map<std::string, Counts> totals = {{"gpt4", {198, 69, 88, 67}},
                                                {"gpt4o", {160, 76, 51, 39}},
                                                {"gpt3-5", {216, 155, 33, 78}},
                                                {"gemini-pro", {189, 47, 26, 39}}};
  for (const auto& [judge, total] : totals) {
    ledger_ = folder_.file(judge + ".jsonl");
    for (const std::string column : {"v17", "openthaigpt", "seallm"}) {
      add(judge + "-100.csv", column, "th", column, column + "_gpt4", judge);
    }
    for (const char* parser : {"published", "strict"}) {
      Counts counts{};
      const Json all = systems(parser);
      for (const auto& [system, figures] : all.object()) {
        for (size_t i = 0; i < counts.size(); ++i) {
          counts[i] += figures.find(std::string(1, "CHIE"[i]))->number();
        }
      }
      EXPECT_EQ(counts, total) << judge;
    }
  }
}

}  // namespace rubric::cli::judge_test
