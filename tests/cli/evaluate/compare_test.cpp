// `compare` on systems whose differences are known.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::compare_test {

struct Compare : testing::Test {
  Compare() {
    write("a.jsonl", {0.9, 0.8, 0.7, 0.6, 0.5});
    write("b.jsonl", {0.5, 0.7, 0.6, 0.6, 0.1});
    write("c.jsonl", {0.9, 0.8, 0.7, 0.6, 0.5});
  }
  // Rows in reversed order, so that only ids tell which belong together.
  void write(const std::string& name, const std::vector<double>& scores, size_t first_id = 0) {
    std::string lines;
    for (size_t i = scores.size(); i-- > 0;) {
      const Json row(Json::Object{{"id", "q" + std::to_string(first_id + i)},
                                  {"scores", Json(Json::Object{{"f1", scores[i]}})}});
      lines = name == "b.jsonl" ? lines + row.dump() + "\n" : row.dump() + "\n" + lines;
    }
    folder_.write(name, lines);
  }
  Outcome compare(const std::vector<std::string>& files, std::vector<std::string> options) const {
    std::vector<std::string> arguments = {"rubric", "compare"};
    for (const std::string& file : files) arguments.push_back(folder_.file(file));
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }
  Json json_of(const std::vector<std::string>& files, std::vector<std::string> options) const {
    options.insert(options.end(), {"--format", "json"});
    return printed_json(compare(files, std::move(options)));
  }
  TemporaryFolder folder_;
};

// Records without a score in one file are left out of both.
// The keys of what is said of two systems by the only metric.
Keys only_pair(const Json& json, const std::string& group = "", const std::string& method = "") {
  const Json::Array& all = json.find("measurements")->array();
  const auto wins = std::ranges::find_if(
      all, [](const Json& one) { return one.find("statistic")->string() == "wins"; });
  return {.metric = wins->find("metric")->string(),
          .system = wins->find("system")->string(),
          .against = wins->find("against")->string(),
          .group = group,
          .method = method};
}
// With p of the permutation test, with the bootstrap's interval.
const Json& difference(const Json& json, const std::string& group = "") {
  return measured(json, "difference", only_pair(json, group, "permutation"));
}
const Json& interval_of_difference(const Json& json) {
  return measured(json, "difference", only_pair(json, "", "bootstrap"));
}

const Json::Array& differing(const Json& json) {
  return json.find("records")->find("differing")->array();
}

TEST_F(Compare, MissingScoresAreAnErrorOrLeftOut) {
  folder_.write("a.csv", "id,f1\nx,0.9\ny,\nz,0.5\nw,0.4\n");
  folder_.write("b.csv", "id,f1\nw,\nx,0.5\ny,0.1\nz,0.3\n");
  expect_message(compare({"a.csv", "b.csv"}, {"--metric", "f1"}), 2,
                 {"has no score in 1 of 4 rows", "a.csv:3", "--missing drop"});
  const Json json = json_of({"a.csv", "b.csv"}, {"--metric", "f1", "--missing", "drop"});
  EXPECT_EQ(difference(json).find("n")->number(), 2);
  EXPECT_NEAR(difference(json).find("value")->number(), 0.3, 1e-12);
  expect_contains(json.dump(), "2 records not in every system, left out: ids w, y");
  expect_contains(compare({"a.csv", "b.csv"}, {"--metric", "f1", "--missing", "drop"}).err,
                  "1 row is left out, without a score: " + folder_.file("a.csv") + ":3");
}

// Files are read twice.
// MetricX counts errors: the system with the lower scores wins.
TEST_F(Compare, LowerScoresWinWhereTheyAreBetter) {
  std::string lines[2];
  for (int i = 0; i < 30; ++i) {
    for (const int system : {0, 1}) {
      lines[system] += "{\"id\": " + std::to_string(i) +
                       ", \"metricx\": " + std::to_string(system * 5 + i % 4) + "}\n";
    }
  }
  folder_.write("few.jsonl", lines[0]);
  folder_.write("many.jsonl", lines[1]);
  const std::vector<std::string> files = {"few.jsonl", "many.jsonl"};
  const Json json = json_of(files, {"--metric", "metricx"});
  EXPECT_EQ(measured(json, "wins", only_pair(json)).require_number("value", ""), 30);
  const std::string text = compare(files, {"--metric", "metricx"}).out;
  expect_contains(text, "few has the lowest mean");
  expect_contains(text, "lower scores of metricx are better");
}

