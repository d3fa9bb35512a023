#include <gtest/gtest.h>

#include "data/scored_files/scored_files.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::scored_rows_test {

struct ScoredRowsFile : testing::Test {
  ScoredRows read(const std::string& name, const std::string& text, const RowFields& fields) {
    return read_scored_rows(folder_.write(name, text), input_format("", name), fields);
  }
  std::string error(const std::string& name, const std::string& text, const RowFields& fields) {
    return input_error([&] { read(name, text, fields); });
  }
  TemporaryFolder folder_;
};

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

const RowFields kHuman = {"human", "", "", {}};

// What all scores are asked for are those that some row has a number of.
TEST_F(ScoredRowsFile, ScoresThatAreNoNumbersAreNoMetrics) {
  for (const char* const other : {R"({"b": 1})", "[1]", R"("bad")", "null", "{}"}) {
    std::string text;
    for (const int i : {0, 1}) {
      text += R"({"id": [], "human": )" + std::to_string(i) + R"(, "scores": {"x": )" + other +
              R"(, "f1": )" + std::to_string(i) + "}}\n";
    }
    EXPECT_EQ(read("r.jsonl", text, kHuman).metrics, Names{"f1"}) << other;
    EXPECT_NE(error("r.jsonl", text, {"human", "", "", {"x"}}), "accepted") << other;
  }
}

// A label that was joined to the scores agreed with itself, r = 1.000, as the best metric.
TEST_F(ScoredRowsFile, TheLabelIsNoMetric) {
  const std::string nested = R"({"id": "a", "human": 5, "scores": {"human": 5, "f1": 1}})"
                             "\n"
                             R"({"id": "b", "human": 1, "scores": {"human": 1, "f1": 0}})"
                             "\n";
  testing::internal::CaptureStderr();
  EXPECT_EQ(read("r.jsonl", nested, kHuman).metrics, Names{"f1"});
  expect_contains(testing::internal::GetCapturedStderr(),
                  "the score \"human\" has the name of the label, and is no metric");
  EXPECT_EQ(read("r.jsonl", nested, {"scores.human", "", "", {}}).metrics, Names{"f1"});
  RowFields not_read;
  not_read.label = "human";
  EXPECT_EQ(read("r.jsonl", nested, not_read).metrics, Names{"f1"});
  EXPECT_EQ(read("r.csv", "human,f1\n5,1\n1,0\n", not_read).metrics, Names{"f1"});
  const std::string problem = "the label human is also named as a metric";
  expect_contains(error("r.csv", "human,f1\n5,1\n1,0\n", {"human", "", "", {"f1", "human"}}),
                  problem);
  expect_contains(error("r.jsonl", nested, {"human", "", "", {"human"}}), problem);
  expect_contains(error("r.jsonl", nested, {"human", "", "", {"scores.human"}}), problem);
  // By a name of ours, which this file calls otherwise.
  RowFields renamed = {"score", "", "", {"rating"}};
  renamed.fields = {{"score", "rating"}};
  expect_contains(error("r.csv", "rating,f1\n5,1\n1,0\n", renamed),
                  "the label rating is also named as a metric");
  not_read.metrics = {"human"};
  expect_contains(error("r.jsonl", nested, not_read), problem);
  const std::string alone = R"({"human": 5, "scores": {"human": 5}})";
  expect_contains(error("r.jsonl", alone, kHuman), "the file holds no scores");
  // Labels that `score --join` put among the scores.
  expect_contains(error("r.jsonl", R"({"scores": {"human": 5, "f1": 1}})", kHuman),
                  "did you mean --human scores.human?");
}

