// `evaluate chie` with annotators, other judges and BERTScore, as a user starts it.
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "measured.h"

namespace rubric::cli::chie_test {

// Two systems' answers to three questions, and what two judges reply: 1 for Agree.
struct Recorded {
  const char *system, *id, *first, *second;
};
constexpr Recorded kRecorded[] = {{"llama", "1", "1000", "1000"}, {"llama", "2", "1100", "1001"},
                                  {"llama", "3", "0011", "0011"}, {"lion", "1", "1100", "1100"},
                                  {"lion", "2", "0001", "1001"},  {"lion", "3", "1010", ""}};

std::string reply_of(const std::string& verdicts) {
  std::string reply;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    reply += std::to_string(i + 1) + (verdicts[i] == '1' ? ". Agree " : ". Disagree ");
  }
  return reply;
}

struct EvaluateChie : testing::Test {
  EvaluateChie() {
    for (const std::string system : {"llama", "lion"}) {
      std::string rows = "id,context,question,references,candidate,first,second\n";
      for (const Recorded& row : kRecorded) {
        if (row.system != system) continue;
        const std::string id = row.id;
        rows += id + ",They gave up 308 points.,Question " + id + "?,308,Answer " + id + "," +
                reply_of(row.first) + "," + reply_of(row.second) + "\n";
      }
      const std::string file = folder_.write(system + ".csv", rows);
      for (const std::string judge : {"first", "second"}) {
        done(run({"judge", "--import", file, "--system-name", system, "--judge", judge, "--field",
                  "reply=" + judge, "--ledger", folder_.file(judge + ".jsonl")}));
      }
    }
  }
  Outcome evaluate(const std::vector<std::string>& more) {
    return run(joined({"evaluate", "chie", "--ledger", folder_.file("first.jsonl")}, more),
               {{"RUBRIC_SEGMENTERS", folder_.file("none")}});
  }
  Json json(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    return printed_json(evaluate(more));
  }
  // Three annotators of llama's answers; the third does not label the last.
  std::string labels() {
    return folder_.write("labels.csv",
                         "system,id,annotator,C,H,I,E\n"
                         "llama,1,1,1,0,0,0\nllama,1,2,1,1,0,0\nllama,1,3,1,1,0,0\n"
                         "llama,2,1,1,1,0,0\nllama,2,2,0,1,1,0\nllama,2,3,0,1,0,0\n"
                         "llama,3,1,0,0,1,1\nllama,3,2,0,1,1,1\n"
                         "another,1,1,1,1,1,1\n");
  }
  // As `score bertscore` writes them.
  std::string scores() {
    std::string rows;
    const double values[] = {0.9, 0.5, 0.7, 0.8, 0.6, 0.4};
    for (size_t i = 0; i < 6; ++i) {
      const std::string id = kRecorded[i].id;
      rows += R"({"id": ")" + id + R"(", "system": ")" + kRecorded[i].system +
              R"(", "language": "en", "candidate": "Answer )" + id +
              R"(", "scores": {"bertscore": )" + std::to_string(values[i]) + "}}\n";
    }
    return folder_.write("scored.jsonl", rows);
  }

  TemporaryFolder folder_;
};