TEST_F(Compare, PipesAreRefused) {
  ASSERT_EQ(mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  expect_message(compare({"a.jsonl", "pipe"}, {"--metric", "f1", "--input-format", "jsonl"}), 2,
                 {"a pipe or a device", folder_.file("pipe"), "write what it gives to a file"});
  expect_message(run({"evaluate", "agreement", "--input", folder_.file("pipe"), "--input-format",
                      "jsonl", "--human", "score"}),
                 2, {"a pipe or a device", folder_.file("pipe")});
}

TEST_F(Compare, RecordsAreMatchedById) {
  const Json json =
      printed_json(compare({"a.jsonl", "b.jsonl"}, {"--metric", "f1", "--format", "json"}));
  EXPECT_NEAR(value_of(json, "mean", {.metric = "f1", .system = "a"}), 0.7, 1e-12);
  EXPECT_NEAR(difference(json).find("value")->number(), 0.2, 1e-12);
  // Of the 32 exchanges of .4 .1 .1 0 .4 the two of the zero keep the sum, and so do their mirrors.
  EXPECT_NEAR(difference(json).find("p")->number(), 4.0 / 32, 1e-12);
  EXPECT_GT(interval_of_difference(json).find("low")->number(),
            0);  // paired: each system alone varies more
}

// The first columns, which README shows, have the p that is meant.
TEST_F(Compare, OfFewQuestionsThePOfThePermutationTestIsTheOneToRead) {
  std::string first = "id,f1\n", second = first;
  for (int i = 0; i < 30; ++i) {
    first += std::to_string(i) + ",0." + std::to_string(5 + i % 4) + "\n";
    second += std::to_string(i) + ",0." + std::to_string(4 + i % 3) + "\n";
    if (i != 5 && i != 29) continue;
    folder_.write("first.csv", first);
    folder_.write("second.csv", second);
    const std::string text = compare({"first.csv", "second.csv"}, {"--metric", "f1"}).out;
    EXPECT_EQ(holds(text,
                    "few questions (all records: 6): a bootstrap interval of fewer than 30 "
                    "is too narrow, and its p too small: p of the permutation test is the "
                    "one to read"),
              i == 5)
        << text;
    EXPECT_LT(text.find("p (permutation)"), text.find("p (bootstrap)"));
  }
}

TEST_F(Compare, RowsThatAModelHasSeenAreCounted) {
  folder_.write("rows.csv",
                "id,s,lerc,seen.lerc\n1,x,0.5,trained\n2,x,0.25,\n1,y,0.75,tuned\n2,y,1,\n");
  const std::vector<std::string> options = {"--system", "s", "--metric", "lerc"};
  expect_contains(compare({"rows.csv"}, options).err,
                  "lerc: its model was trained on the questions of 25% of the rows (1 of 4) and "
                  "tuned on the questions of 25% of the rows (1 of 4)");
  EXPECT_FALSE(holds(compare({"a.jsonl", "b.jsonl"}, {"--metric", "f1"}).err, "its model was"));
}

TEST_F(Compare, SystemsThatAreTheSameDoNotDiffer) {
  const Outcome outcome = done(compare({"a.jsonl", "c.jsonl", "b.jsonl"}, {"--metric", "f1"}));
  expect_contains(outcome.out, "a       c        0.000 [0.000, 0.000]");
  expect_contains(outcome.out, "Holm's correction over all 3 comparisons");
  expect_contains(outcome.err, "compare|metric:f1|a:");
}

TEST_F(Compare, NamesOfUsersKeepTheFormOfASignature) {
  const std::string rows = R"({"id": 1, "s": "x", "scores": {"f|1:a": 1}, "h:1": 1})"
                           "\n"
                           R"({"id": 2, "s": "x", "scores": {"f|1:a": 0}, "h:1": 0})"
                           "\n";
  folder_.write("x|y.jsonl", rows);
  folder_.write("z.jsonl", rows);
  const Outcome outcome = compare({"x|y.jsonl", "z.jsonl"}, {"--metric", "f|1:a"});
  expect_contains(outcome.err, R"(compare|metric:f\x7c1\x3aa|x\x7cy:)");
  const Outcome agreement = run({"rubric", "evaluate", "agreement", "--input",
                                 folder_.file("z.jsonl"), "--human", "h:1", "--system", "s"});
  expect_contains(agreement.err, R"(|human:h\x3a1|system:s|)");
}

// p of scipy's fixture, over the exchanges of whole questions.
TEST_F(Compare, RowsOfOneQuestionAreDrawnAndExchangedTogether) {
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/questions.json");
  for (const char* metric : {"first", "second"}) {
    std::string lines;
    for (Json row : fixture.find("rows")->array()) {
      const Json score = *row.find("scores")->find(metric);
      row["f1"] = score;
      lines += row.dump() + "\n";
    }
    folder_.write(std::string(metric) + ".jsonl", lines);
  }
  const std::vector<std::string> files = {"first.jsonl", "second.jsonl"};
  const Json json =
      Json::parse(compare(files, {"--metric", "f1", "--format", "json"}).out, "stdout");
  EXPECT_EQ(value_of(json, "questions"), 8);
  EXPECT_NEAR(difference(json).find("p")->number(), fixture.find("p_of_means")->number(), 1e-12);
  const std::string text = compare(files, {"--metric", "f1"}).out;
  expect_contains(text, "22 rows of 8 questions, resampled and permuted by question");
  expect_contains(text, "10000 resamples and 10000 drawn permutations");
}

// One note, however many groups have several rows of a question.
TEST_F(Compare, GroupsWithSeveralRowsOfAQuestionAreCounted) {
  std::string rows;
  for (int i = 0; i < 24; ++i) {
    const std::string id = std::to_string(i), question = std::to_string(i / 2);
    const std::string group = i < 22 ? std::to_string(i / 6) : "alone " + std::to_string(i);
    for (const std::string system : {"a", "b"}) {
      rows += R"({"id": ")" + id + R"(", "question": "q)" + question + R"(", "system": ")" +
              system + R"(", "part": ")" + group + R"(", "f1": 0.)" + id + "}\n";
    }
  }
  folder_.write("rows.jsonl", rows);
  const std::string text =
      compare({"rows.jsonl"}, {"--system", "system", "--metric", "f1", "--group", "part"}).out;
  expect_says(text, {"all records: 24 rows of 12 questions",
                     "Groups with several rows of a question, which are resampled and permuted "
                     "together: 4\n"});
  EXPECT_EQ(text.find("0: 6 rows"), std::string::npos);
}

// Rows without ids and without a question of a usual name are matched by their numbers: a column
// tells where these are of other records.
TEST_F(Compare, AColumnTellsThatRowsOfOneNumberAreOfOtherRecords) {
  const auto write_rows = [&](const std::string& name, int shift, const std::string& prompt) {
    std::string text = "prompt,run,note,f1\n";
    for (int i = 0; i < 12; ++i) {
      const std::string record = std::to_string((i + shift) % 12);
      text +=
          prompt + record + ",run " + name + ",n " + record + ",0." + std::to_string(i % 5) + "\n";
    }
    folder_.write(name, text);
  };
  const auto compared = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--metric", "f1"});
    return compare({"one.csv", "two.csv"}, options);
  };
  write_rows("one.csv", 0, "who ");
  write_rows("two.csv", 0, "who ");
  EXPECT_EQ(compared({}).err.find("matched by their numbers"), std::string::npos);
  write_rows("two.csv", 5, "who ");
  expect_message(compared({}), 2,
                 {"rows without ids are matched by their numbers, and 12 rows have another",
                  "in two than in one: the same texts in another order", "two.csv",
                  "--field question=note or --field question=prompt"});
  const Outcome matched = done(compared({"--field", "question=prompt", "--format", "json"}));
  // By their numbers all 12 would tie. Row r of the first is row r + 7 modulo 12 of the second, and
  // r and r - 5 have one score.
  const Json json = Json::parse(matched.out, "stdout");
  EXPECT_EQ(value_of(json, "ties", only_pair(json)), 7);
  // Other rows in part: some texts are in one file alone.
  write_rows("two.csv", 5, "who ");
  std::string two = read_file(folder_.file("two.csv"));
  replace_all(two, "who 7,", "where 7,");
  replace_all(two, "n 7,", "m 7,");
  folder_.write("two.csv", two);
  const Outcome others = done(compared({}));
  expect_contains(others.err,
                  "12 rows have another \"note\" in two than in one: where a column tells records "
                  "apart, match rows by it, --field question=note or --field question=prompt");
  EXPECT_EQ(others.err.find("\"run\""), std::string::npos);
  // A column of texts that a system writes matches no rows, though some answers are the same.
  write_rows("two.csv", 0, "where ");
  EXPECT_EQ(compared({}).err.find("matched by their numbers"), std::string::npos);
  two = read_file(folder_.file("two.csv"));
  for (int i = 0; i < 8; ++i) {
    replace_all(two, "where " + std::to_string(i) + ",", "who " + std::to_string(i) + ",");
  }
  folder_.write("two.csv", two);
  EXPECT_EQ(compared({}).err.find("matched by their numbers"), std::string::npos);
  std::string one = "prompt,grade,f1\n";
  two = one;
  for (int i = 0; i < 30; ++i) {
    const std::string row = "who " + std::to_string(i);
    one += row + (i % 2 == 0 ? ",good,0." : ",poor,0.") + std::to_string(i % 5) + "\n";
    two += row + (i % 2 == 1 ? ",good,0." : ",poor,0.") + std::to_string(i % 4) + "\n";
  }
  folder_.write("one.csv", one);
  folder_.write("two.csv", two);
  const Outcome graded = done(compared({}));
  EXPECT_EQ(graded.err.find("\"grade\""), std::string::npos);
}