// Nobody could use the scores of a judge that were named as people's label is.
TEST_F(ScoredRowsFile, AnotherJudgesScoreOfTheLabelsNameIsAMetric) {
  const std::string text = R"({"id": "a", "score": 5, "scores": {"score": 4, "f1": 1}})"
                           "\n"
                           R"({"id": "b", "score": 1, "scores": {"score": 1, "f1": 0}})"
                           "\n";
  RowFields not_read;
  not_read.label = "score";
  for (RowFields fields : {RowFields{"score", "", "", {}}, not_read}) {
    EXPECT_EQ(read("r.jsonl", text, fields).metrics, (Names{"score", "f1"}));
    for (const char* const name : {"score", "scores.score"}) {
      fields.metrics = {name};
      const ScoredRows rows = read("r.jsonl", text, fields);
      EXPECT_EQ(rows.scores, (std::vector<Numbers>{Numbers{4, 1}})) << name;
    }
  }
  // The label itself, in the judge's place, is no metric, nor is one of equal values in words.
  const std::string problem = "the label scores.score is also named as a metric";
  expect_contains(error("r.jsonl", text, {"scores.score", "", "", {"score"}}), problem);
  const std::string words = R"({"id": "a", "score": "yes", "scores": {"score": 1, "f1": 1}})"
                            "\n"
                            R"({"id": "b", "score": "-", "scores": {"score": 1, "f1": 0}})"
                            "\n";
  EXPECT_EQ(read("r.jsonl", words, not_read).metrics, Names{"f1"});
}

// Of rows with ids the ids say so; rows of numbers alone may be equal.
TEST_F(ScoredRowsFile, CopiedRowsAreWarnedOf) {
  const auto told = [&](const std::string& text) {
    return stderr_of([&] { read("r.csv", text, kHuman); });
  };
  expect_contains(told("question,candidate,human,f1\nq,a,1,0.5\nq,b,1,0.5\nq,a,1,0.5\nq,a,1,0.5\n"),
                  "2 rows are copies of an earlier one in every field: ");
  expect_contains(told("question,human,f1\nq,1,0.5\np,1,0.5\nq,1,0.5\n"), "r.csv:4");
  EXPECT_EQ(told("question,candidate,human,f1\nq,a,1,0.5\nq,b,1,0.5\nq,a,0,0.5\n"), "");
  EXPECT_EQ(told("human,f1\n1,0.5\n0,1\n1,0.5\n"), "");
}

// Blanks at the ends of names make no second system, group or id; labels have them too.
TEST_F(ScoredRowsFile, NamesHaveNoBlanksAtTheirEnds) {
  const std::string text =
      "id,system,kind,human,f1\n"
      "1 ,gpt4,a,correct,0.5\n1,llama,a ,correct ,0.5\n2,gpt4 "
      ",a,wrong,0.5\n2,GPT4,a,wrong\u00a0,0.1\n";
  testing::internal::CaptureStderr();
  const ScoredRows rows = read("r.csv", text, {"human", "kind", "system", {}});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(rows.ids, (Names{"1", "1", "2", "2"}));
  EXPECT_EQ(rows.systems, (Names{"gpt4", "llama", "gpt4", "GPT4"}));
  EXPECT_EQ(rows.groups, (Names{"a", "a", "a", "a"}));
  EXPECT_EQ(rows.human, (Numbers{1, 1, 0, 0}));
  for (const char* const part :
       {"blanks at an end of the field \"id\"", "blanks at an end of the field \"system\"",
        "blanks at an end of the field \"kind\"", "\"GPT4\" (1 row) and \"gpt4\" (2 rows)"}) {
    expect_contains(said, part);
  }
}

// Before a number is computed, with row and value.
TEST_F(ScoredRowsFile, LabelsFarFromAllOthersAreWarnedOf) {
  const auto told = [&](const std::string& code) {
    std::string text = "id,human,f1\n";
    for (int i = 0; i < 30; ++i) {
      text += "q" + std::to_string(i) + "," + (i % 10 == 3 ? code : std::to_string(1 + i % 5)) +
              ",0.5\n";
    }
    testing::internal::CaptureStderr();
    read("r.csv", text, kHuman);
    return testing::internal::GetCapturedStderr();
  };
  for (const char* const code : {"-99", "999", "-1", "9"}) {
    const std::string said = told(code);
    for (const std::string row : {"3", "13", "23"}) {
      expect_contains(said, "id q" + row + " has " + code + " (");
      expect_contains(said, "r.csv:" + std::to_string(std::stoi(row) + 2) + ")");
    }
    expect_contains(said, "all others are from 1 to 5: where such a number stands for a missing");
  }
  EXPECT_EQ(told("5"), "");
}

