#include "data/answers/answer_file.h"

#include <gtest/gtest.h>

#include "data/answers/evouna.h"
#include "data/answers/reference_separator.h"
#include "data/answers/squad.h"
#include "data/answers/stsb.h"
#include "data/answers/text_lines.h"
#include "data/reading.h"

namespace rubric::data::answer_file_test {

struct AnswerFiles : testing::Test {
  AnswerFile read(const std::string& text, InputFormat format, const FieldNames& names = {},
                  int64_t limit = 0) const {
    return AnswerFile(folder_.write("in", text), format, names, {limit, {}});
  }

  std::string error(const std::string& text, InputFormat format,
                    const FieldNames& names = {}) const {
    return input_error([&] { read(text, format, names); });
  }

  // What is written after each record got the score "m": 0.5, 1.5, …
  std::string scored(const std::string& text, InputFormat format, int64_t limit = 0) const {
    AnswerFile file = read(text, format, {}, limit);
    Scores scores{{"m"}, {}};
    for (size_t i = 0; i < file.records().size(); ++i) {
      scores.rows.push_back({0.5 + static_cast<double>(i)});
    }
    file.add_scores(scores);
    file.write(out_);
    return read_file(out_);
  }

  // "file:line" of the input.
  std::string where(int line) const {
    return (folder_.path() / "in").string() + ":" + std::to_string(line);
  }

  TemporaryFolder folder_;
  fs::path out_ = folder_.path() / "out";
};

const std::string kRow = R"("reference": "r", "candidate": "c")";

TEST_F(AnswerFiles, JsonLinesBecomeRecords) {
  const AnswerFile file = read(
      R"({"id": "a", "constituent": "drop", "source": "bert", "passage": "p", "question": "q",)"
      R"( "reference": ["r", "s"], "candidate": "c"})"
      "\n\n"
      R"({"id": 7, "passage": null, "reference": "r", "candidate": ""})"
      "\r\n"
      "{" +
          kRow + "}",
      InputFormat::kJsonl);
  // The last id is the row number.
  EXPECT_EQ(
      rows_text(file.records()),
      R"({"id": "a", "constituent": "drop", "source": "bert", "passage": "p", "question": "q", "reference": ["r", "s"], "candidate": "c"}
{"id": "7", "reference": "r", "candidate": ""}
{"id": "3", "reference": "r", "candidate": "c"}
)");
}

TEST_F(AnswerFiles, JsonLinesKeepEveryFieldAndMergeScores) {
  EXPECT_EQ(
      scored("\xEF\xBB\xBF{\"z\": 1.50, " + kRow + ", \"a\": [null, {\"k\": \"é\"}]}\n{" + kRow +
                 ", \"scores\": {\"old\": 3, \"m\": 9}}\n{\"scores\": null, " + kRow + "}\n",
             InputFormat::kJsonl),
      "{\"z\": 1.50, " + kRow + ", \"a\": [null, {\"k\": \"é\"}], \"scores\": {\"m\": 0.5}}\n{" +
          kRow + ", \"scores\": {\"old\": 3, \"m\": 1.5}}\n{\"scores\": {\"m\": 2.5}, " + kRow +
          "}\n");
}

TEST_F(AnswerFiles, CsvAndTsvBecomeJsonLines) {
  EXPECT_EQ(scored("\xEF\xBB\xBF"
                   "note,candidate,reference\n\"1,\"\"x\"\"\",c,r\n,\"two\nlines\",s",
                   InputFormat::kCsv),
            R"({"note": "1,\"x\"", "candidate": "c", "reference": "r", "scores": {"m": 0.5}})"
            "\n"
            R"({"note": "", "candidate": "two\nlines", "reference": "s", "scores": {"m": 1.5}})"
            "\n");
  EXPECT_EQ(scored("candidate\treference\nc \"d\"\tr,s\n", InputFormat::kTsv),
            R"({"candidate": "c \"d\"", "reference": "r,s", "scores": {"m": 0.5}})"
            "\n");
}

