// `score` with the light metrics: files in, scored files and figures out.
#include <cmath>
#include <functional>
#include <regex>

#include <gtest/gtest.h>

#include "cli/on_terminal.h"
#include "cli/score/score_command.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/process.h"
#include "measured.h"
#include "metrics/meteor/meteor_folder.h"
#include "paths.h"

namespace rubric::cli {
namespace {

namespace fs = std::filesystem;

// A person knows a column by the name that it has in the file.
TEST_F(ScoreCommand, MessagesNameTheColumnsOfTheFile) {
  folder_.write("own.csv", "prompt,golden,model_output\nwho?,Ann,Bob\nhow?,\"The\",\nwhy?,rain,\n");
  const std::vector<std::string> own = {"--field", "reference=golden", "--field",
                                        "candidate=model_output"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> options = own;
    options.insert(options.end(), more.begin(), more.end());
    return score("f1", "own.csv", options).err;
  };
  expect_contains(with({}), "2 rows have an empty candidate (column \"model_output\")");
  expect_contains(with({}), "1 reference (column \"golden\")");
  expect_contains(with({"--missing", "drop"}), "2 without a candidate (column \"model_output\") (");
  expect_contains(with({"--reference-separator", "/"}),
                  "no reference (column \"golden\") holds the separator");
  folder_.write("rows.jsonl", R"({"golden": "a", "model_output": ""})");
  expect_contains(score("f1", "rows.jsonl", own).err,
                  "1 row has an empty candidate (field \"model_output\")");
  folder_.write("ours.csv", "reference,candidate\nAnn,\nBob,Bob\n");
  expect_contains(score("f1", "ours.csv").err, "1 row has an empty candidate and");
}

const std::string kAllMetrics = "bleu1,bleu2,bleu3,bleu4,rouge_l,f1,em";

// Rows of the n-gram fixture with one reference and nothing that a line of a TSV cannot hold, in
// MOCHA's field names beside the reference implementation's own scores.
std::vector<Json> fixture_rows() {
  const auto plain = [](const Json& text) {
    return text.string().find_first_of("\t\n\r") == std::string::npos;
  };
  std::vector<Json> rows;
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/metrics/ngram.json");
  for (const Json& given : fixture.array()) {
    const Json::Array& references = given.find("references")->array();
    if (references.size() != 1 || !plain(references[0]) || !plain(*given.find("candidate"))) {
      continue;
    }
    Json row;
    row["id"] = "row " + std::to_string(rows.size());
    row["note"] = "kept, \"as it is\"";
    row["context"] = "";
    row["question"] = "q";
    row["reference"] = references[0];
    row["candidate"] = *given.find("candidate");
    row["bleu"] = *given.find("bleu");
    row["rouge_l"] = *given.find("rouge_l");
    rows.push_back(row);
  }
  return rows;
}

void expect_ngram_scores(const Json& scores, const Json& row) {
  for (size_t order = 1; order <= 4; ++order) {
    const Json* score = scores.find("bleu" + std::to_string(order));
    ASSERT_NE(score, nullptr) << scores.dump();
    EXPECT_NEAR(score->number(), row.find("bleu")->array()[order - 1].number(), 1e-9) << row.dump();
  }
  EXPECT_NEAR(scores.find("rouge_l")->number(), row.find("rouge_l")->number(), 1e-9) << row.dump();
  EXPECT_NE(scores.find("f1"), nullptr);
  EXPECT_NE(scores.find("em"), nullptr);
}

std::vector<Json> read_rows(const std::string& file) {
  std::vector<Json> rows;
  LineReader lines(file);
  for (std::string line; lines.next(line);) rows.push_back(Json::parse(line, lines.where()));
  return rows;
}

// The object without its last member, which must have this name.
Json without_last(const Json& object, const std::string& name) {
  Json copy = object;
  EXPECT_EQ(copy.object().back().first, name);
  copy.object().pop_back();
  return copy;
}

using Score = ScoreCommand;

TEST_F(Score, JsonLinesKeepTheirObjects) {
  const std::vector<Json> rows = fixture_rows();
  ASSERT_GE(rows.size(), 100u);
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  folder_.write("rows.jsonl", text);
  const Outcome outcome = done(score(kAllMetrics, "rows.jsonl"));
  EXPECT_EQ(outcome.out, "");
  const std::vector<Json> scored = read_rows(output());
  ASSERT_EQ(scored.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(without_last(scored[i], "scores").dump(), rows[i].dump());
    expect_ngram_scores(*scored[i].find("scores"), rows[i]);
  }
}

TEST_F(Score, AnotherProgramsScoresStandBesideOurs) {
  folder_.write("rows.csv", "id,reference,candidate\na,x,x\nb,x,y\n");
  const std::string other = folder_.write("other.csv", "row,judge\nb,0.25\na,0.75\nc,1\n");
  done(score("em", "rows.csv", {"--join", other, "--on", "id=row"}));
  const std::vector<Json> rows = read_rows(output());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].find("scores")->dump(), R"({"judge": 0.75, "em": 1})");
  EXPECT_EQ(rows[1].find("scores")->dump(), R"({"judge": 0.25, "em": 0})");
  expect_message(score("em", "rows.csv", {"--join", other}), 2, {"\"id\" is missing", "other.csv"});
  expect_message(score("em", "rows.csv", {"--join", other, "--on", "row"}), 2,
                 {"rows cannot be matched by \"row\""});
  expect_message(score("em", "rows.csv", {"--on", "id=row"}), 2, {"there is no file to join"});
  expect_message(score("em", "rows.csv", {"--join", other, "--on", "id="}), 2, {"--on id="});
  const std::string own = folder_.write("own.csv", "id,em\na,1\nb,1\n");
  expect_message(score("em", "rows.csv", {"--join", own}), 2,
                 {"the file has scores called em, which is scored here, too", "own.csv",
                  "rename its column em; or compare both: rubric compare A B --metric em"});
  const std::string lines =
      folder_.write("own.jsonl", "{\"id\": \"a\", \"em\": 1}\n{\"id\": \"b\", \"em\": 1}\n");
  expect_message(score("em", "rows.csv", {"--join", lines}), 2, {"own.jsonl", "sed 's/\"em\":/"});
}

