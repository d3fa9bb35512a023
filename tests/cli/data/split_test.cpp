// `split`: rows in, a folder of parts out.
#include <algorithm>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"

namespace rubric::cli::split_test {

struct SplitCommand : testing::Test {
  Outcome split(const std::string& input, const std::vector<std::string>& more = {}) const {
    return run(
        joined({"rubric", "split", "--input", input, "--output", folder_.file("out")}, more));
  }
  std::string rows(int count) const {
    std::string csv = "question,truth,candidate,score\n";
    for (int i = 0; i < count; ++i) {
      csv += "q" + std::to_string(i % (count / 2)) + ",r,c" + std::to_string(i) + ",3\n";
    }
    return folder_.write("rows.csv", csv);
  }

  TemporaryFolder folder_;
};

TEST_F(SplitCommand, WritesTheRowsOfEachPart) {
  const Outcome outcome =
      done(split(rows(200), {"--field", "reference=truth", "--format", "json"}));
  int64_t in_parts = 0;
  const Json counts = Json::parse(outcome.out, "stdout");
  for (const char* name : {"train", "dev", "test"}) {
    const std::string text = read_file(folder_.file("out/" + std::string(name) + ".jsonl"));
    const auto lines = std::count(text.begin(), text.end(), '\n');
    in_parts += lines;
    EXPECT_EQ(value_of(counts, "rows", {.subset = name}), lines);
    EXPECT_EQ(value_of(counts, "values", {.subset = name}), lines / 2);
  }
  EXPECT_EQ(in_parts, 200);
  expect_says(read_file(folder_.file("out/train.jsonl")),
              {R"("reference": "r", "candidate": "c)", R"("score": 3})"});
}

// In one file and in several, with ids and without, by question and by another field.
TEST_F(SplitCommand, CopiesAreCountedAndStayTogether) {
  std::string csv = "question,reference,candidate,score\n";
  for (int i = 0; i < 40; ++i) csv += "q" + std::to_string(i) + ",r,c,3\n";
  const std::string once = folder_.write("once.csv", csv),
                    twice = folder_.write("twice.csv", csv + "q7,r,c,3\nq9,r,c,2\nq7,r,c,3\n");
  const std::string told = "2 rows are copies of an earlier one in every field: ";
  expect_contains(split(twice, {"--by", "reference", "--shares", "all=1"}).err,
                  told + twice + ":42, " + twice + ":44");
  std::filesystem::remove_all(folder_.file("out"));
  expect_contains(split(twice).err, told + twice + ":42, " + twice + ":44");
  int parts = 0;
  for (const char* const name : {"train", "dev", "test"}) {
    const std::string part = read_file(folder_.file("out/" + std::string(name) + ".jsonl"));
    parts += holds(part, "\"q7\"") ? 1 : 0;
  }
  EXPECT_EQ(parts, 1);
  std::filesystem::remove_all(folder_.file("out"));
  expect_contains(split(once, {"--input", twice}).err, "42 rows are copies of an earlier one");
  std::filesystem::remove_all(folder_.file("out"));
  EXPECT_FALSE(holds(split(once).err, "copies"));
}

TEST_F(SplitCommand, LabelsFarFromAllOthersAreWarnedOf) {
  std::string csv = "question,reference,candidate,score\n";
  for (int i = 0; i < 40; ++i) {
    csv += "q" + std::to_string(i) + ",r,c," + (i % 20 == 7 ? "-99" : std::to_string(i % 4)) + "\n";
  }
  const std::string file = folder_.write("rows.csv", csv);
  expect_contains(split(file).err, "row 8 has -99 (" + file + ":9), row 28 has -99 (" + file +
                                       ":29), all others are from 0 to 3");
}

TEST_F(SplitCommand, PartsOfOneLabelAreWarnedOf) {
  std::string csv = "question,reference,candidate,score\n";
  for (int i = 0; i < 40; ++i) csv += "q" + std::to_string(i) + ",r,c," + (i == 7 ? "5\n" : "1\n");
  const Outcome outcome = split(folder_.write("rows.csv", csv), {"--shares", "a=0.5,b=0.5"});
  const std::string first = read_file(folder_.file("out/a.jsonl"));
  const bool is_in_first = holds(first, "\"q7\"");
  const auto in_first = std::ranges::count(first, '\n');
  expect_contains(outcome.err, "all " + std::to_string(is_in_first ? 40 - in_first : in_first) +
                                   " labels of " + (is_in_first ? "b" : "a") +
                                   " are 1: correlations with them are undefined; another --seed");
  EXPECT_FALSE(holds(outcome.err, std::string("labels of ") + (is_in_first ? "a" : "b")));
  std::filesystem::remove_all(folder_.file("out"));
  expect_contains(split(rows(40), {"--shares", "all=1", "--field", "reference=truth"}).err,
                  "all 40 labels of all are 3: correlations with them are undefined\n");
}

// Words of people for no judgement are labels that are missing.
TEST_F(SplitCommand, WordsForNoLabelAreMissing) {
  std::string csv = "question,reference,candidate,score\n";
  for (int i = 0; i < 40; ++i) {
    csv += "q" + std::to_string(i) + ",r,c," +
           (i % 20 == 7  ? "unsure"
            : i % 2 == 0 ? "yes"
                         : "no") +
           "\n";
  }
  const std::string file = folder_.write("rows.csv", csv);
  expect_message(split(file), 2,
                 {"the field \"score\" is \"unsure\"", file + ":9", "--missing drop"});
  const Outcome dropped = done(split(file, {"--missing", "drop"}));
  expect_contains(dropped.err, "2 rows are left out: 2 without a label");
}

TEST_F(SplitCommand, MissingValuesHaveARule) {
  std::string csv = "question,reference,candidate,score\n";
  for (int i = 0; i < 40; ++i) csv += "q" + std::to_string(i) + ",r,c,3\n";
  const std::string unlabelled = folder_.write("rows.csv", csv + "q40,r,c,\n"),
                    without = folder_.write("texts.csv", csv + "q40,,c,3\n");
  const auto total = [&](const std::string& rule, const std::string& file) {
    std::filesystem::remove_all(folder_.file("out"));
    done(split(file, {"--missing", rule}));
    int64_t lines = 0;
    for (const char* name : {"train", "dev", "test"}) {
      const std::string text = read_file(folder_.file("out/" + std::string(name) + ".jsonl"));
      lines += std::count(text.begin(), text.end(), '\n');
    }
    return lines;
  };
  expect_message(split(unlabelled), 2, {"the row has no label", "rows.csv:42"});
  expect_message(split(without), 2, {"the row has no reference", "texts.csv:42"});
  EXPECT_EQ(total("drop", unlabelled), 40);
  EXPECT_EQ(total("drop", without), 40);
  EXPECT_EQ(total("empty", unlabelled), 41);
  EXPECT_EQ(total("empty", without), 41);
}

TEST_F(SplitCommand, LabelsMayBeWords) {
  const std::string rows = folder_.write("rows.csv",
                                         "question,reference,candidate,score\n"
                                         "q1,r,c,True\nq2,r,c,no\n");
  done(split(rows, {"--shares", "all=1"}));
  const std::string text = read_file(folder_.file("out/all.jsonl"));
  expect_contains(text, R"("question": "q1", "reference": "r", "candidate": "c", "score": 1})");
  expect_contains(text, R"("question": "q2", "reference": "r", "candidate": "c", "score": 0})");
}

TEST_F(SplitCommand, AFieldMayBeInAnObject) {
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += R"({"doc": {"topic": "t)" + std::to_string(i / 2) + "\"}}\n";
  }
  const Outcome outcome =
      done(split(folder_.write("rows.jsonl", lines),
                 {"--by", "doc.topic", "--shares", "a=0.5,b=0.5", "--format", "json"}));
  const std::string text = read_file(folder_.file("out/a.jsonl"));
  const auto rows = std::ranges::count(text, '\n');
  const Json counts = Json::parse(outcome.out, "stdout");
  EXPECT_EQ(value_of(counts, "rows", {.subset = "a"}), rows);
  EXPECT_EQ(value_of(counts, "values", {.subset = "a"}), rows / 2);
}