const std::string kInstance = R"("context": "p", "question": "q", "reference": "r")";

TEST_F(AnswerFiles, MochaKeepsItsNesting) {
  const std::string text =
      "{\"drop\": {\"b\": {" + kInstance +
      R"(, "candidate": "c", "score": 4.50, "metadata": {"source": "bert"}}}, "mine": {"a": {)" +
      kInstance + R"(, "candidate": "d"}, "b": {)" + kInstance + R"(, "candidate": "e"}}})";
  const AnswerFile file = read(text, InputFormat::kMocha);
  EXPECT_EQ(
      rows_text(file.records()),
      R"({"id": "b", "constituent": "drop", "source": "bert", "passage": "p", "question": "q", "reference": "r", "candidate": "c", "score": 4.5}
{"id": "a", "constituent": "mine", "passage": "p", "question": "q", "reference": "r", "candidate": "d"}
{"id": "b", "constituent": "mine", "passage": "p", "question": "q", "reference": "r", "candidate": "e"}
)");
  EXPECT_EQ(Json::parse(scored(text, InputFormat::kMocha), "").dump(),
            "{\"drop\": {\"b\": {" + kInstance +
                R"(, "candidate": "c", "score": 4.50, "metadata": {"source": "bert"}, )"
                R"("scores": {"m": 0.5}}}, "mine": {"a": {)" +
                kInstance + R"(, "candidate": "d", "scores": {"m": 1.5}}, "b": {)" + kInstance +
                R"(, "candidate": "e", "scores": {"m": 2.5}}}})");
}

TEST_F(AnswerFiles, MinimalPairsGiveTwoRecords) {
  const std::string text =
      "{\"drop\": {\"m\": {" + kInstance +
      R"(, "candidate1": "good", "candidate2": "bad", "score1": 5, "score2": 2}}})";
  const AnswerFile file = read(text, InputFormat::kMocha);
  ASSERT_EQ(file.records().size(), 2u);
  EXPECT_EQ(
      rows_text({file.records()[1]}),
      R"({"id": "m", "constituent": "drop", "passage": "p", "question": "q", "reference": "r", "candidate": "bad", "score": 2}
)");
  EXPECT_EQ(file.records()[0].candidate, "good");
  EXPECT_EQ(Json::parse(scored(text, InputFormat::kMocha), "").dump(),
            "{\"drop\": {\"m\": {" + kInstance +
                R"(, "candidate1": "good", "candidate2": "bad", "score1": 5, "score2": 2, )"
                R"("scores1": {"m": 0.5}, "scores2": {"m": 1.5}}}})");
}

TEST_F(AnswerFiles, MinimalPairsMayBeRows) {
  EXPECT_EQ(scored("constituent,id,reference,candidate1,candidate2,score1,score2\n"
                   "drop,m,r,good,bad,5,2\n",
                   InputFormat::kCsv),
            R"({"constituent": "drop", "id": "m", "reference": "r", "candidate1": "good", )"
            R"("candidate2": "bad", "score1": "5", "score2": "2", )"
            R"("scores1": {"m": 0.5}, "scores2": {"m": 1.5}})"
            "\n");
  expect_contains(error("{\"reference\": \"r\", \"candidate1\": \"a\"}", InputFormat::kJsonl),
                  "\"candidate2\" is missing");
  expect_contains(
      error("reference,candidate1,candidate2,score1,score2\nr,a,b,2,5\n", InputFormat::kCsv),
      "score1 must be greater than score2");
}