// Columns of ids, whatever they are called, and of the rows' numbers are no metrics, and are named.
TEST_F(ScoredRowsFile, IdsAreNoMetrics) {
  std::string text = "qid,Index,questionId,example id,Unnamed: 0,n,paid,valid,human,f1\n";
  for (int i = 0; i < 10; ++i) {
    const std::string number = std::to_string(i), other = std::to_string(i * 7 % 11);
    text += number + "," + number + "," + other + "," + other + "," + number + "," + number + "," +
            other + "," + std::to_string(i % 2) + "," + std::to_string(i % 2) + ",0.5\n";
  }
  testing::internal::CaptureStderr();
  EXPECT_EQ(read("r.csv", text, kHuman).metrics, (Names{"paid", "valid", "f1"}));
  const std::string told = testing::internal::GetCapturedStderr();
  expect_contains(
      told, "columns that look like ids are no metrics: \"qid\", \"Index\", \"questionId\", ");
  expect_contains(told, "\"n\"; --metric names one that is");
  EXPECT_EQ(read("r.csv", text, {"human", "", "", {"n"}}).metrics, Names{"n"});
  EXPECT_EQ(read("r.csv", "human,row\n1,0.5\n0,1\n", kHuman).metrics, Names{"row"});
  EXPECT_EQ(read("r.csv", "human,n\n1,1\n0,2\n", kHuman).metrics, Names{"n"});
  expect_contains(error("r.csv", "human,row,x\n1,1,2\n0,2,a\n", {"human", "", "", {"f2"}}),
                  "the file has human, x");
}

// What is no id is none.
TEST_F(ScoredRowsFile, EmptyIdsAreNone) {
  for (const char* const id : {"{}", "[]", "null", "\"\""}) {
    std::string text;
    for (const char* const question : {"a", "b"}) {
      text += std::string(R"({"id": )") + id +
              R"(, "human": 1, "scores": {"f1": 1}, "question": ")" + question + "\"}\n";
    }
    const ScoredRows rows = read("r.jsonl", text, kHuman);
    EXPECT_EQ(rows.ids, (Names{"1", "2"})) << id;
    EXPECT_FALSE(has_ids(rows)) << id;
  }
}

TEST_F(ScoredRowsFile, NamesThatAreOptionalAreReadWhereTheyAre) {
  RowFields fields = {"", "g", "s", {"f1"}};
  const std::string text = "s,f1\na,1\nb,0\n";
  expect_contains(error("r.csv", text, fields), "no row has the field \"g\"");
  fields.names_are_optional = true;
  const ScoredRows rows = read("r.csv", text, fields);
  EXPECT_TRUE(rows.groups.empty());
  EXPECT_EQ(rows.systems, (Names{"a", "b"}));
}

// Words are 1 and 0, which say something else on a scale of 1 to 5.
TEST_F(ScoredRowsFile, LabelsAreAllWordsOrAllNumbers) {
  const auto table = [](const std::vector<std::string>& labels) {
    std::string text = "id,human,f1\n";
    for (size_t i = 0; i < labels.size(); ++i) {
      text += std::to_string(i) + ',' + labels[i] + ",0.5\n";
    }
    return text;
  };
  for (const std::vector<std::string>& labels :
       {std::vector<std::string>{"5", "yes", "3", "No"}, {"true", "5"}}) {
    const std::string message = error("r.csv", table(labels), kHuman);
    expect_says(message, {"a label is a word (", "another 5"});
  }
  EXPECT_EQ(read("r.csv", table({"yes", "1", "0", "No"}), kHuman).human, (Numbers{1, 1, 0, 0}));
}