TEST_F(Score, AJoinedFilesCopyOfALabelIsNoScore) {
  folder_.write("rows.csv", "id,reference,candidate,rating\na,x,x,5\nb,x,y,1\n");
  const std::string other = folder_.write("other.csv", "id,rating,judge\nb,1,0.25\na,5,0.75\n");
  const Outcome outcome = score("em", "rows.csv", {"--join", other});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.err,
                  "fields that the input has too are not joined as scores: \"rating\"");
  EXPECT_EQ(read_rows(output())[0].find("scores")->dump(), R"({"judge": 0.75, "em": 1})");
}

TEST_F(Score, JoinedScoresKeepWhatTheirModelHasSeen) {
  folder_.write("rows.csv", "id,reference,candidate\na,x,x\nb,x,y\n");
  const std::string other = folder_.write("other.csv", "id,lerc,seen.lerc\nb,4,\na,2,trained\n");
  ASSERT_EQ(score("em", "rows.csv", {"--join", other}).code, 0);
  const std::vector<Json> rows = read_rows(output());
  EXPECT_EQ(rows.at(0).find("seen")->dump(), R"({"lerc": "trained"})");
  EXPECT_EQ(rows.at(1).find("seen"), nullptr);
}

TEST_F(Score, ReadsTables) {
  const std::vector<Json> rows = fixture_rows();
  for (const char separator : {',', '\t'}) {
    std::string text = std::string("key") + separator + "note" + separator + "reference" +
                       separator + "prediction\r\n";
    for (const Json& row : rows) {
      std::string fields[] = {row.find("id")->string(), row.find("note")->string(),
                              row.find("reference")->string(), row.find("candidate")->string()};
      for (std::string& field : fields) {
        for (size_t at = 0; (at = field.find('"', at)) != std::string::npos; at += 2) {
          field.insert(at, 1, '"');
        }
        text += '"' + field + '"' +
                (&field == std::end(fields) - 1 ? "\r\n" : std::string(1, separator));
      }
    }
    const std::string name = separator == ',' ? "rows.csv" : "rows.tsv";
    folder_.write(name, text);
    done(score(kAllMetrics, name,
               {"--field", "id=key", "--field", "candidate=prediction", "--missing", "empty"}));
    const std::vector<Json> scored = read_rows(output());
    ASSERT_EQ(scored.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(scored[i].find("key")->string(), rows[i].find("id")->string());
      EXPECT_EQ(scored[i].find("note")->string(), rows[i].find("note")->string());
      EXPECT_EQ(scored[i].find("prediction")->string(), rows[i].find("candidate")->string());
      expect_ngram_scores(*scored[i].find("scores"), rows[i]);
    }
  }
}

// The output's name says what it is; other commands read it as they read JSON lines.
TEST_F(ScoreCommand, WritesTables) {
  folder_.write(
      "rows.jsonl",
      R"({"id": 1, "doc": {"question": "who, \"then\"?"}, "reference": ["Ann", "A"], )"
      R"("candidate": "Ann\nB", "human": 3})"
      "\n"
      R"({"id": 2, "doc": {"question": "why?"}, "reference": "x", "candidate": "x", "human": 5})"
      "\n"
      R"({"id": 3, "doc": {"question": "why?"}, "reference": "z", "candidate": "y", "human": 1})"
      "\n");
  const std::string lines = folder_.file("s.jsonl"), table = folder_.file("s.csv"),
                    tabs = folder_.file("s.tsv"), packed = folder_.file("s.csv.gz");
  std::vector<std::string> results;
  for (const std::string& output : {lines, table, tabs, packed}) {
    done(run({"score", "f1,em", "--input", folder_.file("rows.jsonl"), "--output", output}));
    const Json json =
        printed_json(run({"evaluate", "agreement", "--input", output, "--human", "human",
                          "--metric", "f1,em", "--resamples", "100", "--format", "json"}));
    EXPECT_EQ(value_of(json, "questions"), 2) << output;
    results.push_back(json.find("measurements")->dump());
  }
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
  expect_contains(read_file(table), "id,doc.question,reference,candidate,human,f1,em\n1,\"who, ");
  // Scored again, its scores take the place of those that it has.
  const Outcome again =
      done(run({"score", "f1", "--input", table, "--output", folder_.file("t.csv")}));
  expect_contains(again.err, "columns of the input give way to the scores of their names: f1");
  std::string first = read_file(table), second = read_file(folder_.file("t.csv"));
  expect_contains(second, "id,doc.question,reference,candidate,human,em,f1\n");
  EXPECT_EQ(std::ranges::count(second, '\n'), std::ranges::count(first, '\n'));
  done(run(
      {"score", "f1", "--input",
       folder_.write(
           "m.json",
           R"({"drop": {"q": )"
           R"({"context": "p", "question": "w", "reference": "r", "candidate": "r", "score": 5, )"
           R"("metadata": {"scores": [5, 5], "source": "gpt2"}}}})"),
       "--output", folder_.file("m.csv")}));
  EXPECT_EQ(read_file(folder_.file("m.csv")),
            "constituent,id,context,question,reference,candidate,score,metadata.scores,"
            "metadata.source,f1\ndrop,q,p,w,r,r,5,\"[5, 5]\",gpt2,1\n");
}