// The majority: 1 1 0 0; 0 1 0 0; 0 tie 1 1. The judge: 1 0 0 0; 1 1 0 0; 0 0 1 1. So C has one
// false positive, H one false negative (its tie is left out).
TEST_F(EvaluateChie, AgreesWithTheMajority) {
  const Json result = json({"--human-file", labels(), "--resamples", "50"});
  const Keys rater{.against = "majority", .source = "first"};
  const auto value = [&](const char* group, const char* statistic) {
    return value_of(result, statistic, {.metric = group, .against = "majority", .source = "first"});
  };
  const auto n = [&](const char* group) {
    const Keys keys{.metric = group, .against = "majority", .source = "first"};
    return measured(result, "f1", keys).find("n")->number();
  };
  EXPECT_EQ(value_of(result, "answers", rater), 3);
  EXPECT_EQ(value_of(result, "invalid", rater), 0);
  EXPECT_EQ(value_of(result, "questions", rater), 3);
  EXPECT_EQ(n("C"), 3);
  EXPECT_EQ(value("C", "tp"), 1);
  EXPECT_EQ(value("C", "fp"), 1);
  EXPECT_EQ(value("H", "fn"), 1);
  EXPECT_EQ(value("I", "tn"), 2);
  EXPECT_DOUBLE_EQ(value("C", "precision"), 0.5);
  EXPECT_DOUBLE_EQ(value("C", "recall"), 1);
  EXPECT_EQ(n("H"), 2);
  EXPECT_DOUBLE_EQ(value("H", "precision"), 1);
  EXPECT_DOUBLE_EQ(value("H", "recall"), 0.5);
  EXPECT_EQ(n("overall"), 11);
  EXPECT_DOUBLE_EQ(value("overall", "precision"), 0.8);  // 4 of 5
  EXPECT_DOUBLE_EQ(value("overall", "recall"), 0.8);
  const Keys of_c{.metric = "C", .against = "majority", .source = "first"};
  EXPECT_NE(measured(result, "f1", of_c).find("low"), nullptr);
  const std::map<std::string, std::pair<double, double>> majority = {// its count, and ties
                                                                     {"C", {1, 0}},
                                                                     {"H", {2, 1}},
                                                                     {"I", {1, 0}},
                                                                     {"E", {1, 0}}};
  for (const auto& [aspect, counts] : majority) {
    const Keys keys{.metric = aspect, .system = "llama", .source = "majority"};
    EXPECT_EQ(value_of(result, "count", keys), counts.first) << aspect;
    EXPECT_EQ(value_of(result, "ties", keys), counts.second) << aspect;
    EXPECT_EQ(measured(result, "count", keys).find("n")->number(), 3);
  }
  const Keys of_lion{.metric = "C", .system = "lion", .source = "majority"};
  EXPECT_EQ(measured(result, "count", of_lion).find("n")->number(), 0);
  const std::string notes = result.find("notes")->dump();
  for (const char* note :
       {"without a label by these annotators, left out: 3",
        "some of them did not label; the others' majority counts: 1",
        "left out, which favours every rater: they are the hardest: 1", "of 3 questions",
        "a statistic is undefined, which its interval ignores; at most: ",
        "labels of answers that are not evaluated, left out: 1"}) {
    expect_contains(notes, note);
  }
  expect_contains(result.find("signature")->string(), "|humans:1,2,3|resamples:50|seed:0|");
  expect_lacks(result.dump(), {"kappa", "lowest"});
}

TEST_F(EvaluateChie, OtherAnnotatorsAndJudgesAreAssessors) {
  const Json result = json({"--human-file", labels(), "--annotator", "3,1", "--other-ledger",
                            folder_.file("second.jsonl"), "--resamples", "50"});
  EXPECT_EQ(value_of(result, "invalid", {.against = "majority", .source = "second"}), 0);
  std::vector<std::string> assessors;
  for (const Json& one : result.find("measurements")->array()) {
    const Json* const against = one.find("against");
    if (one.find("statistic")->string() != "answers" || against->string() != "majority") continue;
    assessors.push_back(one.find("source")->string());
  }
  EXPECT_EQ(assessors, (std::vector<std::string>{"first", "second", "human 2"}));
  expect_contains(result.find("notes")->dump(), "majority of humans 3, 1");
  expect_says(result.find("signature")->string(),
              {"|against:" + short_sha256_file(folder_.file("second.jsonl")) + "|",
               "|ledger:" + short_sha256_file(folder_.file("first.jsonl")) + "|"});
}

// --judge and --prompt-hash choose of the first ledger.
TEST_F(EvaluateChie, ALedgerOfSeveralJudgesIsChosenFrom) {
  const std::string mixed = folder_
                                .write("mixed.jsonl", read_file(folder_.file("first.jsonl")) +
                                                          read_file(folder_.file("second.jsonl")))
                                .string();
  const Outcome chosen =
      done(run({"evaluate", "chie", "--ledger", mixed, "--judge", "second", "--other-ledger",
                folder_.file("first.jsonl"), "--resamples", "5"},
               {{"RUBRIC_SEGMENTERS", folder_.file("none")}}));
  expect_contains(chosen.err, "|judge:second|");
  expect_contains(chosen.out, "second  first      C  ");
  const Outcome refused = evaluate({"--other-ledger", mixed, "--judge", "first"});
  EXPECT_EQ(refused.code, 2);
  expect_says(refused.err, {mixed, "keep a ledger for each"});
}

TEST_F(EvaluateChie, AnEvenNumberOfAnnotatorsIsWarnedOf) {
  const std::string file = labels();
  expect_contains(evaluate({"--human-file", file, "--annotator", "1,2", "--resamples", "5"}).err,
                  "warning: the number of annotators is even (2)");
  EXPECT_FALSE(holds(evaluate({"--human-file", file, "--resamples", "5"}).err, "an even number"));
}