TEST_F(ScoredRowsFile, JsonLinesHoldScoresAndFieldsOfTheirOwn) {
  const std::string text =
      R"({"id": "a", "human": 4.5, "scores": {"f1": 0.5, "em": 0}, "len": 7}
{"id": 2, "human": 1, "scores": {"f1": 1, "em": 1}, "len": 8}
)";
  const ScoredRows all = read("r.jsonl", text, kHuman);
  EXPECT_EQ(all.metrics, (Names{"f1", "em"}));
  EXPECT_EQ(all.ids, (Names{"a", "2"}));
  EXPECT_EQ(all.human, (Numbers{4.5, 1}));
  EXPECT_EQ(all.scores, (std::vector<Numbers>{{0.5, 1}, {0, 1}}));
  const ScoredRows named = read("r.jsonl", text, {"human", "", "", {"len", "f1"}});
  EXPECT_EQ(named.scores, (std::vector<Numbers>{{7, 8}, {0.5, 1}}));
}

TEST_F(ScoredRowsFile, TablesHoldAColumnForEachMetric) {
  const std::string text =
      "id,question,human,f1,who,len\nq1,why?,True,0.5,x,3\nq2,2,FALSE,1e-1,y,4\n";
  const ScoredRows rows = read("r.csv", text, {"human", "who", "", {}});
  EXPECT_EQ(rows.metrics, (Names{"f1", "len"}));  // question holds text, too
  EXPECT_EQ(rows.human, (Numbers{1, 0}));
  EXPECT_EQ(rows.groups, (Names{"x", "y"}));
  EXPECT_EQ(rows.scores, (std::vector<Numbers>{{0.5, 0.1}, {3, 4}}));
}

TEST_F(ScoredRowsFile, BlanksAroundNumbersAndAPlusAreNoText) {
  const ScoredRows rows =
      read("r.csv", "id, human, f1, em\n1, True, 0.5,+1\n2,false ,1 , -0\n", kHuman);
  EXPECT_EQ(rows.metrics, (Names{"f1", "em"}));
  EXPECT_EQ(rows.human, (Numbers{1, 0}));
  EXPECT_EQ(rows.scores, (std::vector<Numbers>{{0.5, 1}, {1, 0}}));
  expect_contains(error("r.csv", "human, f1\n1, 0.5\n2, +inf\n", kHuman),
                  "the score \"f1\" must be a number");
}

TEST_F(ScoredRowsFile, AnAnswersFieldsAreNoMetrics) {
  const std::string text = "human,question,reference,candidate,score,f1\n1,2,7,8,3,0.5\n";
  EXPECT_EQ(read("r.csv", text, kHuman).metrics, Names{"f1"});
  EXPECT_EQ(read("r.csv", text, {"human", "", "", {"score"}}).scores, std::vector<Numbers>{{3}});
}

TEST_F(ScoredRowsFile, AColumnWithoutValuesIsNoMetric) {
  const ScoredRows rows = read("r.csv", "human,f1,empty\n1,0.5,\n2,0.25, \n", kHuman);
  EXPECT_EQ(rows.metrics, Names{"f1"});
  expect_contains(error("r.csv", "human,empty\n1,\n", kHuman), "holds numbers alone");
}

TEST_F(ScoredRowsFile, AMetricWithNaNIsNoText) {
  expect_contains(error("r.csv", "human,em,f1\n1,0,0.5\n2,1,-NaN\n", kHuman),
                  "the score \"f1\" must be a number, true or false, it is \"-NaN\"");
}

TEST_F(ScoredRowsFile, MochasNestingHasConstituentIdAndSource) {
  const std::string text =
      R"({"drop": {"1": {"score": 2, "scores": {"f1": 0}, "metadata": {"source": "bert"}}},
          "quoref": {"1": {"score": 3, "scores": {"f1": 1}, "metadata": {"source": "gpt2"}}}})";
  const ScoredRows rows = read("m.json", text, {"score", "constituent", "source", {}});
  EXPECT_EQ(rows.groups, (Names{"drop", "quoref"}));
  EXPECT_EQ(rows.systems, (Names{"bert", "gpt2"}));
  EXPECT_EQ(rows.ids, (Names{"1", "1"}));
}