// Before anything is computed.
TEST_F(Score, CellsThatNoTableHoldsAreNamedFirst) {
  folder_.write("rows.jsonl", R"({"candidate": "a", "reference": "a", "doc": {"x": 1}, "doc.x": 2})"
                              "\n");
  const Outcome outcome = run({"score", "f1", "--input", folder_.file("rows.jsonl"), "--output",
                               folder_.file("scored.csv"), "--summary", folder_.file("s.json")});
  expect_message(outcome, 2, {"two fields would be the column \"doc.x\"", "scored.csv, row 1"});
  EXPECT_FALSE(holds(outcome.err, "f1 1.0000")) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("s.json")));
}

TEST_F(Score, MochaFilesKeepTheirNesting) {
  const std::vector<Json> rows = fixture_rows();
  Json file;
  for (size_t i = 0; i < rows.size(); ++i) {
    file[i % 2 == 0 ? "even" : "odd"][rows[i].find("id")->string()] = rows[i];
  }
  folder_.write("mocha.json", file.dump(2));
  done(score(kAllMetrics, "mocha.json"));
  const Json scored = Json::parse_file(output());
  EXPECT_EQ(scored.object().size(), 2u);
  for (size_t i = 0; i < rows.size(); ++i) {
    const Json* constituent = scored.find(i % 2 == 0 ? "even" : "odd");
    const Json& row = *constituent->find(rows[i].find("id")->string());
    EXPECT_EQ(without_last(row, "scores").dump(), rows[i].dump());
    expect_ngram_scores(*row.find("scores"), rows[i]);
  }
}

TEST_F(Score, ConstituentsAreChosenByAListOrOneByOne) {
  folder_.write("rows.jsonl", R"({"id": "1", "constituent": "a", "reference": "r", "candidate": "c"}
{"id": "2", "constituent": "b", "reference": "r", "candidate": "c"}
{"id": "3", "constituent": "c", "reference": "r", "candidate": "c"}
)");
  const auto ids = [&](const std::vector<std::string>& options) {
    done(run(joined({"score", "f1", "--input", folder_.file("rows.jsonl"), "--output", output()},
                    options)));
    std::string all;
    for (const Json& row : read_rows(output())) all += row.find("id")->string();
    return all;
  };
  EXPECT_EQ(ids({"--constituent", "a,c"}), "13");
  EXPECT_EQ(ids({"--constituent", "a", "--constituent", "b, c"}), "123");
  EXPECT_EQ(ids({"--constituent", "b"}), "2");
}

TEST_F(Score, MinimalPairsGetTwoScores) {
  const std::string input = std::string(source_folder()) + "/samples/mocha/minimal_pairs.json";
  done(run({"score", kAllMetrics, "--input", input, "--output", output()}));
  const Json pairs = Json::parse_file(input), scored = Json::parse_file(output());
  int64_t differ = 0;
  for (const auto& [constituent, instances] : pairs.object()) {
    for (const auto& [id, pair] : instances.object()) {
      const Json& row = *scored.find(constituent)->find(id);
      EXPECT_EQ(without_last(without_last(row, "scores2"), "scores1").dump(), pair.dump());
      const Json &first = *row.find("scores1"), &second = *row.find("scores2");
      EXPECT_EQ(first.object().size(), 7u);
      differ += first.find("bleu1")->number() != second.find("bleu1")->number() ? 1 : 0;
    }
  }
  EXPECT_GT(differ, 5);
}

TEST_F(Score, SeveralReferencesAndSquadFigures) {
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/metrics/squad.json");
  std::string text;
  for (const Json& row : fixture.array()) text += row.dump() + "\n";
  folder_.write("rows.jsonl", text);
  ASSERT_EQ(score("em,f1", "rows.jsonl", {"--field", "reference=references"}).code, 0);
  const std::vector<Json> scored = read_rows(output());
  ASSERT_EQ(scored.size(), fixture.array().size());
  for (const Json& row : scored) {
    EXPECT_NEAR(row.find("scores")->find("f1")->number(), row.find("f1")->number(), 1e-9);
    EXPECT_EQ(row.find("scores")->find("em")->number(), row.find("em")->number());
  }
}

TEST_F(Score, MergesWithScoresThatAreThere) {
  folder_.write(
      "rows.jsonl",
      "{\"reference\": \"a\", \"candidate\": \"a\", \"n\": 1.50, \"scores\": {\"lerc\": 4.25, "
      "\"em\": 0}}\n");
  ASSERT_EQ(score("em", "rows.jsonl").code, 0);
  EXPECT_EQ(read_file(output()),
            "{\"reference\": \"a\", \"candidate\": \"a\", \"n\": 1.50, \"scores\": {\"lerc\": "
            "4.25, \"em\": 1}}\n");
}

TEST_F(Score, ReadsAndWritesTheStandardStreams) {
  const std::string rows =
      folder_.write("rows.jsonl", "{\"prediction\": \"a\", \"target\": \"a\"}\n");
  const std::string scored =
      "{\"prediction\": \"a\", \"target\": \"a\", \"scores\": {\"em\": 1}}\n";
  const std::string program = std::string(programs_folder()) + "/rubric";
  const std::string out = folder_.file("out"), err = folder_.file("err");
  // The shell appends, so that writing at the start of the file would show.
  for (const std::string arguments : {"--input - --output -", "-qi -", "-i -"}) {
    folder_.write("out", "before\n");
    ASSERT_EQ(run_process({"/bin/sh", "-c",
                           "cat '" + rows + "' | '" + program + "' score em " + arguments + " >>'" +
                               out + "'"},
                          {"", "", err}),
              0)
        << read_file(err);
    EXPECT_EQ(read_file(out), "before\n" + scored);
  }
  expect_contains(read_file(err), "candidate is \"prediction\", reference is \"target\"");
}