// Each file has its own format, and a question of several comes into one part.
TEST_F(SplitCommand, RowsOfSeveralFilesAreSplitTogether) {
  std::string own = "question,reference,candidate,score\n", judged;
  for (int i = 0; i < 40; ++i) {
    const std::string question = "q" + std::to_string(i);
    own += question + ",r,c,3\n";
    judged += R"({"label": "correct", "reference": "r", "candidate": "d", "question": ")" +
              question + "\"}\n";
  }
  const Outcome outcome =
      done(split(folder_.write("own.csv", own), {"--input", folder_.write("ae.jsonl", judged),
                                                 "--shares", "a=0.5,b=0.5", "--format", "json"}));
  int64_t rows = 0;
  for (const char* const part : {"a", "b"}) {
    const std::string text = read_file(folder_.file("out/" + std::string(part) + ".jsonl"));
    const auto lines = std::count(text.begin(), text.end(), '\n');
    rows += lines;
    const Json counts = Json::parse(outcome.out, "stdout");
    EXPECT_EQ(value_of(counts, "rows", {.subset = part}), lines);
    EXPECT_EQ(value_of(counts, "values", {.subset = part}), lines / 2);
    expect_says(text, {R"("constituent": "answer_equivalence")", R"("score": 3)"});
  }
  EXPECT_EQ(rows, 80);
  expect_message(
      run({"rubric", "split", "--input", folder_.file("own.csv"), "--input",
           folder_.file("ae.jsonl"), "--by", "candidate", "--output", folder_.file("other")}),
      2, {"several files are split by question or passage"});
  const std::string twice = folder_.file("own.csv");
  expect_message(run({"rubric", "split", "--input", twice, "--input", twice, "--output",
                      folder_.file("other")}),
                 2, {"the file is given twice"});
  expect_message(run({"rubric", "split", "--input", "", "--output", folder_.file("other")}), 2,
                 {"--input is empty"});
}