// `score` clusters by these names too.
TEST_F(Compare, QuestionsAreFoundUnderTheirUsualNames) {
  for (const char* name : {"question", "Question", "doc.question"}) {
    std::string low = std::string("id,context,f1,") + name + "\n", high = low;
    for (int i = 0; i < 60; ++i) {
      const std::string id = std::to_string(i), question = ",who " + std::to_string(i % 10) + "?\n";
      low += id + ",p,0." + std::to_string(1 + i % 3) + question;
      high += id + ",p,0." + std::to_string(4 + i % 2) + question;
    }
    folder_.write("low.csv", low);
    folder_.write("high.csv", high);
    const Json json = json_of({"low.csv", "high.csv"}, {"--metric", "f1"});
    EXPECT_EQ(value_of(json, "questions"), 10) << name;
  }
}

TEST_F(Compare, MeansOfSentenceBleuAreNotTheCorpusScore) {
  folder_.write("x.csv", "id,bleu,chrf,f1\n1,30,40,0.5\n2,10,20,0.5\n");
  folder_.write("y.csv", "id,bleu,chrf,f1\n1,20,40,0.5\n2,10,10,0.1\n");
  const std::string note = "bleu, chrf: means of the rows' scores, not the corpus score";
  for (const char* format : {"text", "json", "csv"}) {
    const Outcome outcome =
        compare({"x.csv", "y.csv"}, {"--metric", "bleu,f1,chrf", "--format", format, "--report",
                                     folder_.file(std::string(format) + ".html")});
    expect_contains(std::string(format) == "csv" ? outcome.err : outcome.out, note);
  }
  expect_contains(read_file(folder_.file("text.html")), "not the corpus score");
  EXPECT_FALSE(holds(compare({"x.csv", "y.csv"}, {"--metric", "f1"}).out, "corpus"));
}

TEST_F(Compare, OfManyGroupsTheFirstAreShown) {
  std::string text = "id,kind,f1\n";
  for (int i = 0; i < 120; ++i) {
    text += std::to_string(i) + ",k" + std::to_string(i / 2) + "," + std::to_string(i % 7) + "\n";
  }
  folder_.write("low.csv", text);
  folder_.write("high.csv", text);
  const std::vector<std::string> options = {"--metric", "f1",          "--group",
                                            "kind",     "--resamples", "20"};
  const std::string shown = compare({"low.csv", "high.csv"}, options).out;
  expect_contains(shown, "the first 50 of 60 groups are shown");
  EXPECT_TRUE(holds(shown, "\nk49 "));
  EXPECT_FALSE(holds(shown, "\nk50 "));
  EXPECT_EQ(difference(json_of({"low.csv", "high.csv"}, options), "k59").find("n")->number(), 2);
}

// Holm's correction over one comparison is none; a second group makes it three.
TEST_F(Compare, AGroupOfAllRecordsIsNoFurtherTest) {
  for (const bool is_whole : {true, false}) {
    std::string low = "id,kind,f1\n", high = low;
    for (int i = 0; i < 30; ++i) {
      const std::string start =
          std::to_string(i) + (is_whole || i % 2 == 0 ? ",k," : ",other,") + "0.";
      low += start + std::to_string(2 + i % 5) + "\n";
      high += start + std::to_string(4 + i % 3) + "\n";
    }
    folder_.write("low.csv", low);
    folder_.write("high.csv", high);
    const Json json = json_of({"low.csv", "high.csv"}, {"--metric", "f1", "--group", "kind"});
    for (const char* method : {"bootstrap", "permutation"}) {
      const auto p_of = [&](const char* group, const char* name) {
        return measured(json, "difference", only_pair(json, group, method)).find(name)->number();
      };
      const double least = std::min(p_of("", "p"), p_of("k", "p"));
      EXPECT_EQ(std::min(p_of("", "p_holm"), p_of("k", "p_holm")) == least, is_whole);
      if (is_whole) {
        EXPECT_EQ(p_of("k", "p_holm"), p_of("", "p"));
      }
    }
    const std::string text =
        compare({"low.csv", "high.csv"}, {"--metric", "f1", "--group", "kind"}).out;
    EXPECT_EQ(holds(text, "over all 3 comparisons"), !is_whole);
  }
}

TEST_F(Compare, AFieldMayNameTheSystems) {
  const std::string rows =
      "constituent,id,kind,f1\n"
      "a,1,x,0.9\na,2,x,0.8\na,3,y,0.7\nb,1,x,0.5\nb,2,x,0.7\nb,3,y,0.6\nb,4,y,1\n";
  folder_.write("all.csv", rows);
  const std::vector<std::string> options = {"--metric", "f1",   "--system", "constituent",
                                            "--group",  "kind", "--format", "json"};
  const Outcome outcome = done(compare({"all.csv"}, options));
  const Json json = Json::parse(outcome.out, "stdout");
  EXPECT_EQ(difference(json).find("n")->number(), 3);
  EXPECT_NEAR(value_of(json, "mean", {.metric = "f1", .system = "b"}), 0.6, 1e-12);
  expect_contains(outcome.out, "1 record not in every system, left out: id y / 4");
  EXPECT_EQ(difference(json, "x").find("n")->number(), 2);
  EXPECT_NEAR(difference(json, "x").find("value")->number(), 0.25, 1e-12);
  EXPECT_EQ(difference(json, "y").find("n")->number(), 1);
  // Holm over the comparisons of all rows and of both groups: three of two systems.
  std::vector<std::pair<double, double>> p;  // as drawn, corrected
  for (const char* group : {"", "x", "y"}) {
    const Json& pair = difference(json, group);
    p.emplace_back(pair.find("p")->number(), pair.find("p_holm")->number());
  }
  std::ranges::sort(p);
  EXPECT_LT(p[0].first, 1.0 / 3);
  EXPECT_DOUBLE_EQ(p[0].second, 3 * p[0].first);
  for (const char* format : {"text", "csv"}) {
    const Outcome other = compare({"all.csv"}, {"--metric", "f1", "--system", "constituent",
                                                "--group", "kind", "--format", format});
    expect_contains(other.out + other.err, "left out: id y / 4");
    expect_contains(other.out, "0.25");
  }
}