TEST_F(ScoredRowsFile, RowsWithoutALabelAreCountedAndLeftOut) {
  const std::string text = R"({"human": null, "scores": {"f1": null}}
{"human": 1, "scores": {"f1": 0.1}}
{"human": "", "scores": {}}
{"human": 2, "scores": {"f1": 0.2}}
)";
  RowFields fields = kHuman;
  expect_contains(error("r.jsonl", text, fields), "the row has no label");
  expect_contains(error("r.jsonl", text, fields), folder_.file("r.jsonl") + ":1");
  fields.missing = Missing::empty;
  expect_contains(error("r.jsonl", text, fields), "the row has no label");
  fields.missing = Missing::drop;
  const ScoredRows rows = read("r.jsonl", text, fields);
  EXPECT_EQ(rows.unlabelled, 2);
  EXPECT_EQ(rows.ids, (Names{"2", "4"}));  // numbers of lines, whatever is left out
  EXPECT_EQ(rows.scores[0], (Numbers{0.1, 0.2}));
  EXPECT_EQ(rows.rows.size(), 2u);
  expect_contains(error("r.jsonl", "{\"human\": null, \"scores\": {\"f1\": 1}}\n", kHuman),
                  "no row has a label \"human\"");
}

// What R, numpy and pandas write for a missing number.
TEST_F(ScoredRowsFile, ALabelThatIsNAIsMissing) {
  const std::string text =
      "id,human,f1\na,1,0.1\nb,NA,0.2\nc,nan,0.3\nd,NaN,0.4\ne, <NA>,0.5\nf,2,0.6\n";
  RowFields fields = kHuman;
  expect_says(
      error("r.csv", text, fields),
      {"the row has no label", "the field \"human\" is \"NA\"", "r.csv:3", "--missing drop"});
  fields.missing = Missing::drop;
  const ScoredRows rows = read("r.csv", text, fields);
  EXPECT_EQ(rows.ids, (Names{"a", "f"}));
  EXPECT_EQ(rows.human, (Numbers{1, 2}));
  // Neither are words of people for a judgement that they did not give.
  const auto with = [](const std::string& word) {
    return "id,human,f1\na,yes,0.1\nb," + word + ",0.2\nc,no,0.3\nd,correct ,0.3\n";
  };
  for (const std::string word : {"N/A", "n/a", "#N/A", "none", "-", "?", "unknown", "Skip",
                                 "unsure ", "not sure", "\u2013"}) {
    fields.missing = Missing::drop;
    EXPECT_EQ(read("r.csv", with(word), fields).human, (Numbers{1, 0, 1})) << word;
    EXPECT_EQ(read("r.csv", with(word), fields).unlabelled, 1);
    fields.missing = Missing::automatic;
    const std::string message = error("r.csv", with(word), fields);
    expect_says(message, {"the field \"human\" is \"" + word + "\"", "r.csv:3",
                          "--missing drop; where \"" + word + "\" is a label of its own, write"});
  }
  for (const char* word : {"maybe", "x", "NAN4"}) {
    expect_contains(error("r.csv", with(word), fields), "must be a number, true or false");
  }
}

TEST_F(ScoredRowsFile, RowsWithoutAScoreAreAnErrorOrLeftOut) {
  const std::string text = "id,human,group,f1,em\na,1,x,0.1,1\nb,2,y,,1\nc,3,z,0.3,\nd,4,x,0.4,0\n";
  RowFields fields{.human = "human", .group = "group", .metrics = {"f1", "em"}};
  expect_contains(error("r.csv", text, fields), "the metric \"f1\" has no score in 1 of 4 rows");
  expect_contains(error("r.csv", text, fields), "--missing drop");
  fields.missing = Missing::drop;
  const ScoredRows rows = read("r.csv", text, fields);
  EXPECT_EQ(rows.ids, (Names{"a", "d"}));
  EXPECT_EQ(rows.human, (Numbers{1, 4}));
  EXPECT_EQ(rows.groups, (Names{"x", "x"}));
  EXPECT_EQ(rows.scores[0], (Numbers{0.1, 0.4}));
  EXPECT_EQ(rows.scores[1], (Numbers{1, 0}));
  EXPECT_EQ(rows.places.back(), folder_.file("r.csv") + ":5");
  fields.metrics = {"f1", "other"};
  expect_contains(error("r.csv", text, fields), "no row has a score \"other\"");
  expect_contains(error("r.csv", "id,human,f1,em\na,1,0.1,\nb,2,,1\n",
                        {.human = "human", .metrics = {"f1", "em"}, .missing = Missing::drop}),
                  "no row has a score of each metric");
}