// Of the five answers that both judge with verdicts they differ on C once, H once and E once.
TEST_F(EvaluateChie, JudgesAreCompared) {
  const Json result = json({"--other-ledger", folder_.file("second.jsonl"), "--resamples", "50"});
  const auto value = [&](const char* statistic, const char* aspect = "") {
    return value_of(result, statistic, {.metric = aspect, .against = "second", .source = "first"});
  };
  EXPECT_EQ(value("answers"), 6);
  EXPECT_EQ(value("invalid"), 0);
  EXPECT_EQ(value("invalid_against"), 1);
  EXPECT_EQ(measured(result, "kappa", {.metric = "H", .against = "second", .source = "first"})
                .find("n")
                ->number(),
            5);
  EXPECT_DOUBLE_EQ(value("agreement", "H"), 0.8);
  EXPECT_DOUBLE_EQ(value("kappa", "I"), 1);
  EXPECT_DOUBLE_EQ(value("agreement", "overall"), 0.85);
  expect_contains(result.find("notes")->dump(), "Replies of second without verdicts, left out: 1");
  expect_contains(result.find("notes")->dump(), "of 3 questions, all answers to one together");
  EXPECT_EQ(value("questions"), 3);
  EXPECT_EQ(value("second_only", "C"), 1);
}

// Also where annotators and another judge are compared with it.
TEST_F(EvaluateChie, NotesSayOnceWhichRepliesHaveNoVerdicts) {
  const std::string second = folder_.file("second.jsonl"), page = folder_.file("page.html");
  const Outcome outcome = done(
      run({"evaluate", "chie", "--ledger", second, "--other-ledger", folder_.file("first.jsonl"),
           "--human-file", labels(), "--resamples", "5", "--report", page, "--format", "json"}));
  std::vector<std::string> notes, invalid;
  const Json result = Json::parse(outcome.out, "stdout");
  for (const Json& note : result.find("notes")->array()) {
    EXPECT_EQ(std::ranges::count(notes, note.string()), 0) << note.string();
    notes.push_back(note.string());
    const bool is_invalid =
        holds(note.string(), "no verdicts") || holds(note.string(), "without verdicts");
    if (is_invalid) invalid.push_back(note.string());
  }
  ASSERT_EQ(invalid.size(), 1u);
  expect_contains(invalid[0], "1 reply of 3 ");
  expect_contains(read_file(page), "Data: " + second + ", " + folder_.file("first.jsonl"));
}

// Two ledgers of one judge (of two prompts, say) are told apart.
TEST_F(EvaluateChie, LedgersOfOneJudgeAreNamed) {
  const std::string copy =
      folder_.write("copy.jsonl", read_file(folder_.file("first.jsonl"))).string();
  const Json result = json({"--other-ledger", copy, "--resamples", "5"});
  EXPECT_EQ(value_of(result, "answers",
                     {.against = "first (" + copy + ")",
                      .source = "first (" + folder_.file("first.jsonl") + ")"}),
            6);
}

TEST_F(EvaluateChie, ALedgerOfTwoParsersNamesBoth) {
  const std::string rows =
      folder_.write("more.csv",
                    "id,context,question,references,candidate,first\n4,They gave up 308 points.,"
                    "Question 4?,308,Answer 4,1. agree 2. agree 3. disagree 4. disagree\n");
  done(run({"judge", "--import", rows, "--system-name", "lion", "--judge", "first", "--field",
            "reply=first", "--parser", "strict", "--ledger", folder_.file("first.jsonl")}));
  const Json result = json({});
  EXPECT_EQ(value_of(result, "invalid", {.system = "lion"}), 0);
  expect_contains(result.find("signature")->string(), "|parser:published,strict|");
  expect_contains(result.find("notes")->dump(), "by the published, strict parsers");
  expect_contains(result.find("notes")->dump(), "1 reply is read differently by the two parsers");
  const Json published = json({"--parser", "published"});
  EXPECT_EQ(value_of(published, "invalid", {.system = "lion"}), 1);
  expect_contains(published.find("signature")->string(), "|parser:published|");
  expect_contains(published.find("notes")->dump(), "by the published parser;");
}

// Replies that do not count, of an earlier attempt and of another language, name no parser.
TEST_F(EvaluateChie, TheSignatureNamesTheParsersOfTheRepliesThatCount) {
  const std::string file = folder_.file("first.jsonl"), ledger = read_file(file);
  Json entry = Json::parse(ledger.substr(0, ledger.find('\n')), file);
  entry["parser"] = "strict";
  std::string later = ledger;  // the same answers again, as second attempts
  replace_all(later, "\"attempt\": 1", "\"attempt\": 2");
  ASSERT_NE(later, ledger);
  write_file(file, entry.dump() + "\n" + later);
  expect_contains(json({}).find("signature")->string(), "|parser:published|");
  entry["language"] = "de";
  write_file(file, entry.dump() + "\n" + ledger);
  expect_contains(json({"--language", "en"}).find("signature")->string(), "|parser:published|");
  // The replies of the other judge count, too.
  write_file(file, ledger);
  Json other = Json::parse(ledger.substr(0, ledger.find('\n')), file);
  other["parser"] = "strict";
  const std::string rest = ledger.substr(ledger.find('\n') + 1);
  folder_.write("other.jsonl", other.dump() + "\n" + rest);
  expect_contains(json({"--other-ledger", folder_.file("other.jsonl"), "--resamples", "5"})
                      .find("signature")
                      ->string(),
                  "|parser:published,strict|");
}