TEST_F(Score, WritesAndReadsCompressedFiles) {
  folder_.write("rows.jsonl", "{\"candidate\": \"cat\", \"reference\": \"cat\"}\n");
  const std::string once = folder_.file("once.jsonl.gz"), twice = folder_.file("twice.jsonl");
  ASSERT_EQ(run({"score", "em", "--input", folder_.file("rows.jsonl"), "--output", once}).code, 0);
  EXPECT_TRUE(read_file(once).starts_with("\x1F\x8B"));
  ASSERT_EQ(run({"score", "f1", "--input", once, "--output", twice}).code, 0);
  EXPECT_EQ(
      read_file(twice),
      "{\"candidate\": \"cat\", \"reference\": \"cat\", \"scores\": {\"em\": 1, \"f1\": 1}}\n");
}

// The same rows as pandas writes a column of lists, as json.dumps() does, and as JSON lines.
TEST_F(Score, ListsInCellsAreReferences) {
  folder_.write("pandas.csv",
                "id,candidate,reference\n1,Denver Broncos,\"['Denver Broncos', 'The Broncos']\"\n"
                "2,it's,\"[\"\"it's\"\"]\"\n3,x,['y']\n");
  folder_.write("json.csv",
                "id,candidate,reference\n1,Denver Broncos,\"[\"\"Denver Broncos\"\", "
                "\"\"The Broncos\"\"]\"\n2,it's,\"[\"\"it's\"\"]\"\n3,x,\"[\"\"y\"\"]\"\n");
  folder_.write("rows.jsonl",
                "{\"id\": \"1\", \"candidate\": \"Denver Broncos\", \"reference\": "
                "[\"Denver Broncos\", \"The Broncos\"]}\n"
                "{\"id\": \"2\", \"candidate\": \"it's\", \"reference\": [\"it's\"]}\n"
                "{\"id\": \"3\", \"candidate\": \"x\", \"reference\": [\"y\"]}\n");
  ASSERT_EQ(score("em", "rows.jsonl").code, 0);
  const std::string expected = read_file(output());
  for (const char* const table : {"pandas.csv", "json.csv"}) {
    ASSERT_EQ(score("em", table).code, 0);
    EXPECT_EQ(read_file(output()), expected) << table;
  }
}

TEST_F(Score, EmptyTextsAreScoredAndNamed) {
  folder_.write("rows.csv", "id,reference,candidate\na,r,\nb,,c\nc,r,r\nd,r, \nd,r,\u200b\n");
  const Outcome outcome = done(score("f1", "rows.csv", {"--missing", "empty"}));
  expect_says(
      outcome.err,
      {"3 rows have an empty candidate and are scored as empty texts: id \"a\", \"d\"\n",
       "1 row has an empty reference and no other and is scored as an empty text: id \"b\"\n"});
  EXPECT_EQ(read_rows(output()).size(), 5u);
}

// A row without an id is called by its number, which no id is.
TEST_F(Score, RowsWithoutIdsAreCalledByTheirNumbers) {
  folder_.write("rows.csv", "reference,candidate\nr,x\nr,\nA,A\nr,\n");
  const Outcome outcome = score("f1,bleu1", "rows.csv", {"--strip", "x"});
  expect_contains(outcome.err, "are scored as empty texts: row 2, row 4\n");
  expect_contains(outcome.err, "keep articles and punctuation there: row 3\n");
  expect_contains(outcome.err, "--strip leaves candidates empty: 1, in row 1\n");
}

TEST_F(Score, AnIntervalWithoutWidthIsNoted) {
  folder_.write("rows.csv", "reference,candidate\nr,r\nr,r\n");
  const std::string note = "an interval with equal ends";
  expect_contains(score("f1", "rows.csv").err, note);
  folder_.write("rows.csv", "reference,candidate\nr,r\nr,c\n");
  EXPECT_FALSE(holds(score("f1", "rows.csv").err, note));
}

TEST_F(Score, ReferencesWithoutWordsAreNamedByDistinctIds) {
  folder_.write("rows.csv", "id,reference,candidate\n149,A,A\n149,A,B\n150,=,=\n");
  expect_contains(score("f1", "rows.csv").err,
                  "keep articles and punctuation there: id \"149\", \"150\"\n");
}

TEST_F(Score, ReferencesInScriptsThatRougeDoesNotReadAreCounted) {
  folder_.write("zh.csv",
                "id,reference,candidate\n1,北京,北京\n2,Москва 1812,Москва 1812\n"
                "3,für Elise,für Elise\n4,Beijing (北京),Beijing\n5,서울|부산,서울\n");
  const std::string warning = "drops most of 3 references, such as \"北京\"";
  const Outcome rouge = score("rouge1,rougeL,f1", "zh.csv");
  expect_says(rouge.err, {warning, "id \"1\", \"2\", \"5\"\n"});
  EXPECT_EQ(rouge.err.find(warning), rouge.err.rfind(warning));
  EXPECT_FALSE(holds(score("f1,chrf,rouge_l", "zh.csv").err, "ROUGE"));
}