// Means, differences and wins by numpy, p by scipy, corrected by statsmodels over all tests.
TEST_F(Compare, SeveralMetricsAndGroupsEqualScipy) {
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/compare.json");
  std::string all, one, two, three;
  for (const Json& row : fixture.find("rows")->array()) {
    const std::string& system = row.find("system")->string();
    (system == "one" ? one : system == "two" ? two : three) += row.dump() + "\n";
    all += row.dump() + "\n";
  }
  folder_.write("all.jsonl", all);
  folder_.write("one.jsonl", one);
  folder_.write("two.jsonl", two);
  folder_.write("three.jsonl", three);
  const Json named = json_of({"all.jsonl"}, {"--system", "system", "--group", "kind", "--metric",
                                             "soft", "--metric", "exact"});
  const Json files = json_of({"one.jsonl", "two.jsonl", "three.jsonl"},
                             {"--group", "kind", "--metric", "soft,exact"});
  for (const Json* json : {&named, &files}) {
    for (const auto& [metric, means] : fixture.find("means")->object()) {
      for (const auto& [system, mean] : means.object()) {
        EXPECT_NEAR(value_of(*json, "mean", {.metric = metric, .system = system}), mean.number(),
                    1e-12);
      }
    }
    for (const Json& test : fixture.find("tests")->array()) {
      const Keys keys{.metric = test.find("metric")->string(),
                      .system = test.find("first")->string(),
                      .against = test.find("second")->string(),
                      .group = test.find("group")->string()};
      for (const char* name : {"wins", "ties", "losses"}) {
        EXPECT_EQ(value_of(*json, name, keys), test.find(name)->number()) << name;
      }
      Keys permutation = keys;
      permutation.method = "permutation";
      const Json& pair = measured(*json, "difference", permutation);
      EXPECT_NEAR(pair.find("value")->number(), test.find("difference")->number(), 1e-12);
      EXPECT_NEAR(pair.find("p")->number(), test.find("p")->number(), 1e-12);
      EXPECT_NEAR(pair.find("p_holm")->number(), test.find("p_holm")->number(), 1e-12);
      EXPECT_FALSE(pair.find("p_is_bound")->boolean());  // all were made
    }
  }
  const Outcome text = compare({"one.jsonl", "two.jsonl", "three.jsonl"},
                               {"--group", "kind", "--metric", "soft,exact"});
  expect_contains(text.out, "Holm's correction over all 18 comparisons");
  expect_contains(
      text.out,
      "soft: three has the highest mean; the difference to every other system is significant");
  expect_contains(text.err, "compare|metric:soft,exact|one:");
  expect_contains(text.err, "|resamples:10000|permutations:18000|");  // 1,000 for each
  const Outcome csv =
      compare({"all.jsonl"}, {"--system", "system", "--metric", "soft,exact", "--format", "csv"});
  expect_contains(csv.out, "exact,one,three,,,,permutation,,difference,-0.875,,,,");
  expect_contains(csv.out, "exact,one,three,,,,,,losses,14,");
}

TEST_F(Compare, TheLeastPThatATestCanGiveIsMarked) {
  write("low.jsonl", std::vector<double>(40, 0.1));
  write("high.jsonl", std::vector<double>(40, 0.9));
  const Outcome outcome =
      compare({"high.jsonl", "low.jsonl"}, {"--metric", "f1", "--resamples", "100"});
  expect_contains(outcome.out, "≤ 0.010");  // 1 of 101
  expect_contains(outcome.out,
                  "≤: an upper bound, the least p of so many resamples or permutations");
  expect_contains(outcome.err, "|resamples:100|permutations:100|");
  const std::string csv = compare({"high.jsonl", "low.jsonl"},
                                  {"--metric", "f1", "--resamples", "100", "--format", "csv"})
                              .out;
  expect_contains(csv, ",0.009900990099009901,0.009900990099009901,true,true,40,\n");
  EXPECT_FALSE(holds(compare({"a.jsonl", "b.jsonl"}, {"--metric", "f1"}).out, "≤"));
}

// As models score one text in two batches.
TEST_F(Compare, ScoresThatDifferByRoundingTie) {
  write("x.jsonl", {4.2, 1, 5, 3, 2});
  write("y.jsonl", {4.2 + 1e-6, 1, 5, 3.001, 1.9});
  const Json json = json_of({"x.jsonl", "y.jsonl"}, {"--metric", "f1"});
  EXPECT_EQ(value_of(json, "wins", only_pair(json)), 1);
  EXPECT_EQ(value_of(json, "ties", only_pair(json)), 3);
  EXPECT_EQ(value_of(json, "losses", only_pair(json)), 1);
}

TEST_F(Compare, RowsThatDifferMostAreListed) {
  const std::string header = "id,question,reference,prediction,f1,em\n";
  folder_.write("x.csv",
                header + "1,who?,\"['a', 'b']\",a,1,1\n2,when?,c,d,0.2,0\n3,how?,e,e,1,1\n");
  folder_.write("y.csv", header + "3,how?,e,e,1,1\n2,when?,c,c,1,1\n1,who?,a,<f>,0.5,0\n");
  const std::vector<std::string> files = {"x.csv", "y.csv"};
  const Json json = json_of(files, {"--metric", "f1,em"});
  const Json::Array& rows = differing(json);
  ASSERT_EQ(rows.size(), 2u);  // of the third the scores are equal
  EXPECT_EQ(rows[0].find("id")->string(), "2");
  EXPECT_EQ(rows[0].find("question")->string(), "when?");
  EXPECT_EQ(rows[0].find("system_candidate")->string(), "d");
  EXPECT_EQ(rows[0].find("against_score")->number(), 1);
  EXPECT_EQ(rows[1].find("against_candidate")->string(), "<f>");
  EXPECT_EQ(json_of(files, {"--metric", "f1", "--rows", "0"}).find("records"), nullptr);
  EXPECT_FALSE(holds(compare(files, {"--metric", "f1"}).out, "when?"));
  const Outcome text = compare(files, {"--metric", "f1", "--rows", "1"});
  expect_says(text.out, {"Rows on which two systems differ most in f1", "when?"});
  EXPECT_FALSE(holds(text.out, "who?"));
  const std::string page = folder_.file("page.html");
  ASSERT_EQ(compare(files, {"--metric", "em,f1", "--report", page}).code, 0);
  const std::string report = read_file(page);
  expect_says(report, {"em: x, y have the same mean", "&lt;f&gt;",
                       "compare|metric:em,f1|x:", "rubric compare", "wins"});
}