TEST_F(ScoredRowsFile, EveryFaultIsNamed) {
  const auto expect = [&](const std::string& text, const RowFields& fields,
                          const std::vector<std::string>& parts) {
    const std::string name = text.starts_with('{') ? "r.jsonl" : "r.csv";
    expect_says(error(name, text, fields), parts);
  };
  expect("{\"human\": \"good\", \"scores\": {\"f1\": 1}}\n", kHuman,
         {"the label \"human\" must be a number", "\"good\"", "r.jsonl:1"});
  expect("{\"human\": [4], \"scores\": {\"f1\": 1}}\n", kHuman, {"an array", "r.jsonl:1"});
  expect("id,human,f1\na,1,0.5\nb,2,nan\n", {"human", "", "", {"f1"}},
         {"the score \"f1\" must be a number", "\"nan\"", "r.csv:3"});
  expect("id,human,f1\na,1,x\n", kHuman, {"no column but an answer's fields holds numbers alone"});
  expect("{\"humans\": 1, \"scores\": {\"f1\": 1}}\n", kHuman,
         {"no row has the field \"human\"", "did you mean --human humans?"});
  // Any row's numbers, true and false; no scores, ids, texts, columns of a sheet, or fields that
  // hold texts as well.
  expect(
      R"({"id": 1, "judge": null, "a": 1, "b": "x", "probability": 0.5, "stratum": 1, "scores": {"f1": 1}}
{"id": 2, "judge": true, "a": "text", "c": "0.5", "score": 3, "scores": {"f1": 1}}
)",
      kHuman, {"fields with numbers, or words such as true, are judge, c, score"});
  expect("{\"id\": 1, \"text\": \"x\", \"scores\": {\"f1\": 1}}\n", kHuman,
         {"name another with --human; no field has only numbers, or only words such as true"});
  expect("{\"scores\": {\"f1\": 1}}\n", {"human", "x", "", {}},
         {"no row has the field \"human\"", "no field has only numbers"});
  expect("{\"human\": 1, \"scores\": {\"f1\": 1}}\n{\"human\": 1, \"scores\": {}}\n", kHuman,
         {"\"f1\" has no score in 1 of 2 rows", "r.jsonl:2"});
  expect("{\"human\": 1, \"scores\": {\"f1\": 1}}\n", {"human", "", "", {"f2"}},
         {"no row has a score \"f2\""});
  expect("{\"human\": 1}\n", kHuman, {"the file holds no scores"});
  expect("{\"human\": 1, \"scores\": 3}\n", kHuman, {"\"scores\" must be an object"});
  expect(
      "{\"id\": 1, \"human\": 1, \"scores\": {\"f1\": 1}}\n"
      "{\"id\": \"1\", \"human\": 1, \"scores\": {\"f1\": 1}}\n",
      kHuman, {"the id \"1\" occurs twice", "r.jsonl:1 and", "r.jsonl:2", "--system"});
  expect("{\"human\": 1, \"g\": \"a\", \"scores\": {\"f1\": 1}}\n{\"human\": 1, \"scores\": {}}\n",
         {"human", "g", "", {}}, {"the row has no \"g\"", "r.jsonl:2", "--group"});
  expect("{\"human\": 1, \"g\": [1], \"scores\": {\"f1\": 1}}\n", {"human", "", "g", {}},
         {"the field \"g\" must be text", "r.jsonl:1"});
}