// By the readers of evouna.h and stsb.h, whose own tests have every case.
TEST_F(AnswerFiles, DataSetsComeOutAsRows) {
  const std::string evouna =
      R"([{"question": "q", "golden_answer": "r/s", "answer_a": "c", "judge_a": true,)"
      R"( "answer_b": "d", "judge_b": false, "improper": false}])";
  EXPECT_EQ(scored(evouna, kEvouna),
            R"({"id": "0", "constituent": "a", "question": "q", "reference": ["r", "s"], )"
            R"("candidate": "c", "score": 5, "scores": {"m": 0.5}})"
            "\n"
            R"({"id": "0", "constituent": "b", "question": "q", "reference": ["r", "s"], )"
            R"("candidate": "d", "score": 1, "scores": {"m": 1.5}})"
            "\n");
  EXPECT_EQ(read(evouna, kEvouna, {}, 1).records().size(), 1u);
  EXPECT_EQ(scored("r,c,2.5\n", kStsb),
            "{\"id\": \"1\", \"reference\": \"r\", \"candidate\": \"c\", \"score\": 2.5, "
            "\"scores\": {\"m\": 0.5}}\n");
}

TEST_F(AnswerFiles, TheLimitCountsRows) {
  const std::string line = "{" + kRow + "}\n";
  EXPECT_EQ(read(line + line + line, InputFormat::kJsonl, {}, 2).records().size(), 2u);
  EXPECT_EQ(read(line, InputFormat::kJsonl, {}, 2).records().size(), 1u);
  EXPECT_EQ(read("candidate,reference\na,b\nc,d\n", InputFormat::kCsv, {}, 1).records().size(), 1u);
  const std::string pair = "{" + kInstance + R"(, "candidate1": "x", "candidate2": "y"})";
  const std::string pairs = "{\"a\": {\"1\": " + pair + "}, \"b\": {\"2\": " + pair + "}}";
  EXPECT_EQ(read(pairs, InputFormat::kMocha, {}, 1).records().size(), 2u);
  EXPECT_EQ(Json::parse(scored(pairs, InputFormat::kMocha, 1), "").find("b"), nullptr);
}

TEST_F(AnswerFiles, OfSomeConstituentsAlone) {
  const std::string rows = "constituent,candidate,reference\na,1,x\nb,2,x\na,3,x\nb,4,x\n";
  const auto candidates = [&](const RowSelection& selection) {
    std::string all;
    const AnswerFile file(folder_.write("in", rows), InputFormat::kCsv, {}, selection);
    for (const Answer& answer : file.records()) all += answer.id + ":" + answer.candidate + " ";
    return all;
  };
  EXPECT_EQ(candidates({0, {"b"}}), "2:2 4:4 ");  // ids are the rows' numbers in the file
  EXPECT_EQ(candidates({1, {"b"}}), "2:2 ");
  EXPECT_EQ(candidates({3, {"b", "a"}}), "1:1 2:2 3:3 ");
  expect_contains(input_error([&] { candidates({0, {"b", "c"}}); }), "no constituent \"c\"");
  EXPECT_EQ(candidates({2, {"a"}}), "1:1 3:3 ");
  const std::string instance = "{" + kInstance + R"(, "candidate": "x"})";
  const std::string text = "{\"a\": {\"1\": " + instance + "}, \"b\": {\"2\": " + instance + "}}";
  const AnswerFile file(folder_.write("in", text), InputFormat::kMocha, {}, {0, {"b"}});
  ASSERT_EQ(file.records().size(), 1u);
  EXPECT_EQ(file.records()[0].id, "2");
}

TEST_F(AnswerFiles, FieldsMayHaveOtherNames) {
  const FieldNames names = parse_field_names({"candidate=prediction", "id=a=b"});
  const std::string row = R"({"a=b": "x", "prediction": "c", "reference": "r"})";
  const AnswerFile file = read(row, InputFormat::kJsonl, names);
  EXPECT_EQ(file.records()[0].candidate, "c");
  EXPECT_EQ(file.records()[0].id, "x");
  const std::string no_id = R"({"prediction": "c", "reference": "r"})";
  EXPECT_EQ(error(no_id, InputFormat::kJsonl, names),
            error_lines("the field \"a=b\" is missing", where(1),
                        "rename what holds it or, where the command takes --field, name it: "
                        "--field id=…; the row's fields (of a table: the names in its first line) "
                        "are \"prediction\", \"reference\""));
  expect_contains(error("{\"drop\": {\"a\": {" + kInstance + "}}}", InputFormat::kMocha, names),
                  "fixed field names");
}