// The column of the answers has no usual name, and the first row has none.
TEST_F(Compare, TheColumnOfAnswersIsFoundInAnyOrderOfRows) {
  const std::string none = "{\"id\": 0, \"f1\": 0.5}\n",
                    rows =
                        "{\"id\": 1, \"reply\": \"cat\", \"f1\": 1}\n"
                        "{\"id\": 2, \"reply\": \"dog\", \"f1\": 0}\n";
  folder_.write("first.jsonl", none + rows);
  folder_.write("last.jsonl", rows + none);
  folder_.write("y.jsonl",
                "{\"id\": 0, \"f1\": 0.5}\n{\"id\": 1, \"f1\": 0}\n{\"id\": 2, \"f1\": 0}\n");
  for (const char* const file : {"first.jsonl", "last.jsonl"}) {
    const Json json = json_of({file, "y.jsonl"}, {"--metric", "f1", "--rows", "1"});
    const Json& row = differing(json).at(0);
    ASSERT_NE(row.find("system_candidate"), nullptr) << file;
    EXPECT_EQ(row.find("system_candidate")->string(), "cat") << file;
  }
}

// As `score --constituent NAME` leaves them where the constituents are systems.
TEST_F(Compare, ConstituentsThatNameTheSystemPairUpById) {
  folder_.write("x.csv", "constituent,id,question,f1\nfid,1,a,0.5\nfid,2,b,0.5\n");
  folder_.write("y.csv", "constituent,id,question,f1\ngpt4,2,b,0.5\ngpt4,1,a,1\n");
  for (const std::vector<std::string>& group :
       {std::vector<std::string>(), {"--group", "constituent"}}) {
    std::vector<std::string> options = {"--metric", "f1"};
    options.insert(options.end(), group.begin(), group.end());
    const Outcome outcome = done(compare({"x.csv", "y.csv"}, options));
    expect_contains(outcome.err, "constituent, and another in each: taken as the system's name");
    expect_contains(outcome.out, "fid     gpt4     -0.250");
    expect_contains(outcome.err, "compare|metric:f1|fid:");
  }
  // A system's own rows need not name it.
  folder_.write("mine.csv", "id,f1\n1,0\n2,0\n");
  expect_contains(compare({"mine.csv", "y.csv"}, {"--metric", "f1"}).out, "mine    gpt4");
  // A field of its own to report by stays.
  folder_.write("g.csv", "constituent,id,kind,f1\nfid,1,k,0.5\nfid,2,l,0.5\n");
  folder_.write("h.csv", "constituent,id,kind,f1\ngpt4,1,k,1\ngpt4,2,l,0.5\n");
  const Json grouped = json_of({"g.csv", "h.csv"}, {"--metric", "f1", "--group", "kind"});
  EXPECT_EQ(difference(grouped, "k").find("n")->number(), 1);
  // One constituent each, but of other data, or of two systems.
  folder_.write("z.csv", "constituent,id,question,f1\ndrop,1,c,0.5\ndrop,2,d,0.5\n");
  expect_message(compare({"x.csv", "z.csv"}, {"--metric", "f1"}), 2,
                 {"2 of 2 records have another question in drop than in fid: ids 1, 2"});
  folder_.write("z.csv", "constituent,id,question,f1\ngpt4,3,a,0.5\n");
  expect_message(compare({"x.csv", "z.csv"}, {"--metric", "f1"}), 2,
                 {"1 question of ", "is missing here: \"b\""});
  expect_message(compare({"x.csv", "y.csv", "z.csv"}, {"--metric", "f1"}), 2,
                 {"fid / 1", "--system FIELD takes the records that all have"});
}

TEST_F(Compare, OneIdOfTwoQuestionsIsTold) {
  folder_.write("x.csv", "id,question,f1\n1,a,1\n2,b,0\n");
  folder_.write("y.csv", "id,question,f1\n1,a,1\n2,c,0\n");  // questions match no more rows
  const Outcome outcome = done(compare({"x.csv", "y.csv"}, {"--metric", "f1"}));
  expect_contains(outcome.err,
                  "warning: 1 of 2 records have another question in y than in x: id 2");
}

TEST_F(Compare, SharesBesidePercentagesAreWarnedOf) {
  folder_.write("pct.csv", "id,f1,em\n1,93.5,0\n2,0,0\n3,40,1\n");
  folder_.write("frac.csv", "id,f1,em\n1,0.9,1\n2,0,0\n3,0.5,1\n");
  const Outcome outcome = compare({"pct.csv", "frac.csv"}, {"--metric", "f1,em"});
  EXPECT_EQ(outcome.code, 0);
  expect_contains(outcome.err,
                  "warning: f1: the scores of frac lie between 0 and 1, and those of pct reach "
                  "93.5: where these are percentages, divide them by 100");
  EXPECT_FALSE(holds(outcome.err, "em: the scores"));
  folder_.write("none.csv", "id,f1\n1,0\n2,0\n3,0\n");  // on any scale
  folder_.write("five.csv", "id,f1\n1,5\n2,1\n3,4\n");
  for (const auto& [first, second] : {std::pair("pct.csv", "none.csv"), {"five.csv", "frac.csv"}}) {
    EXPECT_FALSE(holds(compare({first, second}, {"--metric", "f1"}).err, "lie between"));
  }
  folder_.write("all.csv", "id,system,f1\n1,a,93.5\n2,a,0\n1,b,0.9\n2,b,0\n");
  expect_contains(compare({"all.csv"}, {"--metric", "f1", "--system", "system"}).err,
                  "f1: the scores of b lie between 0 and 1, and those of a reach 93.5");
}

// Where the rows' numbers stood for ids, rows of other questions were compared.
TEST_F(Compare, RowsWithoutIdsAreMatchedByQuestion) {
  folder_.write("x.csv", "question,f1\na,1\nb,0\nc,0.5\n");
  folder_.write("y.csv", "question,f1\nc,0.5\nb,0\na,0.4\n");
  const Outcome outcome = done(compare({"x.csv", "y.csv"}, {"--metric", "f1", "--format", "json"}));
  expect_contains(outcome.err, "rows are matched by passage and question, which 3 records");
  EXPECT_FALSE(holds(outcome.err, "warning"));
  const Json json = Json::parse(outcome.out, "stdout");
  EXPECT_NEAR(difference(json).find("value")->number(), 0.2, 1e-12);
  EXPECT_EQ(value_of(json, "ties", only_pair(json)), 2);
  EXPECT_EQ(value_of(json, "wins", only_pair(json)), 1);
  EXPECT_EQ(differing(json)[0].find("id")->string(), "1");
  // Ids in one file only, and ids that are others in each.
  folder_.write("y.csv", "id,question,f1\n7,c,0.5\n8,b,0\n9,a,0.4\n");
  EXPECT_EQ(difference(json_of({"x.csv", "y.csv"}, {"--metric", "f1"})).dump(),
            difference(json).dump());
  folder_.write("x.csv", "id,question,f1\nx1,a,1\nx2,b,0\nx3,c,0.5\n");
  EXPECT_EQ(difference(json_of({"x.csv", "y.csv"}, {"--metric", "f1"})).dump(),
            difference(json).dump());
  // Ids that all rows have are taken, whatever the questions are.
  folder_.write("y.csv", "id,question,f1\nx2,B,0\nx3,C,0.5\nx1,A,0.4\n");
  EXPECT_EQ(compare({"x.csv", "y.csv"}, {"--metric", "f1"}).code, 0);
  folder_.write("y.csv", "question,f1\na,0.4\nd,0\n");
  expect_message(compare({"x.csv", "y.csv"}, {"--metric", "f1"}), 2,
                 {"2 questions of ", "are missing here: \"b\", \"c\"", "--field id=FIELD"});
  // The first rows of a file are known by their questions, not by their numbers.
  folder_.write("x.csv", "question,f1\na,1\nb,0\nc,0.5\n");
  folder_.write("y.csv", "question,f1\na,0.4\nb,0\n");
  expect_message(compare({"x.csv", "y.csv"}, {"--metric", "f1"}), 2,
                 {"1 question of ", "missing here: \"c\"", "--missing drop"});
  const Outcome dropped =
      done(compare({"x.csv", "y.csv"}, {"--metric", "f1", "--missing", "drop", "--format", "csv"}));
  expect_contains(dropped.out, "f1,y,,,,,,,mean,0.2,");
}