// Whatever the file calls them: under our names they are found by every command.
TEST_F(ScoredRowsFile, FieldsOfAnAnswerGetOurNames) {
  const std::string text =
      "number,task,doc.question,prediction,text,human,f1\n3,nq,who?,Ann,Ann B.,1,0.5\n";
  RowFields fields = {"human", "task", "", {}};
  fields.fields = {{"id", "number"}, {"constituent", "task"}, {"reference", "text"}};
  const ScoredRows rows = read("r.csv", text, fields);
  EXPECT_EQ(rows.ids, Names{"3"});
  EXPECT_EQ(rows.groups, Names{"nq"});   // by the file's name
  EXPECT_EQ(rows.metrics, Names{"f1"});  // the number is the id
  EXPECT_EQ(key_of(rows, 0), InstanceKey("nq", "3"));
  const Json& row = rows.rows[0];
  EXPECT_EQ(row.find("question")->string(), "who?");
  EXPECT_EQ(row.find("candidate")->string(), "Ann");
  EXPECT_EQ(row.find("reference")->string(), "Ann B.");
  EXPECT_EQ(row.find("prediction"), nullptr);
  EXPECT_EQ(row.object().size(), 7u);
  // A field of objects, and one that another takes the name of.
  RowFields nested = {"label.value", "", "", {"metrics.f1"}};
  nested.fields = {{"id", "doc.id"}, {"candidate", "reference"}, {"reference", "candidate"}};
  const ScoredRows swapped = read("r.jsonl",
                                  R"({"doc": {"id": 7}, "reference": "c", "candidate": "r", )"
                                  R"("label": {"value": true}, "metrics": {"f1": 0.25}})",
                                  nested);
  EXPECT_EQ(swapped.ids, Names{"7"});
  EXPECT_EQ(swapped.rows[0].find("candidate")->string(), "c");
  EXPECT_EQ(swapped.rows[0].find("reference")->string(), "r");
  EXPECT_EQ(swapped.human, Numbers{1});
  EXPECT_EQ(swapped.scores[0], Numbers{0.25});
  RowFields wrong = kHuman;
  wrong.fields = {{"question", "query"}};
  expect_contains(error("r.csv", "id,human,f1\n1,1,1\n", wrong), "the field \"query\" is missing");
  wrong.fields = {{"name", "query"}};
  expect_contains(error("r.csv", "id,human,f1\n1,1,1\n", wrong), "there is no field \"name\"");
}

// A person knows a field by its name in the file.
TEST_F(ScoredRowsFile, MessagesNameTheFieldsOfTheFile) {
  const std::string text = "query,gold,response,rating,f1\nw,a,b,1,0.5\nx,,b,2,0.1\n";
  for (const RowFields& fields :
       {RowFields{"rating", "nope", "", {}}, RowFields{"rating", "", "nope", {}}}) {
    expect_contains(error("r.csv", text, fields),
                    "the fields of the first row are query, gold, response, rating, f1");
  }
  expect_contains(error("r.csv", text, {"rating", "golds", "", {}}), "did you mean --group gold?");
  expect_contains(error("r.csv", text, {"gold", "", "", {}}),
                  "the label \"gold\" must be a number");
  expect_contains(error("r.csv", text, {"rating", "gold", "", {}}), "the row has no \"gold\"");
}

TEST_F(ScoredRowsFile, QuestionsAreFoundUnderTheirUsualNames) {
  const char* const files[] = {
      R"({"id": "1", "Question": "who?", "article": "p"}
{"id": "2", "Question": "who?", "article": "q"})",
      R"({"id": "1", "doc": {"question": "who?", "context": "p"}}
{"id": "2", "doc": {"question": "who?", "context": "q"}})",
      // Several fields may be the candidate: here that is no error.
      R"({"id": "1", "Question": "who?", "context": "p", "pred": "", "response": ""}
{"id": "2", "Question": "who?", "context": "q", "response": ""})"};
  for (const char* const text : files) {
    const std::string file = folder_.write("r.jsonl", text);
    const ScoredSource source = read_scored_source(file, InputFormat::kJsonl);
    ASSERT_EQ(source.rows.size(), 2u);
    for (const size_t row : {0, 1}) {
      EXPECT_EQ(source.rows[row].find("question")->string(), "who?") << text;
      EXPECT_EQ(source.rows[row].find("passage")->string(), row == 0 ? "p" : "q") << text;
    }
  }
}

TEST_F(ScoredRowsFile, TheLabelsFieldMayBeNamedToo) {
  RowFields fields = {"score", "", "", {"f1"}};
  fields.fields = {{"score", "rating"}};
  EXPECT_EQ(read("r.csv", "id,score,rating,f1\n1,0.5,4,1\n", fields).human, Numbers{4});
}