TEST_F(AnswerFiles, MissingOrMistypedFieldsNameFileAndRow) {
  const auto second_row = [&](const std::string& row) {
    return error("{" + kRow + "}\n" + row + "\n", InputFormat::kJsonl);
  };
  EXPECT_EQ(
      second_row(R"({"reference": "r", "candidat": "c"})"),
      error_lines("the field \"candidate\" is missing", where(2),
                  "rename what holds it or, where the command takes --field, name it: --field "
                  "candidate=candidat; the row's fields (of a table: the names in its first line) "
                  "are \"reference\", \"candidat\""));
  EXPECT_EQ(error(R"({"referenc": "r", "zz": "c"})", InputFormat::kJsonl,
                  parse_field_names({"question=query"})),
            error_lines("the fields \"query\", \"reference\", \"candidate\" are missing", where(1),
                        "rename what holds them or, where the command takes --field, name them: "
                        "--field question=… --field reference=referenc --field candidate=…; the "
                        "row's fields (of a table: the names in its first line) are "
                        "\"referenc\", \"zz\""));
  // What is of the reference is not named as the candidate, nor the other way round.
  expect_contains(
      error(R"({"model": {"answer": "c"}, "gold_data": {"answer": "r"}})", InputFormat::kJsonl),
      "--field reference=gold_data.answer --field candidate=model.answer;");
  expect_contains(error(R"({"reference_data": {"answer": "r"}})", InputFormat::kJsonl),
                  "--field reference=reference_data.answer --field candidate=…;");
  expect_contains(second_row(R"({"reference": "r", "candidate": ["c", "d"]})"),
                  "the field \"candidate\" must be a text, it is a list of 2");
  expect_contains(second_row(R"({"candidate": "c", "reference": ["r", []]})"),
                  "the field \"reference\" must be a text or a list of texts");
  for (const char* reference : {R"({"a": "r"})", R"([{"a": "r"}])"}) {
    EXPECT_EQ(second_row(std::string(R"({"candidate": "c", "reference": )") + reference + "}"),
              error_lines("the field \"reference\" must be a text or a list of texts", where(2),
                          "name the field of its texts: --field reference=reference.a"));
  }
  EXPECT_EQ(second_row("{\"passage\": [], " + kRow + "}"), "accepted");  // is not needed
  expect_contains(second_row("[1]"), "expected an object, found an array");
  expect_contains(second_row("[1]"), "one object a line; jq -c '.[]'");
  EXPECT_EQ(
      second_row("{" + kRow),
      error_lines("not valid JSON: unexpected end of input; expected '}'", where(2) + ", column 36",
                  "the text ends there: if it was cut off, write it again"));
}