// Without ids and questions a row's number is all that is known of its record.
TEST_F(Compare, RowNumbersOfOtherRecordsAreRefused) {
  folder_.write("x.csv", "reference,f1\ndog,1\ncat,0\ncow,0.5\n");
  folder_.write("y.csv", "reference,f1\ncow,1\ndog,0\ncat,0.4\n");
  folder_.write("z.jsonl",
                R"({"reference": ["dog"], "f1": 0.5}
{"reference": "cat", "f1": 0.5}
{"f1": 1})");
  const std::vector<std::string> f1 = {"--metric", "f1"};
  expect_message(compare({"x.csv", "y.csv"}, f1), 2,
                 {"3 of 3 records have another reference in y than in x: rows 1, 2, 3", "x.csv",
                  "--field id=FIELD"});
  expect_message(compare({"x.csv", "y.csv"}, {"--metric", "f1", "--missing", "drop"}), 2,
                 {"3 of 3 records have another reference"});
  EXPECT_EQ(compare({"x.csv", "z.jsonl"}, f1).code, 0);
  // With ids they are another spelling.
  folder_.write("x.csv", "id,reference,f1\n1,dog,1\n2,cat,0\n3,cow,0.5\n");
  folder_.write("y.csv", "id,reference,f1\n1,a dog,1\n2,cat,0\n3,cow,0.4\n");
  EXPECT_EQ(compare({"x.csv", "y.csv"}, f1).code, 0);
}

// A question that occurs several times has several references, or several passages.
TEST_F(Compare, RepeatedQuestionsAreMatchedByPassageAndReference) {
  folder_.write("x.csv",
                "question,context,reference,f1\nwho?,p,Ann,1\nwho?,p,Bob,0\nwho?,q,Ann,0.5\n");
  folder_.write("y.csv",
                "question,context,reference,f1\nwho?,q,Ann,0.5\nwho?,p,Bob,0\nwho?,p,Ann,0\n");
  const Json json = json_of({"x.csv", "y.csv"}, {"--metric", "f1"});
  EXPECT_EQ(difference(json).find("n")->number(), 3);
  EXPECT_EQ(value_of(json, "questions"), 2);
  EXPECT_EQ(value_of(json, "wins", only_pair(json)), 1);
  EXPECT_EQ(value_of(json, "ties", only_pair(json)), 2);
  folder_.write("y.csv",
                "question,context,reference,f1\nwho?,p,Bob,0\nwho?,p,Ann,0\nwho?,q,Ann,0.5\n");
  EXPECT_EQ(difference(json_of({"x.csv", "y.csv"}, {"--metric", "f1"})).dump(),
            difference(json).dump());
  // In the same order they are matched row by row.
  folder_.write("x.csv", "question,f1\nwho?,1\nwho?,0\n");
  folder_.write("y.csv", "question,f1\nwho?,1\nwho?,0.5\n");
  const Outcome outcome = compare({"x.csv", "y.csv"}, {"--metric", "f1", "--format", "json"});
  const Json twice = Json::parse(outcome.out, "stdout");
  EXPECT_EQ(value_of(twice, "ties", only_pair(twice)), 1);
  EXPECT_FALSE(holds(outcome.err, "matched by passage"));
}

// The usual layout of a table of one's own: a row for each question and system.
TEST_F(Compare, ATableOfQuestionsAndSystemsNeedsFieldsAlone) {
  const std::string rows =
      "n,qid,model,answer,f1\n"
      "1,q1,big,Paris,1\n2,q1,small,London,0\n3,q2,big,Rome,0.5\n4,q2,small,Oslo,0.25\n";
  folder_.write("all.csv", rows);
  const std::vector<std::string> by_id = {"--metric", "f1",     "--system", "model",
                                          "--field",  "id=qid", "--format", "json"};
  const Outcome outcome = done(compare({"all.csv"}, by_id));
  expect_contains(outcome.err, "|system:model|field:id=qid|");
  const Json json = Json::parse(outcome.out, "stdout");
  EXPECT_EQ(difference(json).find("n")->number(), 2);
  EXPECT_NEAR(difference(json).find("value")->number(), 0.625, 1e-12);
  const Json& row = differing(json)[0];
  EXPECT_EQ(row.find("id")->string(), "q1");
  EXPECT_EQ(row.find("system_candidate")->string(), "Paris");
  EXPECT_EQ(row.find("against_candidate")->string(), "London");
  // The only column of texts that differ is the one of the answers.
  std::string renamed = rows;
  renamed.replace(renamed.find("answer"), 6, "output text");
  folder_.write("all.csv", renamed);
  EXPECT_EQ(Json::parse(compare({"all.csv"}, by_id).out, "stdout").find("records")->dump(),
            json.find("records")->dump());
  // Ids that count all rows match none: questions do.
  folder_.write("all.csv",
                "id,question,model,reply,f1\n"
                "1,why?,big,Paris,1\n2,why?,small,London,0\n3,how?,big,Rome,0.5\n"
                "4,how?,small,Oslo,0.25\n");
  const Json by_question = json_of({"all.csv"}, {"--metric", "f1", "--system", "model"});
  EXPECT_EQ(difference(by_question).dump(), difference(json).dump());
  expect_message(compare({"all.csv"}, {"--metric", "f1"}), 2,
                 {"fewer than two systems", "--system model"});
}

TEST_F(Compare, IdsAreEqualWhateverTheirTypes) {
  folder_.write("n.jsonl", "{\"id\": 1, \"f1\": 1}\n{\"id\": 2, \"f1\": 0}\n");
  folder_.write("s.jsonl", "{\"id\": \"2\", \"f1\": 0}\n{\"id\": \"1\", \"f1\": 0.5}\n");
  folder_.write("d.jsonl", "{\"id\": 2.0, \"f1\": 0}\n{\"id\": 1.0, \"f1\": 0.5}\n");
  folder_.write("c.csv", "id,f1\n2.0,0\n1.0,0.5\n");
  for (const char* const other : {"s.jsonl", "d.jsonl", "c.csv"}) {
    const Json json = json_of({"n.jsonl", other}, {"--metric", "f1"});
    EXPECT_EQ(difference(json).find("value")->number(), 0.25) << other;
  }
}