TEST_F(Score, MissingValuesAreNamedOnce) {
  folder_.write("rows.csv", "id,reference,candidate\na,r,\nb,,c\nc,r,r\n");
  folder_.write("good.csv", "id,reference,candidate\na,r,\nc,r,r\n");
  const auto warnings = [](const Outcome& outcome) {
    size_t count = 0;
    for (size_t at = 0; (at = outcome.err.find("warning: ", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  expect_message(score("em", "rows.csv"), 2,
                 {"the row has no reference", "rows.csv:3", "--missing drop", "--missing empty"});
  const Outcome usual = done(score("em", "good.csv"));
  EXPECT_EQ(warnings(usual), 1u) << usual.err;
  const Outcome dropped = done(score("em", "rows.csv", {"--missing", "drop"}));
  EXPECT_EQ(warnings(dropped), 1u) << dropped.err;
  expect_contains(dropped.err, "2 rows are left out: 1 without a candidate (");
  expect_contains(dropped.err, "em 1.0000 over 1 row");
  EXPECT_EQ(read_rows(output()).size(), 1u);
  expect_message(score("em", "good.csv", {"--missing", "error"}), 2,
                 {"the row has no candidate", "good.csv:2"});
  expect_message(score("em", "good.csv", {"--missing", "skip"}), 2,
                 {"\"skip\"", "choose one of automatic, empty, drop, error"});
}

// A table cannot tell an empty text from a missing value; in JSON "" is an answer.
TEST_F(Score, AnEmptyCellIsMissingAndAnEmptyTextIsNot) {
  folder_.write("rows.csv", "id,candidate,reference\na,r,r\nb,,r\nc,\"\",r\nd,  ,r\n");
  folder_.write("rows.jsonl",
                "{\"id\": \"a\", \"candidate\": \"r\", \"reference\": \"r\"}\n"
                "{\"id\": \"b\", \"candidate\": null, \"reference\": \"r\"}\n"
                "{\"id\": \"c\", \"candidate\": \"\", \"reference\": \"r\"}\n"
                "{\"id\": \"d\", \"candidate\": \"  \", \"reference\": \"r\"}\n");
  for (const char* const file : {"rows.csv", "rows.jsonl"}) {
    const Outcome usual = score("em", file);
    expect_says(usual.err, {"3 rows have an empty candidate", "em 0.2500 ["});
  }
  expect_contains(score("em", "rows.csv", {"--missing", "drop"}).err, "em 1.0000 over 1 row");
  const Outcome of_texts = score("em", "rows.jsonl", {"--missing", "drop"});
  expect_says(of_texts.err, {"1 row is left out: 1 without a candidate",
                             "2 rows have an empty candidate", "over 3 rows"});
}

TEST_F(Score, AFieldWithoutAnyAnswerIsAnError) {
  folder_.write("rows.csv", "candidate,reference,reply\n,r,r\n,s,s\n");
  folder_.write("rows.jsonl", "{\"candidate\": null, \"reference\": \"r\", \"reply\": \"r\"}\n");
  for (const char* const file : {"rows.csv", "rows.jsonl"}) {
    expect_message(score("em", file), 2, {"no row has a candidate", file, "--missing empty"});
    expect_contains(score("em", file, {"--missing", "empty"}).err, "em 0.0000");
    expect_contains(score("em", file, {"--field", "candidate=reply"}).err, "em 1.0000");
  }
}

// As the metric squad_v2 of `evaluate` has it: no answer is right where there is none.
TEST_F(Score, NoAnswerIsAReference) {
  folder_.write("rows.jsonl",
                R"({"prediction_text": "Paris", "answers": {"text": ["Paris"], "answer_start": [0]}}
{"prediction_text": "", "answers": {"text": [], "answer_start": []}}
{"prediction_text": "Rome", "answers": {"text": [], "answer_start": []}})");
  ASSERT_EQ(score("em,f1", "rows.jsonl").code, 0);
  const std::vector<Json> rows = read_rows(output());
  ASSERT_EQ(rows.size(), 3u);
  for (const char* const metric : {"em", "f1"}) {
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(rows[i].find("scores")->find(metric)->number(), i < 2 ? 1 : 0) << metric << i;
    }
  }
}

// sacreBLEU's files. The value is that of `sacrebleu ref1.txt ref2.txt -i hyp.txt -b -w 4` (2.6.0).
TEST_F(Score, LinesAreScoredWithFilesOfReferences) {
  const std::string hyp = folder_.write("hyp.txt", "the cat sat on the mat\n\nit is here\n"),
                    one = folder_.write("ref1.txt", "the cat sat on a mat\nno\nit is there\n"),
                    two = folder_.write("ref2.txt", "a cat is on the mat\n\nhere it is\n"),
                    shorter = folder_.write("ref3.txt", "a\nb\n");
  ASSERT_EQ(score("em", "hyp.txt", {"--input-format", "lines", "--references", one, two}).code, 0);
  const std::vector<Json> rows = read_rows(output());
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].find("reference")->dump(),
            R"(["the cat sat on a mat", "a cat is on the mat"])");
  EXPECT_EQ(rows[1].find("reference")->dump(), R"(["no", ""])");
  EXPECT_EQ(rows[1].find("candidate")->string(), "");
  EXPECT_EQ(rows[2].find("id")->string(), "3");
  const Outcome bleu =
      score("bleu", "hyp.txt", {"--input-format", "lines", "--references", one, two});
  expect_contains(bleu.err, "bleu 62.4788 ");
  expect_message(score("em", "hyp.txt", {"--input-format", "lines", "--references", shorter}), 2,
                 {"2 lines of references, and 3 lines of candidates", "ref3.txt"});
  expect_message(score("em", "hyp.txt", {"--input-format", "lines"}), 2, {"--references FILE"});
  const std::vector<std::string> blank = {"--input-format", "lines", "--references", two,
                                          "--missing",      "error"};
  expect_message(score("em", "hyp.txt", blank), 2, {"the row has no reference", "ref2.txt:2"});
  folder_.write("rows.csv", "candidate,reference\na,b\n");
  expect_message(score("em", "rows.csv", {"--references", one}), 2, {"references of its own"});
}

TEST_F(Score, SeparatorsOfReferencesAreNamed) {
  folder_.write("rows.csv", "candidate,reference\na,a/b/c\nb,x / b\nc,plain\nx and y,and/or\n");
  const Outcome one = done(score("f1", "rows.csv"));
  expect_contains(one.err, "3 of 4 references hold \"/\", such as \"a/b/c\"");
  expect_contains(one.err, "--reference-separator \"/\"");
  const Outcome split = score("em", "rows.csv", {"--reference-separator", "/"});
  EXPECT_FALSE(holds(split.err, "references hold")) << split.err;
  expect_says(split.err, {"em 0.5000 [", "|refsep:/"});
  // A fifth of the rows is enough for what is rare in an answer.
  std::string some = "candidate,reference\n", company = some;
  for (int i = 0; i < 9; ++i) {
    some += i < 2 ? "a,b|c\n" : "a,plain\n";
    company += i < 2 ? "a,AT&T\n" : "a,plain\n";
  }
  folder_.write("some.csv", some);
  folder_.write("company.csv", company);
  expect_contains(score("f1", "some.csv").err, "2 of 9 references hold \"|\", such as \"b|c\"");
  EXPECT_FALSE(holds(score("f1", "company.csv").err, "references hold"));
  // Dates, fractions and addresses are no lists, nor is what few rows have.
  folder_.write("few.csv",
                "candidate,reference\na,3/4\nb,12/25/2020\nc,https://a.b/c\nd,either/or\ne,x\n");
  EXPECT_FALSE(holds(score("f1", "few.csv").err, "references hold"));
  for (const char* const separator : {"|", "||", ";", "；", "<sep>", "</s>", "~", "、", "/", "／",
                                      "&", " / ", "•", " or ", " OR ", ","}) {
    folder_.write("other.csv", std::string("candidate,reference\na,\"b") + separator +
                                   "c\"\na,\"c" + separator + "d\"\n");
    expect_contains(score("f1", "other.csv").err,
                    std::string("2 of 2 references hold \"") + separator + "\"");
  }
  expect_message(score("f1", "rows.csv", {"--reference-separator", ""}), 2, {"is empty"});
  expect_contains(score("f1", "rows.csv", {"--reference-separator", ";"}).err,
                  "no reference holds the separator of references \";\"");
  // Years, and a number beside its word.
  folder_.write("years.csv", "candidate,reference\na,1969|1970\nb,1984|1985\n");
  expect_contains(score("f1", "years.csv").err, "2 of 2 references hold \"|\"");
  folder_.write("number.csv", "candidate,reference\na,12/twelve\nb,7/seven\n");
  expect_contains(score("f1", "number.csv").err, "2 of 2 references hold \"/\"");
  folder_.write("blanks.csv", "candidate,reference\na,1969 / 1970\nb,1984 / 1985\n");
  expect_contains(score("f1", "blanks.csv").err, "2 of 2 references hold \" / \"");
  // "or" in sentences, and in few answers, separates none.
  folder_.write("or.csv",
                "candidate,reference\na,He asked if anyone had seen the dog or the cat that "
                "night\nb,She could go by train or take the late bus home instead\n");
  EXPECT_FALSE(holds(score("f1", "or.csv").err, "references hold"));
  folder_.write("or.csv", "candidate,reference\na,red or blue\nb,dog\nc,cat\nd,this or that\n");
  EXPECT_FALSE(holds(score("f1", "or.csv").err, "references hold"));
  // Nor does the comma of texts, of numbers and of names.
  folder_.write("comma.csv",
                "candidate,reference\na,\"Paris, France\"\nb,\"12,500\"\nc,\"1,200,000\"\n");
  EXPECT_FALSE(holds(score("f1", "comma.csv").err, "references hold"));
}

// Alternatives of HELM's multiple choice that are tagged "correct" are the references.
TEST_F(Score, ReferencesOfHelmAreTheCorrectOnes) {
  folder_.write("state.json",
                R"({"adapter_spec": {"method": "x"}, "request_states": [{"instance": {"id": "i",
    "input": {"text": "q"}, "references": [{"output": {"text": "xx"}, "tags": []},
    {"output": {"text": "yy"}, "tags": ["correct"]}, {"output": {"text": "zz"}, "tags": ["correct"]}]},
    "result": {"completions": [{"text": " zz"}]}}, {"instance": {"id": "j", "input": {"text": "r"},
    "references": [{"output": {"text": "xx"}, "tags": []}, {"output": {"text": "yy"},
    "tags": ["correct"]}]}, "result": {"completions": [{"text": " xx"}]}}]})");
  expect_contains(score("em", "state.json").err, "em 0.5000 [");
}