// In a table, in JSON, and in JSON without the field: the second row lacks a candidate, the third a
// reference, the fourth has no answer as in SQuAD 2.0.
TEST_F(AnswerFiles, MissingValuesHaveOneRule) {
  const std::pair<InputFormat, std::string> files[] = {
      {InputFormat::kCsv, "candidate,reference\nc,r\n,r\nc,\nd,[]\n"},
      {InputFormat::kTsv, "candidate\treference\nc\tr\n\tr\nc\t\nd\t[]\n"},
      {InputFormat::kJsonl,
       R"({"candidate": "c", "reference": "r"}
{"candidate": null, "reference": "r"}
{"candidate": "c", "reference": null}
{"candidate": "d", "reference": []})"},
      {InputFormat::kJsonl,
       R"({"candidate": "c", "reference": ["r"]}
{"reference": "r"}
{"candidate": "c"}
{"candidate": "d", "reference": [""]})"},
      {InputFormat::kJsonl,
       R"({"prediction": "c", "answers": {"text": ["r"]}}
{"prediction": null, "answers": {"text": ["r"]}}
{"prediction": "c", "answers": {"text": null}}
{"prediction": "d", "answers": {"text": []}})"}};
  using Texts = std::vector<std::string>;
  const auto texts = [&](const InputFormat& format, const std::string& text, Missing rule) {
    const AnswerFile file(folder_.write("in", text), format, {}, {.options = {.missing = rule}});
    Texts all;
    for (const Answer& answer : file.records()) {
      all.push_back(answer.id + ":" + answer.candidate + ":" + join(answer.references, "|"));
    }
    return all;
  };
  for (const auto& [format, text] : files) {
    const auto refused = [&](Missing rule) {
      return input_error([&] { texts(format, text, rule); });
    };
    EXPECT_EQ(texts(format, text, Missing::empty), (Texts{"1:c:r", "2::r", "3:c:", "4:d:"}));
    EXPECT_EQ(texts(format, text, Missing::drop), (Texts{"1:c:r", "4:d:"}));
    const bool is_table = format != InputFormat::kJsonl;
    expect_says(refused(Missing::automatic), {"the row has no reference", where(is_table ? 4 : 3)});
    expect_says(refused(Missing::error),
                {"the row has no candidate", where(is_table ? 3 : 2), "--missing drop"});
  }
  // Texts of JSON that have no word are there.
  const std::string empty = R"({"candidate": "", "reference": ""})";
  EXPECT_EQ(texts(InputFormat::kJsonl, empty, Missing::error), (Texts{"1::"}));
  // What pandas reads as missing is a text.
  EXPECT_EQ(texts(InputFormat::kCsv, "candidate,reference\nNA,None\nnull,nan\n", Missing::error),
            (Texts{"1:NA:None", "2:null:nan"}));
}

TEST_F(AnswerFiles, NumbersAreTextsAsTheyAreWritten) {
  const AnswerFile file = read(R"({"candidate": 3.50, "reference": [1, true, "x"]})"
                               "\n"
                               R"({"candidate": false, "reference": 1e2})",
                               InputFormat::kJsonl);
  EXPECT_EQ(file.records()[0].candidate, "3.50");
  EXPECT_EQ(file.records()[0].references, (std::vector<std::string>{"1", "true", "x"}));
  EXPECT_EQ(file.records()[1].candidate, "false");
  EXPECT_EQ(file.records()[1].references, std::vector<std::string>{"1e2"});
}

TEST_F(AnswerFiles, ReferencesAreSplitByASeparator) {
  const auto references = [&](const std::string& text, const InputFormat& format,
                              const std::string& separator) {
    const AnswerFile file(folder_.write("in", text), format, {},
                          {.options = {.reference_separator = separator}});
    return file.records()[0].references;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(references("candidate,reference\na,a/b / c/\n", InputFormat::kCsv, "/"),
            (Texts{"a", "b", "c"}));
  EXPECT_EQ(references("candidate,reference\na,a/b\n", InputFormat::kCsv, ""), Texts{"a/b"});
  EXPECT_EQ(references("candidate,reference\na,plain\n", InputFormat::kCsv, "|"), Texts{"plain"});
  EXPECT_EQ(references("candidate,reference\na,|\n", InputFormat::kCsv, "|"), Texts{"|"});
  EXPECT_EQ(references(R"({"candidate": "a", "gold": ["a || b", "c"]})", InputFormat::kJsonl, "||"),
            (Texts{"a", "b", "c"}));
  EXPECT_EQ(
      references(R"({"candidate": "a", "answers": {"text": ["a|b"]}})", InputFormat::kJsonl, "|"),
      (Texts{"a", "b"}));
  EXPECT_EQ(references(R"({"prediction": "dog", "answers": [{"text": "dog/cat"}]})",
                       InputFormat::kJsonl, "/"),
            (Texts{"dog", "cat"}));
  EXPECT_EQ(references(R"({"candidate": "5", "reference": [5, null, "dog/cat"]})",
                       InputFormat::kJsonl, "/"),
            (Texts{"5", "dog", "cat"}));
  EXPECT_EQ(references(R"({"candidate": "5", "reference": 5})", InputFormat::kJsonl, "/"),
            Texts{"5"});
}

// Whatever the format.
TEST_F(AnswerFiles, TheSeparatorIsReadInEveryFormat) {
  using Texts = std::vector<std::string>;
  AnswerOptions options = {.reference_separator = "/"};
  const std::string lines = folder_.write("refs.txt", "a/b\n");
  options.references = {lines};
  const AnswerFile texts(folder_.write("hyp.txt", "a\n"), kTextLines, {}, {.options = options});
  EXPECT_EQ(texts.records()[0].references, (Texts{"a", "b"}));
  EXPECT_EQ(texts.signature(), "|refsep:/");
  // Bars separate the parts of a signature.
  EXPECT_EQ(ReferenceSeparator("||").signature(), "|refsep:\\x7c\\x7c");
  EXPECT_EQ(ReferenceSeparator("\\x7c").signature(), "|refsep:\\\\x7c");
  const std::string questions = folder_.write(
      "squad.json",
      R"({"data": [{"paragraphs": [{"context": "c", "qas": [{"id": "q", "question": "q",)"
      R"( "answers": [{"text": "a/b"}]}]}]}]})");
  options.references = {};
  options.predictions = folder_.write("predictions.json", R"({"q": "a"})");
  const AnswerFile squad(questions, kSquad, {}, {.options = options});
  options.predictions = "";
  EXPECT_EQ(squad.records()[0].references, (Texts{"a", "b"}));
  const AnswerFile mocha(
      folder_.write("mocha.json", R"({"drop": {"1": {"context": "c", "question": "q",)"
                                  R"( "reference": "a/b", "candidate": "a", "score": 1}}})"),
      InputFormat::kMocha, {}, {.options = options});
  EXPECT_EQ(mocha.records()[0].references, (Texts{"a", "b"}));
  EXPECT_EQ(
      read_answers(folder_.path() / "mocha.json", InputFormat::kMocha, {}, options)[0].references,
      (Texts{"a", "b"}));
}

TEST_F(AnswerFiles, NullsInListsAreLeftOut) {
  const std::string rows = R"({"candidate": "a", "reference": ["a", null]}
{"candidate": "b", "reference": [null]}
{"candidate": "c", "reference": []})";
  const auto read_with = [&](Missing rule) {
    return AnswerFile(folder_.write("in", rows), InputFormat::kJsonl, {},
                      {.options = {.missing = rule}});
  };
  const AnswerFile dropped = read_with(Missing::drop);
  ASSERT_EQ(dropped.records().size(), 2u);
  EXPECT_EQ(dropped.records()[0].references, std::vector<std::string>{"a"});
  EXPECT_EQ(dropped.records()[1].references, std::vector<std::string>{""});
  EXPECT_EQ(dropped.signature(), "|missing:drop");
  EXPECT_EQ(read_with(Missing::empty).signature(), "|missing:empty");
  expect_contains(input_error([&] { read_with(Missing::automatic); }), "the row has no reference");
}

// As a table, too, which is read again as it was.
TEST_F(AnswerFiles, NoAnswerStaysNoAnswer) {
  const std::string questions = folder_.write(
      "squad.json",
      R"({"data": [{"paragraphs": [{"context": "c", "qas": [{"id": "q", "question": "q",)"
      R"( "is_impossible": true, "answers": []}]}]}]})");
  const std::string predictions = folder_.write("predictions.json", R"({"q": "a"})");
  const AnswerFile squad(questions, kSquad, {}, {.options = {.predictions = predictions}});
  for (const char* const name : {"out.csv", "out.jsonl"}) {
    const std::string out = folder_.file(name);
    squad.write(out);
    const AnswerFile again(out, input_format("", out), {},
                           {.options = {.missing = Missing::error}});
    EXPECT_EQ(again.records()[0].references, std::vector<std::string>{""}) << name;
  }
}

TEST_F(AnswerFiles, ScoresThatCannotBeMergedAreRefused) {
  EXPECT_EQ(error("{\"scores\": [4, 5], " + kRow + "}", InputFormat::kJsonl),
            error_lines("the field \"scores\" must be an object, it is an array", where(1),
                        "rename it: score adds to the object of this name"));
  expect_contains(error("candidate,reference,scores\nc,r,1\n", InputFormat::kCsv),
                  "it is a string");
  expect_contains(error("{\"d\": {\"m\": {" + kInstance +
                            R"(, "candidate1": "x", "candidate2": "y", "scores2": 3}}})",
                        InputFormat::kMocha),
                  "\"scores2\" must be an object");
}

TEST_F(AnswerFiles, CsvRowsMustFitTheirHeader) {
  EXPECT_EQ(error("candidate,reference\nc,r\n\nc,r,x\n", InputFormat::kCsv),
            error_lines("the row has 3 fields, the first line names 2", where(4),
                        "quote a field that holds the separator: \"so, he said\""));
  expect_contains(error("candidate\treference\nc\n", InputFormat::kTsv), "the row has 1 field,");
  EXPECT_EQ(error("\nreference,candidate,reference\nr,c,s\n", InputFormat::kCsv),
            error_lines("two columns are named \"reference\"", where(2),
                        "give each column its own name"));
  EXPECT_EQ(error("reply,reference\nc,r\n", InputFormat::kCsv),
            error_lines("the field \"candidate\" is missing", where(2),
                        "rename what holds it or, where the command takes --field, name it: "
                        "--field candidate=…; the row's fields (of a table: the names in its first "
                        "line) are \"reply\", \"reference\""));
  expect_contains(error("a\tb\tc\td\te\tf\tg\th\ti\tj\tk\n1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\n",
                        InputFormat::kTsv),
                  "\"j\", … 11 in all");
}

TEST_F(AnswerFiles, QuotedCellsBetweenSemicolonsAreNamed) {
  EXPECT_EQ(error("\"candidate, ours\";\"reference\"\n\"c\";\"r\"\n", InputFormat::kCsv),
            error_lines("a field ends before a semicolon or a tab", where(1),
                        "separate the columns by commas, or name what does: --delimiter ';'"));
}

TEST_F(AnswerFiles, FilesWithoutRowsAreRefused) {
  for (const char* text : {"", "\n \n", "\xEF\xBB\xBF"}) {
    expect_contains(error(text, InputFormat::kJsonl), "the file has no rows");
    expect_contains(error(text, InputFormat::kCsv), "the file has no rows");
  }
  expect_contains(error("candidate,reference\n", InputFormat::kCsv), "the file has no rows");
  expect_contains(error("{}", InputFormat::kMocha), "the file has no instances");
  expect_contains(error("", InputFormat::kMocha), "unexpected end of input");
}

// By the reader of mocha.h, whose own test has every case.
TEST_F(AnswerFiles, WhatIsNotMochaIsRefused) {
  expect_contains(error("[]", InputFormat::kMocha), "{constituent: {id: {…}}}");
  expect_contains(error("[{" + kRow + "}]", InputFormat::kMocha), ".jsonl: jq -c '.[]'");
  expect_contains(error("{" + kRow + "}", InputFormat::kMocha),
                  "rows of your own are one object a line");
  expect_contains(
      error("{\"drop\": {\"a\": {" + kInstance + "}}}", InputFormat::kMocha),
      "\"candidate\" is missing\n  where: " + folder_.file("in") + ": \"drop\" / \"a\"");
  expect_contains(
      error("{\"drop\": {\"a\": {" + kInstance + R"(, "candidate1": "c"}}})", InputFormat::kMocha),
      "\"candidate2\" is missing");
}

}  // namespace rubric::data::answer_file_test