TEST_F(Compare, WhatTellsRepeatedIdsApartIsNamed) {
  folder_.write("x.csv", "id,task,question,f1\n1,nq,a,1\n1,tqa,b,0\n2,nq,c,1\n");
  folder_.write("y.csv", "id,task,question,f1\n1,tqa,b,0\n1,nq,a,0\n2,nq,c,1\n");
  expect_message(compare({"x.csv", "y.csv"}, {"--metric", "f1"}), 2,
                 {"the id \"1\" occurs twice", "--field constituent=task"});
  const Json json = json_of({"x.csv", "y.csv"}, {"--metric", "f1", "--field", "constituent=task"});
  EXPECT_EQ(difference(json).find("n")->number(), 3);
  EXPECT_EQ(value_of(json, "wins", only_pair(json)), 1);
}

// With ids and without, in one file and in several, copies are rows of one record.
TEST_F(Compare, CopiesAreNoFurtherRecords) {
  const std::string a = "A,q1,a1,1\nA,q2,a2,0.5\nA,q3,a3,0.2\nA,q1,a1,1\n",
                    b = "B,q1,b1,0.9\nB,q2,b2,0.5\nB,q3,b3,0.1\nB,q1,b1,0.9\n",
                    header = "system,question,candidate,f1\n";
  const auto expect_three = [&](const std::vector<std::string>& files,
                                std::vector<std::string> options) {
    options.insert(options.end(), {"--metric", "f1"});
    const Json json = json_of(files, options);
    EXPECT_EQ(difference(json).find("n")->number(), 3) << files.size();
    EXPECT_NEAR(difference(json).find("value")->number(), 0.2 / 3, 1e-12);
    expect_contains(json.find("notes")->dump(), "1 record has several rows of one system");
    const std::string told = compare(files, options).err;
    EXPECT_FALSE(holds(told, "rows are copies")) << told;
  };
  folder_.write("all.csv", header + a + b);
  expect_three({"all.csv"}, {"--system", "system"});
  expect_three({"all.csv"}, {"--system", "system", "--field", "id=question"});
  folder_.write("x.csv", header + a);
  folder_.write("y.csv", header + b);
  expect_three({"x.csv", "y.csv"}, {});
  // Matched by number, what is a copy in one file alone stays a record.
  folder_.write("y.csv", header + "B,q1,b1,0.9\nB,q2,b2,0.5\nB,q3,b3,0.1\nB,q1,b4,0.9\n");
  const Outcome outcome = compare({"x.csv", "y.csv"}, {"--metric", "f1", "--format", "json"});
  EXPECT_EQ(difference(Json::parse(outcome.out, "stdout")).find("n")->number(), 4);
  expect_contains(outcome.err, "is a copy of an earlier one in every field, but not in all files");
}

// Samples of one system, and the two candidates of a minimal pair.
TEST_F(Compare, TheRowsOfOneRecordAreAveraged) {
  const std::string first = "qid,question,gold,system,answer,f1\n";
  folder_.write("all.csv", first +
                               "1,q,g,big,a,1\n1,q,g,big,b,0.5\n1,q,g,small,a,1\n1,q,g,small,b,0\n"
                               "2,r,g,big,c,0\n2,r,g,small,c,0.5\n1,q,g,small,c,0.5\n");
  const Json json = json_of({"all.csv"}, {"--metric", "f1", "--system", "system"});
  EXPECT_EQ(difference(json).find("value")->number(), (0.75 + 0) / 2 - (0.5 + 0.5) / 2);
  EXPECT_EQ(difference(json).find("n")->number(), 2);
  expect_contains(json.find("notes")->dump(),
                  "1 record has several rows of one system, whose scores are averaged");
  folder_.write("big.csv", "id,question,f1\n1,q,1\n1,q,0.5\n2,r,0\n");
  folder_.write("small.csv", "id,question,f1\n1,q,1\n1,q,0\n1,q,0.5\n2,r,0.5\n");
  const Json files = json_of({"big.csv", "small.csv"}, {"--metric", "f1"});
  EXPECT_EQ(difference(files).find("value")->number(), difference(json).find("value")->number());
  // Not those of several systems, questions or references.
  folder_.write("other.csv", "id,question,gold,f1\n1,q,g,1\n1,q,h,0\n2,r,g,0\n");
  expect_message(compare({"other.csv", "big.csv"}, {"--metric", "f1"}), 2,
                 {"the id \"1\" occurs twice", "other.csv:2 and "});
  folder_.write("two.csv", "id,question,llm,f1\n1,q,big,1\n1,q,small,0\n2,r,big,0\n");
  expect_message(compare({"two.csv", "big.csv"}, {"--metric", "f1"}), 2, {"--system llm"});
}

TEST_F(Compare, RowsWithoutIdsAreCalledByTheirNumbers) {
  folder_.write("g.csv", "reference,f1\nx,1\ny,0\n");
  folder_.write("h.csv", "reference,f1\nx,1\nz,0\n");
  expect_message(compare({"g.csv", "h.csv"}, {"--metric", "f1"}), 2,
                 {"another reference in h than in g: row 2"});
}

// As `score --constituent NAME` leaves them where the constituents are systems.
TEST_F(Compare, AFieldMayNameTheSystemsOfSeveralFiles) {
  folder_.write("x.csv", "constituent,id,f1\nfid,1,0.5\nfid,2,0.5\n");
  folder_.write("y.csv", "constituent,id,f1\ngpt4,1,1\ngpt4,2,0.5\n");
  const Outcome outcome =
      done(compare({"x.csv", "y.csv"}, {"--metric", "f1", "--system", "constituent"}));
  expect_says(outcome.out, {"fid     gpt4", "-0.250"});
  folder_.write("z.csv", "constituent,id,f1\nfid,1,0\n");
  expect_message(compare({"x.csv", "z.csv"}, {"--metric", "f1", "--system", "constituent"}), 2,
                 {"a second score of fid for the id 1", "z.csv"});
  expect_message(compare({"x.csv"}, {"--metric", "f1", "--system", "constituent"}), 2,
                 {"all rows belong to one system, fid"});
  expect_message(compare({"x.csv"}, {"--metric", "f1", "--system", "id", "--group", "id"}), 2,
                 {"--group is the field that names the systems"});
  folder_.write("z.csv", "constituent,id,f1\nmine,9,0\n");
  expect_message(compare({"x.csv", "z.csv"}, {"--metric", "f1", "--system", "constituent"}), 2,
                 {"not one record is in every system (fid, mine)"});
}