TEST_F(ScoredRowsFile, RepeatedIdsAreToldApartByTheirSystems) {
  const std::string text =
      "id,source,run,human,f1\n1,a,x,1,0.5\n1,b,y,0,0.5\n2,a,x,1,1\n2,b,y,1,1\n";
  RowFields fields = {"human", "", "", {}};
  expect_contains(error("r.csv", text, fields),
                  "the field \"source\" tells the rows apart: where it names the system, --system "
                  "source; where it names the data, --field constituent=source");
  fields.sources_tell_apart = true;
  EXPECT_EQ(read("r.csv", text, fields).ids, (Names{"1", "1", "2", "2"}));
  // Several judged answers to a question whose id they have.
  const std::string answers = "id,question,prediction,human,f1\n1,a,x,1,1\n1,a,y,1,1\n";
  EXPECT_EQ(read("r.csv", answers, fields).ids, (Names{"1", "1"}));
  expect_contains(error("r.csv", answers, kHuman), "--field constituent=candidate");
  expect_contains(error("r.csv", answers + "1,a,x,0,0\n", fields), "the id \"1\" occurs twice");
  expect_contains(error("r.csv", "id,question,human,f1\n1,a,1,1\n1,b,1,1\n", kHuman),
                  "--field id=question");
}

// Reasons that a judge gave tell rows apart, but name nothing; a system of two answers is named.
TEST_F(ScoredRowsFile, FreeTextsAreNoAdvice) {
  std::string text = "id,my model,reason,prediction,human,f1\n";
  for (int i = 0; i < 8; ++i) {
    text += std::to_string(i / 4) + "," + (i % 2 == 0 ? "a" : "b") + ",r" + std::to_string(i) +
            ",c" + std::to_string(i / 2 % 2) + ",1,1\n";
  }
  const std::string several = error("r.csv", text, {"human", "", "my model", {}});
  expect_contains(several, "--field constituent=candidate");
  EXPECT_FALSE(holds(several, "reason"));
  const std::string two = "id,my model,human,f1\n1,a,1,1\n1,b,1,1\n2,a,1,1\n2,b,1,1\n";
  expect_contains(error("r.csv", two, kHuman), "--system 'my model'; ");
  expect_contains(error("r.csv", two, kHuman), "--field 'constituent=my model'");
}

TEST_F(ScoredRowsFile, SystemsAndGroupsMayShareIds) {
  const std::string text = R"({"id": 1, "human": 1, "s": "a", "scores": {"f1": 1}}
{"id": 1, "human": 1, "s": "b", "scores": {"f1": 1}}
)";
  EXPECT_EQ(read("r.jsonl", text, {"human", "", "s", {}}).systems, (Names{"a", "b"}));
  expect_contains(error("r.jsonl", text + text, {"human", "", "s", {}}),
                  "the id \"1\" occurs twice");
  EXPECT_EQ(read("r.jsonl", text, {"human", "s", "", {}}).groups, (Names{"a", "b"}));
}

// EVOUNA's rows say which system gave an answer as their constituent: a record of it has several.
TEST_F(ScoredRowsFile, AConstituentThatIsTheSystemTellsNoRecordsApart) {
  const std::string text = R"({"id": 1, "human": 1, "constituent": "fid", "f1": 1, "run": "fid"}
{"id": 1, "human": 1, "constituent": "gpt4", "f1": 1, "run": "gpt4"}
{"id": 1, "human": 1, "constituent": "drop", "f1": 1, "run": "gpt4"}
)";
  const ScoredRows by_system = read("r.jsonl", text, {"human", "", "run", {"f1"}});
  EXPECT_EQ(key_of(by_system, 0), InstanceKey("", "1"));
  EXPECT_EQ(key_of(by_system, 0), key_of(by_system, 1));
  EXPECT_EQ(key_of(by_system, 2), InstanceKey("drop", "1"));
  const ScoredRows without = read("r.jsonl", text, {"human", "", "", {"f1"}});
  EXPECT_EQ(key_of(without, 0), InstanceKey("fid", "1"));
}

}  // namespace rubric::data::scored_rows_test