TEST_F(Score, FailedRunsOfInspectAreNamed) {
  const std::string samples =
      R"("samples": [{"id": 1, "target": "a", "output": {"completion": "a"}},)"
      R"({"id": 2, "target": "a", "output": {"completion": ""}, "error": {"message": "m"}}]})";
  folder_.write("log.json", R"({"status": "error", )" + samples);
  expect_contains(score("em", "log.json").err,
                  "has the status \"error\", and 1 of its samples has an error (id 2)");
  folder_.write("log.json", R"({"status": "success", "samples": [{"id": 1, "target": "a",
    "output": {"completion": "a"}}, {"id": 2, "target": "a", "output": {"completion": "b"}}]})");
  EXPECT_FALSE(holds(score("em", "log.json").err, "status"));
}

// A sample without an answer is missing where it has an error, whatever the log has in its place.
TEST_F(Score, FailedSamplesAreMissing) {
  const std::string first =
      R"({"status": "success", "samples": [{"id": 1, "input": "q", "target": "dog",)"
      R"("output": {"completion": "dog"}, "scores": {"match": {"value": "C"}}}, )"
      R"({"id": 2, "input": "r", "target": "dog", "error": {"message": "Timeout"})";
  for (const char* const output :
       {"", R"(, "output": {"choices": [], "completion": ""})", R"(, "output": {"choices": []})"}) {
    folder_.write("log.json", first + output + "}]}");
    const Outcome usual = score("em", "log.json");
    expect_says(usual.err, {"1 of its samples has an error (id 2)", "em 0.5000 [",
                            "scored as an empty text: id \"2\""});
    const Outcome dropped = score("em", "log.json", {"--missing", "drop"});
    expect_contains(dropped.err, "1 without a candidate (field \"output.completion\") (" +
                                     folder_.file("log.json") + ", row 2)");
    expect_contains(dropped.err, "em 1.0000 over 1 row");
    expect_message(score("em", "log.json", {"--missing", "error"}), 2, {"no candidate", "row 2"});
  }
  folder_.write("rows.jsonl",
                "{\"candidate\": \"dog\", \"reference\": \"dog\"}\n"
                "{\"reference\": \"dog\", \"error\": \"Timeout\"}\n");
  expect_contains(score("em", "rows.jsonl", {"--missing", "drop"}).err, "em 1.0000 over 1 row");
  // What says that there is none: an empty candidate is an answer.
  std::string rows = "{\"candidate\": \"dog\", \"reference\": \"dog\"}\n";
  for (const char* const none : {"\"none\"", "\" No \"", "\"null\"", "\"False\"", "\"0\"",
                                 "\"N/A\"", "\"\"", "null", "false", "0", "{}", "[]"}) {
    rows += std::string("{\"candidate\": \"\", \"reference\": \"\", \"error\": ") + none + "}\n";
  }
  folder_.write("rows.jsonl", rows);
  expect_contains(score("em", "rows.jsonl", {"--missing", "drop"}).err, "over 13 rows");
}