TEST_F(Compare, EachConstituentHasItsDifference) {
  for (const char* name : {"one.csv", "two.csv"}) {
    const std::string score = std::string(name) == "one.csv" ? "1" : "0";
    folder_.write(name, "constituent,id,f1\ndrop,1," + score + "\nquoref,1,0.5\n");
  }
  const Outcome outcome = done(compare(
      {"one.csv", "two.csv"}, {"--metric", "f1", "--group", "constituent", "--format", "csv"}));
  expect_contains(outcome.out, "f1,one,two,,,,bootstrap,,difference,0.5,");
  expect_contains(outcome.out, "f1,one,two,drop,,,bootstrap,,difference,1,");
  expect_contains(outcome.out, "f1,one,two,quoref,,,bootstrap,,difference,0,");
}

TEST_F(Compare, EveryFormatHoldsTheDifference) {
  for (const char* format : {"text", "markdown", "latex", "csv"}) {
    const Outcome outcome = compare({"a.jsonl", "b.jsonl"}, {"--metric", "f1", "--format", format});
    expect_contains(outcome.out, std::string(format) == "csv" ? "difference,0.2," : "0.200");
  }
}

// Numbers of rows under no usual name, in another order: they name records.
TEST_F(Compare, RowsThatAreNumberedInAnotherOrderAreNotCompared) {
  const auto write_rows = [&](const std::string& file, int step, bool is_count) {
    std::string rows = "nr,f1\n";
    for (int i = 0; i < 20; ++i) {
      rows += std::to_string(is_count ? i % 3 + step : i * step % 20) + ",0." +
              std::to_string(i * step % 10) + "\n";
    }
    folder_.write(file, rows);
  };
  write_rows("one.csv", 1, false);
  write_rows("two.csv", 7, false);
  expect_message(compare({"one.csv", "two.csv"}, {"--metric", "f1"}), 2,
                 {"18 rows", "another \"nr\"", "the same texts in another order", "--field id=nr"});
  EXPECT_EQ(compare({"one.csv", "two.csv"}, {"--metric", "f1", "--field", "id=nr"}).code, 0);
  write_rows("three.csv", 7, true);  // such as the words of an answer
  const Outcome others = done(compare({"one.csv", "three.csv"}, {"--metric", "f1"}));
  EXPECT_FALSE(holds(others.err, "another \"nr\""));
}

TEST_F(Compare, BadInputIsNamed) {
  write("shifted.jsonl", {0.9, 0.8, 0.7, 0.6, 0.5}, 2);
  const auto expect = [&](const std::vector<std::string>& files, const std::string& metric,
                          const std::vector<std::string>& parts) {
    expect_message(compare(files, {"--metric", metric}), 2, parts);
  };
  expect({"a.jsonl", "shifted.jsonl"}, "f1", {"2 ids of ", "are missing here: q0, q1"});
  expect({"a.jsonl"}, "f1", {"fewer than two systems"});
  expect({"a.jsonl", "a.jsonl"}, "f1", {"one file is named twice"});
  expect({"a.jsonl", "b.jsonl"}, "em", {"no row has a score \"em\"", "the file has f1"});
  expect({"a.jsonl", "b.jsonl"}, "f1,f2", {"no row has a score \"f2\"", "did you mean f1?"});
  expect({"a.jsonl", "b.jsonl"}, "f1,f1", {"the metric f1 is named twice"});
  expect({"a.jsonl", "b.jsonl"}, "f1,", {"a name in \"f1,\" is empty"});
  folder_.write("both.jsonl", "{\"id\": \"q0\", \"scores\": {\"f1\": 1, \"em\": 1}}\n");
  folder_.write("half.jsonl", "{\"id\": \"q0\", \"scores\": {\"f1\": 1}}\n");
  expect({"both.jsonl", "half.jsonl"}, "f1,em", {"no row has a score \"em\"", "half.jsonl"});
  folder_.write("twice.jsonl",
                "{\"id\": 1, \"question\": \"a\", \"scores\": {\"f1\": 1}}\n"
                "{\"id\": 1, \"question\": \"b\", \"scores\": {\"f1\": 1}}\n");
  expect({"a.jsonl", "twice.jsonl"}, "f1", {"the id \"1\" occurs twice"});
  expect_message(compare({"a.jsonl", "b.jsonl"}, {}), 2, {"no metric is named", "a.jsonl has f1"});
  const auto expect_option = [&](std::vector<std::string> options, const std::string& part) {
    options.insert(options.end(), {"--metric", "f1"});
    expect_message(compare({"a.jsonl", "b.jsonl"}, options), 2, {part});
  };
  expect_option({"--rows", "-1"}, "--rows is -1");
  expect_option({"--rows", "3", "--format", "csv"}, "--rows without a place");
  expect_option({"--rows", "3", "--records", "difering"}, "did you mean differing?");
  const Outcome rows =
      compare({"a.jsonl", "b.jsonl"}, {"--metric", "f1", "--rows", "1", "--records", "differing"});
  EXPECT_TRUE(rows.out.starts_with("system,against,group,")) << rows.out;
  EXPECT_EQ(std::ranges::count(rows.out, '\n'), 2) << rows.out;
  expect_option({"--report", folder_.file("missing/page.html")}, "does not exist");
  const std::string before = read_file(folder_.file("b.jsonl"));
  expect_option({"--report", folder_.file("b.jsonl")}, "this would replace");
  EXPECT_EQ(read_file(folder_.file("b.jsonl")), before);
}

TEST_F(Compare, ACopyOfASystemIsSaidToBeOne) {
  expect_contains(compare({"a.jsonl", "c.jsonl"}, {"--metric", "f1"}).out,
                  "a and c have the same scores of every record: check that these are two systems");
  EXPECT_FALSE(holds(compare({"a.jsonl", "b.jsonl"}, {"--metric", "f1"}).out, "the same scores"));
}

// Its only resample is itself.
TEST_F(Compare, OneQuestionHasNoPOfTheBootstrap) {
  for (const char* const name : {"one", "two"}) {
    std::string rows;
    for (int i = 0; i < 4; ++i) {
      rows += R"({"id": ")" + std::to_string(i) + R"(", "question": "q", "scores": {"f1": )" +
              std::to_string(name[0] == 'o' ? i : i + 1) + "}}\n";
    }
    folder_.write(std::string(name) + ".jsonl", rows);
  }
  const Json json = json_of({"one.jsonl", "two.jsonl"}, {"--metric", "f1"});
  EXPECT_EQ(interval_of_difference(json).find("p"), nullptr);
  EXPECT_EQ(interval_of_difference(json).find("low"), nullptr);
  EXPECT_EQ(difference(json).find("p")->number(), 1);
  expect_contains(json.find("notes")->dump(), "no p of the bootstrap");
}

}  // namespace rubric::cli::compare_test