TEST_F(SplitCommand, FileFieldTellsTheFilesOfTheRows) {
  const std::string rows = R"({"id": "1", "question": "q", "reference": "r", "candidate": "c"})";
  const std::string first = folder_.write("first.jsonl", rows + "\n");
  const std::string second = folder_.write("second.jsonl", rows + "\n");
  const std::vector<std::string> both = {"--input", second, "--shares", "all=1", "--file-field"};
  const auto with = [&](const char* name) {
    std::vector<std::string> arguments = both;
    arguments.emplace_back(name);
    return arguments;
  };
  expect_message(split(first, with("candidate")), 2,
                 {"have a field \"candidate\" already", "first.jsonl", "another name"});
  // At once, not when the first file has been read.
  expect_message(split(folder_.file("absent.jsonl"), with("")), 2, {"--file-field is empty"});
  ASSERT_EQ(split(first, with("run")).code, 0);
  const std::string split_rows = read_file(folder_.file("out/all.jsonl"));
  expect_contains(split_rows.substr(0, split_rows.find('\n')), "\"run\": " + json_quote(first));
  expect_contains(split_rows.substr(split_rows.find('\n')), "\"run\": " + json_quote(second));
  ASSERT_EQ(run({"rubric", "split", "--input", first, "--shares", "all=1", "--by", "id",
                 "--file-field", "run", "--output", folder_.file("by_id")})
                .code,
            0);
  expect_contains(read_file(folder_.file("by_id/all.jsonl")), json_quote(first));
}

// A column of numbers with decimal commas gets points, but texts stay as they are.
TEST_F(SplitCommand, ByAnotherFieldTextsKeepTheirCommas) {
  const std::string csv = folder_.write("rows.csv", "id;candidate;score\na;1,000;2,5\nb;2,5;3,5\n");
  done(split(csv, {"--by", "id", "--shares", "all=1"}));
  const std::string all = read_file(folder_.file("out/all.jsonl"));
  expect_contains(all, R"("candidate": "1,000", "score": "2.5")");
  expect_contains(all, R"("candidate": "2,5", "score": "3.5")");
}

TEST_F(SplitCommand, KeepsWhatElseTheRowsHold) {
  const std::string csv =
      folder_.write("rows.csv", "note,q,reference,candidate,score\nn,why,r,c,3\n");
  done(split(csv, {"--field", "question=q", "--shares", "all=1"}));
  EXPECT_EQ(read_file(folder_.file("out/all.jsonl")),
            R"({"id": "1", "question": "why", "reference": "r", "candidate": "c", "score": 3, )"
            R"("note": "n"})"
            "\n");
}

TEST_F(SplitCommand, KeepsTheMetadataOfMochasInstances) {
  const std::string file = folder_.write(
      "m.json",
      R"({"drop": {"a": {"context": "p", "question": "q", "reference": "r", )"
      R"("candidate": "c", "score": 3, "metadata": {"source": "bert", "scores": [3]}}}})");
  done(split(file, {"--shares", "all=1"}));
  EXPECT_EQ(read_file(folder_.file("out/all.jsonl")),
            R"({"id": "a", "constituent": "drop", "source": "bert", "passage": "p", )"
            R"("question": "q", "reference": "r", "candidate": "c", "score": 3, )"
            R"("metadata": {"source": "bert", "scores": [3]}})"
            "\n");
}

TEST_F(SplitCommand, LosesNoMemberOfMochasInstances) {
  const auto instance = [&](const std::string& more) {
    return folder_.write("m.json", R"({"drop": {"a": {"context": "p", "question": "q", )"
                                   R"("reference": "r", "candidate": "c", )" +
                                       more + "}}}");
  };
  done(split(instance(R"("source": "mine", "id": "a")"), {"--shares", "all=1"}));
  EXPECT_EQ(read_file(folder_.file("out/all.jsonl")),
            R"({"id": "a", "constituent": "drop", "passage": "p", "question": "q", )"
            R"("reference": "r", "candidate": "c", "source": "mine"})"
            "\n");
  std::filesystem::remove_all(folder_.file("out"));
  for (const std::string name : {"id", "constituent", "source", "passage"}) {
    const std::string own = "\"" + name + R"(": "own", "metadata": {"source": "bert"})";
    const Outcome refused = split(instance(own), {"--shares", "all=1"});
    expect_message(refused, 2,
                   {"\"" + name + "\" would give way to the " + name, "MOCHA", "\"drop\" / \"a\""});
    EXPECT_EQ(refused.err.find("--field"), std::string::npos) << refused.err;
  }
}