TEST_F(Score, NamesOfOtherFormatsAreNoOutputs) {
  folder_.write("rows.csv", "candidate,reference\na,b\n");
  for (const char* const name : {"o.xlsx", "o.PARQUET"}) {
    expect_message(
        run({"score", "em", "--input", folder_.file("rows.csv"), "--output", folder_.file(name)}),
        2, {"JSON lines, or a table of text", name, ".csv"});
    EXPECT_FALSE(std::filesystem::exists(folder_.file(name)));
  }
}

// JSON has lists of its own.
TEST_F(Score, ListsWrittenAsTextsInJsonAreNamed) {
  folder_.write("rows.jsonl", R"({"answers": "['a', 'b']", "candidate": "b"})"
                              "\n"
                              R"({"answers": "[sic]", "candidate": "b"})"
                              "\n");
  expect_contains(score("f1", "rows.jsonl").err,
                  "1 reference (field \"answers\") looks like a list, such as \"['a', 'b']\"");
}

// Answers of SQuAD, which are lists of objects, in a table that score has written.
TEST_F(Score, ListsOfObjectsAreReadFromTables) {
  folder_.write("rows.jsonl",
                R"({"prediction": "gold", "answers": [{"text": "gold", "answer_start": 1}]})"
                "\n");
  ASSERT_EQ(run({"score", "em", "--input", folder_.file("rows.jsonl"), "--output",
                 folder_.file("scored.csv")})
                .code,
            0);
  expect_contains(score("em", "scored.csv").err, "em 1.0000");
}

// As datasets writes JSON lines.
TEST_F(Score, JsonIsKnownByItsText) {
  const std::string row = R"({"candidate": "a", "reference": "a"})";
  for (const char* const name : {"rows.json", "rows.ndjson", "rows.txt", "rows.csv"}) {
    folder_.write(name, row + "\n" + row + "\n");
    const Outcome outcome = done(score("em", name));
    expect_contains(outcome.err, "over 2 rows");
  }
  folder_.write("one.json", "{\"samples\": [" + row + "]}");
  const Outcome outcome = score("em", "one.json");
  expect_says(outcome.err, {"rows are read from \"samples\"", "em 1.0000 over 1 row"});
  // promptfoo's texts are in an object; what has no usual path is named.
  folder_.write("log.json", R"({"results": {"results": [{"vars": {"question": "q", "expected": "a"},
                               "response": {"output": "a"}}]}})");
  expect_contains(score("em", "log.json").err, "em 1.0000 over 1 row");
  folder_.write("log.json", R"({"results": [{"run": {"outputs": {"output": "a"}},
                               "example": {"outputs": {"answer": "a"}}}]})");
  expect_message(score("em", "log.json"), 2,
                 {"--field reference=example.outputs.answer --field candidate=run.outputs.output"});
  folder_.write("log.json", R"({"data": [{"item": {"answer": "a"}, "sample": {"content": "a"}}]})");
  expect_message(score("em", "log.json"), 2,
                 {"--field reference=item.answer --field candidate=…", "\"sample.content\""});
  folder_.write("nested.json", R"({"run": {"outputs": {"examples": [)" + row + "]}}}");
  expect_contains(score("em", "nested.json").err, "rows are read from \"run.outputs.examples\"");
  folder_.write("rows.parquet", "PAR1....");
  expect_message(score("em", "rows.parquet"), 2, {"Parquet", "read_parquet"});
}