// By score: lion 3 and llama 2, lion 2 and llama 3, lion 1 and llama 1.
TEST_F(EvaluateChie, TercilesAreOfTheJudgeOrTheMajority) {
  const Json judge = json({"--scores", scores()});
  const auto value = [](const Json& result, const std::string& rater, const std::string& subset,
                        const std::string& statistic, const std::string& metric = "") {
    const Keys keys{.metric = metric, .source = rater, .subset = subset};
    EXPECT_EQ(measured(result, statistic, keys).find("n")->number(), rater.empty() ? 2 : 1);
    return value_of(result, statistic, keys);
  };
  EXPECT_EQ(value(judge, "", "low", "lowest", "bertscore"), 0.4);
  EXPECT_EQ(value(judge, "", "low", "highest", "bertscore"), 0.5);
  const std::map<std::string, double> low = {{"C", 2}, {"H", 1}, {"I", 1}, {"E", 0}};
  for (const auto& [aspect, count] : low) {
    EXPECT_EQ(value(judge, "", "low", "count", aspect), count) << aspect;
  }
  EXPECT_EQ(value(judge, "", "low", "undecided"), 0);
  EXPECT_EQ(value(judge, "", "low", "tied"), 0);
  EXPECT_EQ(value(judge, "", "low", "mean", "length"), 2);
  EXPECT_EQ(value(judge, "", "medium", "count", "E"), 2);
  EXPECT_EQ(value(judge, "", "high", "count", "H"), 1);
  const Json humans = json({"--scores", scores(), "--human-file", labels(), "--resamples", "5"});
  EXPECT_EQ(value(humans, "majority", "low", "lowest", "bertscore"), 0.5);  // llama's 2
  EXPECT_EQ(value(humans, "majority", "low", "count", "C"), 0);
  EXPECT_EQ(value(humans, "majority", "medium", "undecided"), 1);  // the tie
  EXPECT_EQ(value(humans, "majority", "high", "count", "H"), 1);
}

TEST_F(EvaluateChie, AsTablesAndAsAList) {
  const std::vector<std::string> all = {"--scores",       scores(),
                                        "--human-file",   labels(),
                                        "--other-ledger", folder_.file("second.jsonl"),
                                        "--resamples",    "50"};
  const Outcome tables = done(evaluate(all));
  for (const char* part :
       {"CHIE by BERTScore, in terciles", "ties C  ties H",
        "Agreement with the annotators' majority, in percent", "Judge against judge", "50.00 ["}) {
    expect_contains(tables.out, part);
  }
  std::vector<std::string> csv = all;
  csv.insert(csv.end(), {"--format", "csv"});
  const Outcome list = evaluate(csv);
  for (const char* part :
       {"\nC,,,,majority,low,,,count,", "\nC,,majority,,first,,,,precision,0.5,",
        "\nC,,majority,,first,,,,fp,1,", "\n,,majority,,first,,,,answers,3,",
        "\nH,llama,,,majority,,,,ties,1,", "\n,,second,,first,,,,answers,6,",
        "\n,,second,,first,,,,invalid_against,1,", "\n,,second,,first,,,,questions,3,",
        "\noverall,,second,,first,,,,agreement,0.85,"}) {
    expect_contains(list.out, part);
  }
}

TEST_F(EvaluateChie, WhatCannotBeComparedIsRefused) {
  const auto refusal = [&](const std::vector<std::string>& more, const char* part) {
    const Outcome outcome = evaluate(more);
    EXPECT_EQ(outcome.code, 2);
    expect_contains(outcome.err, part);
  };
  refusal({"--annotator", "1,2"}, "--annotator without --human-file");
  refusal({"--human-file", labels(), "--annotator", "1,7"}, "no annotator called \"7\"");
  refusal({"--human-file", labels(), "--annotator", "1,1"}, "annotator 1 is named twice");
  refusal({"--other-ledger", folder_.file("first.jsonl")}, "is given twice");
  refusal({"--other-ledger", folder_.file("none.jsonl")}, "none.jsonl");
  refusal({"--human-file", labels(), "--summary", folder_.file("labels.csv")}, "labels.csv");
  // Of a list of files none is replaced.
  const std::string other = folder_.file("labels.csv"), third = folder_.file("third.jsonl");
  refusal({"--other-ledger", other + "," + third, "--summary", other}, "this would replace");
  refusal({"--other-ledger", other + "," + third, "--report", third}, "this would replace");
}

}  // namespace rubric::cli::chie_test