TEST_F(SplitCommand, RefusesTwoFieldsOfOneName) {
  const std::string csv =
      folder_.write("rows.csv", "question,reference,candidate,mine\nq,r,old,new\n");
  expect_message(split(csv, {"--field", "candidate=mine"}), 2,
                 {"\"candidate\" would give way to \"mine\"", "rows.csv:2"});
}

TEST_F(SplitCommand, SamplesQuestionsOfThePartsNamed) {
  const Json counts =
      printed_json(split(rows(200), {"--field", "reference=truth", "--shares", "a=0.5,b=0.5",
                                     "--at-most", "b=3", "--format", "json"}));
  EXPECT_EQ(value_of(counts, "rows", {.subset = "b"}), 6);
  EXPECT_EQ(value_of(counts, "values", {.subset = "b"}), 3);
}

// Those that sequence models learn from.
TEST_F(SplitCommand, ByAFieldOfTheirsAnyRowsAreSplit) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += "{\"id\": " + std::to_string(i / 2) + ", \"source\": \"s\", \"target\": \"t" +
            std::to_string(i) + "\"}\n";
  }
  const std::string input = folder_.write("pairs.jsonl", text);
  const Outcome outcome =
      done(split(input, {"--by", "id", "--shares", "a=0.5,b=0.5", "--format", "json"}));
  EXPECT_GT(value_of(Json::parse(outcome.out, "stdout"), "values", {.subset = "a"}), 0);
  std::vector<std::string> lines;
  for (const char* name : {"a", "b"}) {
    LineReader part(folder_.file("out/" + std::string(name) + ".jsonl"));
    for (std::string line, second; part.next(line);) {
      ASSERT_TRUE(part.next(second));
      EXPECT_EQ(second.substr(0, second.find(',')), line.substr(0, line.find(',')));
      lines.insert(lines.end(), {line, second});
    }
  }
  EXPECT_EQ(lines.size(), 100u);
  for (const std::string& line : lines) expect_contains(text, line + "\n");
  folder_.write("pairs.jsonl", "{\"id\": \"\", \"source\": \"s\"}\n");
  std::filesystem::remove_all(folder_.file("out"));
  expect_message(split(input, {"--by", "id"}), 2, {"no id to split by", "pairs.jsonl:1"});
}

TEST_F(SplitCommand, LeavesWhatIsThereAlone) {
  folder_.write("out/mine", "text");
  expect_message(split(rows(200), {"--field", "reference=truth"}), 2,
                 {"there is something of this name already", folder_.file("out")});
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"out", "rows.csv"}));
}

TEST_F(SplitCommand, RecordsThatThereAreNotAreRefusedBeforeAnythingIsWritten) {
  expect_message(split(rows(20), {"--field", "reference=truth", "--records", "rows"}), 2,
                 {"no tables of records"});
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

TEST_F(SplitCommand, RefusesWhatItCannotUse) {
  const std::string input = rows(200);
  const auto refuses = [&](const std::vector<std::string>& arguments, const std::string& part) {
    expect_message(split(input, joined({"--field", "reference=truth"}, arguments)), 2, {part});
  };
  refuses({"--shares", "train=0.7,dev=0.1"}, "add up to 0.8000, not to 1");
  refuses({"--shares", "train=1,train=0"}, "above 0, found \"train=0\"");
  refuses({"--shares", "train=0.5,train=0.5"}, "train is named twice");
  refuses({"--shares", "train"}, "expected NAME=NUMBER above 0, found \"train\"");
  refuses({"--shares", "train=nan"}, "expected NAME=NUMBER");
  refuses({"--shares", "../x=1"}, "\"../x\" cannot be the name of a part");
  refuses({"--at-most", "tran=5"}, "did you mean");
  refuses({"--at-most", "train=2.5"}, "not a whole number");
  refuses({"--by", "candidate"}, "answers are split by question or passage");
  expect_message(split(input, {"--by", "qestion"}), 2,
                 {"\"qestion\" is missing", "did you mean \"question\"?", "rows.csv:2"});
  expect_message(split(input, {"--by", "id", "--input-format", "mocha"}), 2, {"--by id"});
  refuses({"--by", "passage"}, "no passage to split by");
  refuses({"--shares", "train=0.999999,dev=0.000001"}, "no row comes into dev");
  expect_message(split(input), 2, {"\"reference\" is missing"});
  expect_message(split(folder_.file("none.csv")), 2, {"none.csv"});
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.csv"});
}

}  // namespace rubric::cli::split_test