TEST_F(Score, SummaryHasMeansIntervalsAndSignatures) {
  folder_.write("rows.jsonl",
                "{\"reference\": \"a cat.\", \"candidate\": \"a cat\"}\n"
                "{\"reference\": \"b\", \"candidate\": \"c\"}\n"
                "{\"reference\": \"never\", \"candidate\": \"read\"}\n");
  const Outcome outcome =
      done(score("rouge_l,em", "rows.jsonl",
                 {"--strip", "?.!", "--limit", "2", "--summary", folder_.file("summary.json")}));
  EXPECT_EQ(read_rows(output()).size(), 2u);
  const Json summary = Json::parse_file(folder_.file("summary.json"));
  const Json& rouge = measured(summary, "mean", {.metric = "rouge_l"});
  EXPECT_EQ(rouge.find("value")->number(), 0.5);  // 1 without the full stop, and 0
  EXPECT_EQ(rouge.find("n")->number(), 2);
  // Of two rows a quarter of the resamples has only the one or the other.
  EXPECT_EQ(rouge.find("low")->number(), 0);
  EXPECT_EQ(rouge.find("high")->number(), 1);
  EXPECT_TRUE(holds(signature_of(summary, "rouge_l"),
                    "rouge_l|case:mixed|tok:none|beta:1.2|strip:?.!|rubric:"));
  EXPECT_EQ(value_of(summary, "mean", {.metric = "em"}), 0.5);
  EXPECT_TRUE(holds(outcome.err, "rouge_l 0.5000 [")) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "em 0.5000 [")) << outcome.err;
  expect_contains(outcome.err,
                  "few questions (2): a bootstrap interval of fewer than 30 is too narrow\n");
  EXPECT_EQ(score("em", "rows.jsonl", {"--quiet"}).err, "");
}

TEST_F(Score, BleuAndChrfOfTheFileAreCorpusScores) {
  folder_.write("rows.jsonl",
                "{\"reference\": \"a b c d\", \"candidate\": \"a b c d\"}\n"
                "{\"reference\": [\"E f g h\", \"x\"], \"candidate\": \"e f g h\"}\n");
  const Outcome outcome =
      done(score("BLEU,chrf,f1", "rows.jsonl",
                 {"--tokenize", "char", "--lowercase", "--word-order", "2", "--smooth", "floor",
                  "--summary", folder_.file("summary.json")}));
  const Json summary = Json::parse_file(folder_.file("summary.json"));
  EXPECT_NEAR(value_of(summary, "corpus", {.metric = "bleu"}), 100, 1e-9);
  expect_contains(signature_of(summary, "bleu"),
                  "bleu|nrefs:var|case:lc|eff:no|tok:char|smooth:floor[0.10]|rubric:");
  expect_contains(signature_of(summary, "chrf"),
                  "chrf|nrefs:var|case:lc|eff:yes|nc:6|nw:2|space:no|rubric:");
  EXPECT_EQ(summary.find("measurements")->array().size(), 3u);
  EXPECT_GT(value_of(summary, "mean", {.metric = "f1"}), 0);
  expect_says(outcome.err, {"bleu 100.0000 [100.0000, 100.0000] over the corpus of 2 rows  bleu|",
                            "] over 2 rows  f1|"});
  EXPECT_NEAR(read_rows(output())[1].find("scores")->find("bleu")->number(), 100, 1e-9);
  expect_contains(score("bleu", "rows.jsonl", {"--tokenize", "zh-cn"}).err,
                  "give one of 13a, intl, char, zh, none");
}

TEST_F(Score, OnATerminalATableHasTheScoresOfTheFile) {
  folder_.write("rows.jsonl", "{\"reference\": \"a b c d\", \"candidate\": \"a b c d\"}\n");
  OnTerminal terminal({std::string(programs_folder()) + "/rubric", "score", "--metric", "bleu,f1",
                       "--input", folder_.file("rows.jsonl")});
  const std::string shown = terminal.read_until("add --output FILE for the scores of each row");
  EXPECT_EQ(terminal.end(), 0);
  expect_contains(shown, "Scores of 1 row");
  EXPECT_TRUE(std::regex_search(shown, std::regex("metric +mean +corpus\\s"))) << shown;
  // Signatures stand below the table.
  EXPECT_TRUE(std::regex_search(shown, std::regex("f1 +1\\.0000\\s+bleu\\|\\S+\\s+f1\\|")))
      << shown;
}

TEST_F(ScoreCommand, AnInstalledProgramFindsMeteorsDataBesideIt) {
  const fs::path prefix = folder_.path() / "prefix";
  const fs::path program = copy_program(prefix), data = prefix / "share" / "rubric" / "meteor";
  folder_.write("in.jsonl", R"({"reference": "the man", "candidate": "the guy"})");
  const auto meteor = [&] {
    return run({fs::relative(program, programs_folder()), "score", "meteor", "--input",
                folder_.file("in.jsonl"), "--output", output()},
               {{"RUBRIC_METEOR", ""}});
  };
  // It looks into the clone while it has none of its own.
  const Outcome without = meteor();
  if (fs::exists(fs::path(source_folder()) / ".deps" / "meteor")) {
    EXPECT_EQ(without.code, kDone) << without.err;
  } else {
    expect_message(without, kBadInput,
                   {"METEOR's data is not there", "run scripts/setup --meteor in the clone"});
  }
  fs::create_directories(data.parent_path());
  fs::copy(MeteorFolder().path(), data, fs::copy_options::recursive);
  const Outcome outcome = meteor();
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  expect_contains(outcome.err, "modules:exact,stem,synonym,paraphrase");
  EXPECT_NE(outcome.err, without.err);  // its signature has the hash of the data
}

}  // namespace
}  // namespace rubric::cli
