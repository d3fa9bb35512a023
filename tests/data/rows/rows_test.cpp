#include "data/rows/rows.h"

#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cases.h"
#include "core/context.h"
#include "core/files/files.h"
#include "core/files/gzip.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::rows_test {

std::string table_error(const std::string& text, InputFormat format = InputFormat::kCsv) {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", text);
  return input_error(
      [&] { visit_rows(file, format, [](const Json&, const std::string&) { return true; }); });
}

TEST(Rows, EveryColumnThatIsReadHasANameOfItsOwn) {
  EXPECT_EQ(table_error("id,f1\n1,2\n"), "accepted");
  expect_contains(table_error("f1, f1\n1,2\n"), "two columns are named \"f1\"");
}

// pandas' index, and the last column of a spreadsheet.
TEST(Rows, ColumnsWithoutANameAreNotRead) {
  for (const char* const text : {",id,f1\n0,1,2\n", "id, ,f1\n1,x,2\n", "id,f1,,\n1,2,,\n"}) {
    const TemporaryFolder folder;
    std::string rows;
    visit_rows(folder.write("t.csv", text), InputFormat::kCsv,
               [&](const Json& row, const std::string&) {
                 rows += row.dump();
                 return true;
               });
    EXPECT_EQ(rows, R"({"id": "1", "f1": "2"})") << text;
  }
}

TEST(Rows, TablesUnderANameOfJsonAreNamed) {
  for (const InputFormat& format : {InputFormat::kJson, InputFormat::kJsonl}) {
    for (const char* const text : {"id,f1\n1,2\n", "\"id\";\"f1\"\n", "id\tf1\n1\t2"}) {
      expect_contains(table_error(text, format), "--input-format csv");
    }
    EXPECT_FALSE(holds(table_error("id\n", format), "--input-format"));
  }
}

// What write_rows() makes of rows by the file's name.
struct WrittenTable : testing::Test {
  std::string written(const std::string& name, const std::vector<std::string>& objects) const {
    std::vector<Json> rows;
    for (const std::string& object : objects) rows.push_back(Json::parse(object, "row"));
    write_rows(folder_.file(name), rows);
    return read_text(folder_.file(name));
  }
  TemporaryFolder folder_;
};

TEST_F(WrittenTable, HasAColumnForEachFieldAndScore) {
  const std::vector<std::string> rows = {
      R"({"id": 7, "doc": {"q": "a, \"b\"", "at": {"n": 1.50}}, "scores": {"f1": 0.5, "em": 0}})",
      R"({"id": "x", "reference": ["a", "b"], "scores": {"f1": 1}, "verdict": true, "e": {}})",
      R"({"id": null, "doc": "none\nhere", "scores": null, "tab": "\t"})"};
  EXPECT_EQ(written("t.csv", rows),
            "id,doc.q,doc.at.n,f1,em,reference,verdict,e,doc,tab\n"
            "7,\"a, \"\"b\"\"\",1.50,0.5,0,,,,,\n"
            "x,,,1,,\"[\"\"a\"\", \"\"b\"\"]\",true,{},,\n"
            ",,,,,,,,\"none\nhere\",\t\n");
  const std::vector<std::string> tabs = {R"({"id": 1, "t": "a\tb", "s": "c,d"})"};
  EXPECT_EQ(written("t.tsv", tabs), "id\tt\ts\n1\t\"a\tb\"\tc,d\n");
  EXPECT_EQ(written("t.csv.gz", tabs), "id,t,s\n1,a\tb,\"c,d\"\n");
}

TEST_F(WrittenTable, AScoreTakesThePlaceOfAColumnOfItsName) {
  EXPECT_EQ(written("t.csv", {R"({"id": "1", "f1": "0.1", "scores": {"f1": 0.5}})"}),
            "id,f1\n1,0.5\n");
}

TEST_F(WrittenTable, WhatATableCannotHoldIsRefusedAndNothingWritten) {
  const auto refused = [&](const std::string& name, const std::string& row) {
    const std::string message = input_error([&] { written(name, {row}); });
    EXPECT_FALSE(std::filesystem::exists(folder_.file(name)));
    return message;
  };
  expect_contains(refused("t.csv", R"({"a": {"b": 1}, "a.b": 2})"),
                  "two fields would be the column");
  expect_contains(refused("t.tsv", R"({"a": "b\tc\nd"})"), "\"a\" holds tabs and line breaks");
}

TEST(Rows, LinesThatEndInCarriageReturnsAloneAreNamed) {
  const std::string problem = "lines end in a carriage return alone";
  expect_contains(table_error("id,f1\r1,2\r3,4\r"), problem);
  expect_contains(table_error("{\"id\": 1}\r{\"id\": 2}\r", InputFormat::kJsonl), problem);
  expect_contains(table_error("id,f1\r1,2\r3,4\r\n"), problem);  // and one line feed
  expect_contains(table_error("\xFF\r\x80\n", InputFormat::kJsonl), "not valid JSON");
  EXPECT_EQ(table_error("id,f1\r\n1,2\r\n"), "accepted");
  EXPECT_EQ(table_error("{\"id\": 1}\r\n{\"id\": 2}\r\r\n", InputFormat::kJsonl), "accepted");
}

// Windows writes it so without a byte-order mark, too.
TEST(Rows, Utf16WithoutAMarkIsNamed) {
  const std::string text = "id,f1\r\n1,2\r\n";
  for (const bool is_little : {true, false}) {
    std::string wide;
    for (const char c : text) wide += is_little ? std::string{c, '\0'} : std::string{'\0', c};
    expect_contains(table_error(wide), std::string("iconv -f UTF-16") + (is_little ? "LE" : "BE"));
    expect_contains(table_error(wide, InputFormat::kJsonl), "iconv -f UTF-16");
  }
  expect_contains(table_error(std::string("id\0\1\2,f1\n1,2\n", 14)), "binary");
}

TEST(Rows, FieldsAreNamedOneByOne) {
  const auto names = [](const std::string& assignment) {
    return input_error([&] { parse_field_names({assignment}, {"candidate", "reference"}); });
  };
  EXPECT_EQ(names("candidate=x,reference=y"),
            error_lines("more than one field is named at once", "--field candidate=x,reference=y",
                        "give each a --field of its own"));
  const auto advice = [&](const std::string& assignment, const std::string& meant) {
    EXPECT_EQ(
        names(assignment),
        error_lines("there is no field \"" + assignment.substr(0, assignment.find('=')) + "\"",
                    "--field " + assignment, meant + "the fields are candidate, reference"));
  };
  // What is advised is accepted.
  advice("candidat=prediction", "perhaps --field candidate=prediction; ");
  advice("candidat=candidate",
         "perhaps --field candidate=candidate; or our name comes first: perhaps "
         "--field candidate=candidat; ");
  advice("prediction=candidate", "our name comes first: perhaps --field candidate=prediction; ");
  advice("x=y", "");
  expect_contains(input_error([] {
                    parse_field_names({"reference=a", "reference=b"}, {"reference"});
                  }),
                  "of several columns of references make one, with cells such as a|b");
  for (const char* theirs : {"x, the last", "a=b", "f (k=5, n=3)", "x,y=z"}) {
    EXPECT_EQ(names(std::string("candidate=") + theirs), "accepted");
  }
}

std::vector<Json> rows_of(const std::string& text, InputFormat format) {
  const TemporaryFolder folder;
  std::vector<Json> rows;
  visit_rows(folder.write("file", text), format, [&](Json row, const std::string&) {
    rows.push_back(std::move(row));
    return true;
  });
  return rows;
}

TEST(Rows, AnArrayHasTheRowsOfLines) {
  const auto rows = rows_of("[{\"a\": 1},\n {\"a\": [2]}]\n", InputFormat::kJson);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].dump(), "{\"a\": [2]}");
  const auto error = [](const std::string& text) {
    return input_error([&] { rows_of(text, InputFormat::kJson); });
  };
  expect_says(error("[{}, 3]"), {"expected an object, found a number", "row 2"});
  expect_contains(error("3"), "expected an array of rows");
  EXPECT_EQ(error("[]"), "accepted");
}

TEST(Rows, AnArrayMayBeginWithAMark) {
  const auto utf16 = [](const std::string& text) {
    std::string bytes = "\xFF\xFE";
    for (const char c : text) (bytes += c) += '\0';
    return bytes;
  };
  for (const std::string& text :
       {std::string("\xEF\xBB\xBF[{\"a\": 1, \"b\": 2}]"), utf16("[{\"a\": 1, \"b\": 2}]")}) {
    const auto rows = rows_of(text, InputFormat::kJson);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].find("b")->number(), 2);
  }
}

// As jq writes them without -c.
TEST(Rows, ObjectsMayFollowOneAnother) {
  for (const InputFormat& format : {InputFormat::kJson, InputFormat::kJsonl}) {
    const auto rows = rows_of("{\n  \"a\": \"}{\\\"\"\n}\n{\n  \"a\": {\"b\": 2}\n}\n", format);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].find("a")->string(), "}{\"");
    EXPECT_EQ(rows[1].find("a")->dump(), "{\"b\": 2}");
    for (const char* const text :
         {"{\n\"a\": 1\n}\n{\n\"a\": 2", "{\n\"a\": 1\n}\n{\n\"a\": 2\n}\n]",
          "{\n\"a\": 1\n},\n{\n\"a\": 2\n}"}) {
      expect_contains(input_error([&] { rows_of(text, format); }), "not valid JSON");
    }
    expect_contains(input_error([&] { rows_of("{\n\"a\": 1\n}\n{\n\"a\": x\n}", format); }),
                    "row 2");
  }
}

// A pipe's text is there once, also where it is no one document.
TEST(Rows, ObjectsMayComeFromAPipe) {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& [text, rows] :
       {std::pair("{\"a\": 1}\n{\"a\": 2}\n", 2), {"[{\"a\": 1}]", 1}, {"{\"a\": 1", 0}}) {
    const std::jthread writer([&] { std::ofstream(pipe) << text; });
    int visited = 0;
    const std::string error = input_error([&] {
      visit_rows(pipe, InputFormat::kJson, [&](const Json&, const std::string&) {
        ++visited;
        return true;
      });
    });
    EXPECT_EQ(visited, rows) << error;
    if (rows == 0) expect_contains(error, "not valid JSON");
  }
}

// As Inspect, promptfoo, HELM and DeepEval write their logs, and as one row of one's own may be.
TEST(Rows, ADocumentHasThemUnderAKey) {
  for (const auto& [document, field] :
       cases<Json, std::string>("data/rows/documents.json", "rows under a key")) {
    // One line of JSON lines that has no candidate is a row, whatever it holds.
    const bool has_candidate = field != "x";
    for (const InputFormat& format : {InputFormat::kJson, InputFormat::kJsonl}) {
      if (format == InputFormat::kJsonl && !has_candidate) continue;
      const std::vector<Json> rows = rows_of(document.dump(), format);
      ASSERT_EQ(rows.size(), 1u) << document.dump();
      EXPECT_NE(rows[0].find(field), nullptr) << rows[0].dump();
      EXPECT_EQ(rows_of(document.dump(1), format).size(), 1u);  // over many lines
    }
  }
  EXPECT_EQ(rows_of(R"({"rows": [{"x": 1}, {"x": 2}]})", InputFormat::kJsonl).size(), 1u);
  // So is one whose rows may stand under several names.
  const std::string two_pairs =
      R"({"log": [{"a": {"candidate": "x", "reference": "y"}, "b": {"candidate": "x", "reference": "y"}}]})";
  const std::vector<Json> kept = rows_of(two_pairs, InputFormat::kJsonl);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_NE(kept[0].find("log"), nullptr) << kept[0].dump();
  const auto error = [](const std::string& text) {
    return input_error([&] { rows_of(text, InputFormat::kJson); });
  };
  expect_says(error(R"({"a": [{"x": 1}], "b": {"c": [{"y": 2}]}})"),
              {"the rows may be any of the lists a, b.c", "jq -c '.a[]'", "or jq -c '.b.c[]'"});
  for (const InputFormat& format : {InputFormat::kJson, InputFormat::kJsonl}) {
    for (const char* const text :
         {R"({"samples": []})", R"({"eval": {"task": "t"}, "samples": []})", R"({"mine": []})"}) {
      expect_contains(input_error([&] { rows_of(text, format); }),
                      "which would hold the rows, is empty");
    }
    EXPECT_EQ(rows_of(R"({"candidate": "a", "samples": []})", format).size(), 1u);
    EXPECT_EQ(rows_of(R"({"id": 1, "tags": []})", format).size(), 1u);
  }
  const std::vector<Json> by_id = rows_of(
      R"({"q1": {"prediction": "a", "reference": "b"}, "q2": {"id": 7, "prediction": "a"}})",
      InputFormat::kJson);
  ASSERT_EQ(by_id.size(), 2u);
  EXPECT_EQ(by_id[0].find("id")->string(), "q1");
  EXPECT_EQ(by_id[1].find("id")->number(), 7);
  // Of OpenCompass, and of pandas' orient="index".
  const std::vector<Json> by_number =
      rows_of(R"({"0": {"prediction": "a", "gold": "b"}, "1": {"prediction": "a", "gold": "c"}})",
              InputFormat::kJson);
  ASSERT_EQ(by_number.size(), 2u);
  EXPECT_EQ(by_number[1].find("gold")->string(), "c");
  EXPECT_EQ(by_number[1].find("id")->string(), "1");
}

// What pandas and datasets write with other orients than records.
TEST(Rows, ColumnsAreNamedAsSuch) {
  for (const char* const text :
       {R"({"prediction": {"0": "a", "1": "b"}, "reference": {"0": "a", "1": "c"}})",
        R"({"0": {"prediction": "a", "text": "b"}, "1": {"prediction": "a", "text": "b"}})",
        R"({"columns": ["prediction"], "index": [0], "data": [["a"]]})",
        R"({"prediction": ["a", "b"], "reference": ["a", "c"]})",
        R"({"prompt_text": ["p", "q"], "gold_std": ["a", "c"], "output_text": ["a", "b"]})",
        R"([["a", "b"], ["c", "d"]])"}) {
    const std::string message = input_error([&] { rows_of(text, InputFormat::kJson); });
    expect_says(message, {"pandas", "orient=\"records\""});
  }
  // Objects with other members each.
  EXPECT_EQ(
      rows_of(R"({"prediction": {"0": "a"}, "reference": {"1": "a"}})", InputFormat::kJson).size(),
      1u);
  // Of predictions, lists under no name of a field.
  InputFormat by_key = InputFormat::kJson;
  by_key.may_be_by_key = true;
  EXPECT_EQ(rows_of(R"({"q1": ["a"], "q2": ["b"]})", by_key).size(), 1u);
  EXPECT_EQ(rows_of(R"({"q1": [{"text": "a"}], "q2": [{"text": "b"}]})", by_key).size(), 1u);
  // orient="table" has rows.
  EXPECT_EQ(rows_of(R"({"schema": {"fields": [{"name": "i", "type": "integer"}]},
                        "data": [{"i": 0, "prediction": "a", "reference": "b"}]})",
                    InputFormat::kJson)[0]
                .find("prediction")
                ->string(),
            "a");
}

// Lines for three batches, and for two threads in each.
TEST(Rows, AreVisitedInOrderUntilTheFirstProblem) {
  Context context;
  context.threads = 2;
  const ContextScope scope(context);
  constexpr int kRows = 40'000;
  const std::string filler = ", \"text\": \"" + std::string(100, 'x') + "\"";
  int stop = 0;
  const auto last_visited = [&](std::set<int> bad, std::string& error) {
    std::string text;
    for (int i = 1; i <= kRows; ++i) {
      text += bad.contains(i) ? "[1]\n" : "{\"id\": " + std::to_string(i) + filler + "}\n";
    }
    const TemporaryFolder folder;
    const auto file = folder.write("t.jsonl", text);
    int last = 0;
    error = input_error([&] {
      visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
        EXPECT_EQ(row.find("id")->number(), ++last);
        EXPECT_TRUE(where.ends_with(":" + std::to_string(last))) << where;
        return last != stop;
      });
    });
    return last;
  };
  std::string error;
  EXPECT_EQ(last_visited({}, error), kRows);
  EXPECT_EQ(error, "accepted");
  EXPECT_EQ(last_visited({kRows - 1}, error), kRows - 2);
  expect_contains(error, ":" + std::to_string(kRows - 1));
  EXPECT_EQ(last_visited({7, kRows - 1}, error), 6);
  expect_contains(error, "t.jsonl:7");
  stop = 25'000;
  EXPECT_EQ(last_visited({stop + 1}, error), stop);
  EXPECT_EQ(error, "accepted");
}

// Standard input is read as lines.
TEST(Rows, WhatBeginsLikeAnArrayAmongLinesIsOne) {
  for (const char* text :
       {"[{\"a\": 1}, {\"a\": [2]}]", "\n [\r\n{\"a\": 1},\n{\"a\": [2]}\n]\n"}) {
    const auto rows = rows_of(text, InputFormat::kJsonl);
    ASSERT_EQ(rows.size(), 2U) << text;
    EXPECT_EQ(rows[1].dump(), "{\"a\": [2]}");
  }
  const auto error = [](const std::string& text) {
    return input_error([&] { rows_of(text, InputFormat::kJsonl); });
  };
  expect_contains(error("[{\"a\": 1}\n"), "not valid JSON");
  expect_contains(error("[{\"a\": 1}]\n{\"a\": 1}\n"), "not valid JSON");
  expect_contains(error("[{}, 3]"), "row 2");
  expect_contains(error("{\"a\": 1}\n[{}]\n"), "one object a line");
}

TEST(Rows, SemicolonsSeparateWhereTheHeaderHasNoComma) {
  // As Excel writes numbers and texts where the comma is the sign of decimals.
  const auto rows =
      rows_of("id;f1;text;whole\n1;0,25;a, b;3\n2;-1,5e2;\"c;d\";4\n3;;0,5;5\n", InputFormat::kCsv);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].dump(), R"({"id": "1", "f1": "0.25", "text": "a, b", "whole": "3"})");
  EXPECT_EQ(rows[1].dump(), R"({"id": "2", "f1": "-1.5e2", "text": "c;d", "whole": "4"})");
  EXPECT_EQ(rows[2].dump(), R"({"id": "3", "f1": "", "text": "0,5", "whole": "5"})");
  EXPECT_EQ(rows_of("a,b;c\n1,2\n", InputFormat::kCsv)[0].dump(), R"({"a": "1", "b;c": "2"})");
  InputFormat bars = InputFormat::kCsv;
  bars.separator = '|';
  EXPECT_EQ(rows_of("a|b\n1,5|2\n", bars)[0].dump(), R"({"a": "1,5", "b": "2"})");
}

// One row without a label left the others as "4,5", which is no number.
TEST(Rows, WordsForAMissingLabelKeepDecimalCommas) {
  for (const char* const word : {"NA", "n/a", "-", "unsure"}) {
    const auto rows =
        rows_of("id;human\n1;4,5\n2;" + std::string(word) + "\n3;1,0\n", InputFormat::kCsv);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].dump(), R"({"id": "1", "human": "4.5"})") << word;
    EXPECT_EQ(rows[1].find("human")->string(), word);
    EXPECT_EQ(rows[2].dump(), R"({"id": "3", "human": "1.0"})") << word;
  }
  // Another word makes the column one of texts.
  EXPECT_EQ(rows_of("id;human\n1;4,5\n2;good\n", InputFormat::kCsv)[0].dump(),
            R"({"id": "1", "human": "4,5"})");
}

TEST(Rows, TheWordsThatPagesKnowAreThoseOfLabels) {
  for (const std::string& word : words_of_no_label()) {
    const Json label(" " + word);
    EXPECT_TRUE(lacks_label(&label)) << word;
    EXPECT_FALSE(is_value(label)) << word;
  }
  for (const std::string& word : label_words()) EXPECT_TRUE(is_value(Json(word))) << word;
}

TEST(Rows, CommasThatMayBeOfThousandsAreNamed) {
  expect_says(table_error("id;n\n1;7\n2;1,234\n"), {"1,234 is 1.234 or 1234", "t.csv:3"});
  // One cell tells.
  for (const char* const other : {"1,5", "0,125", "0,5", "1234,567", "1,2345"}) {
    EXPECT_EQ(table_error(std::string("id;n\n1;1,234\n2;") + other + "\n"), "accepted") << other;
  }
  EXPECT_EQ(table_error("id;n\n1;1,234\n2;x\n"), "accepted");  // texts stay
}

// pandas quotes an empty cell that is alone in its row.
TEST(Rows, ATableOfOneColumnKeepsEmptyCells) {
  std::vector<std::string> cells;
  for (const Json& row : rows_of("a\n1\n\n\"\"\n2\n\"\"\n\n\n", InputFormat::kCsv)) {
    cells.push_back(row.find("a")->string());
  }
  EXPECT_EQ(cells, (std::vector<std::string>{"1", "", "", "2", ""}));
  EXPECT_EQ(rows_of("a,b\n1,2\n\n3,4\n", InputFormat::kCsv).size(), 2u);
}

// Whatever the file is called.
TEST(Rows, TheHeaderTellsTheSeparator) {
  const std::string expected = R"({"a": "1", "b": "x y"})";
  for (const InputFormat& format : {InputFormat::kCsv, InputFormat::kTsv}) {
    for (const char* const text :
         {"a,b\n1,x y\n", "a\tb\n1\tx y\n", "a;b\n1;x y\n", "a|b\n1|x y\n", "sep=;\na;b\n1;x y\n",
          "sep=,\r\na,b\r\n1,x y\r\n", "\"sep=|\"\na|b\n1|x y\n", "SEP=\t\na\tb\n1\tx y\n"}) {
      EXPECT_EQ(rows_of(text, format)[0].dump(), expected) << text;
    }
  }
  std::string utf16 = "\xFF\xFE";
  for (const char c : std::string("a\tb\r\n1\tx y\r\n")) (utf16 += c) += '\0';
  EXPECT_EQ(rows_of(utf16, InputFormat::kCsv)[0].dump(), expected);
  // The separator's line counts in places, and only such a line is one.
  expect_contains(table_error("sep=;\na;b\n1\n"), "t.csv:3");
  EXPECT_EQ(rows_of("sep=ab,b\n1,2\n", InputFormat::kCsv)[0].dump(),
            R"({"sep=ab": "1", "b": "2"})");
  EXPECT_EQ(rows_of("sep=\n1\n", InputFormat::kCsv)[0].dump(), R"({"sep=": "1"})");
  InputFormat given = InputFormat::kCsv;
  given.is_separator_given = true;  // --delimiter ,
  EXPECT_EQ(rows_of("a;b\n1;2\n", given)[0].dump(), R"({"a;b": "1;2"})");
}

TEST(Rows, AreReadFromCompressedFilesAndUtf16) {
  const std::string csv = "a,b\n1,2\n";
  std::string utf16 = "\xFF\xFE";
  for (const char c : csv) (utf16 += c) += '\0';
  for (const std::string& bytes : {csv, gzip(csv), utf16}) {
    EXPECT_EQ(rows_of(bytes, InputFormat::kCsv)[0].dump(), R"({"a": "1", "b": "2"})");
  }
  EXPECT_EQ(rows_of(gzip("[{\"a\": 1}]"), InputFormat::kJson)[0].dump(), "{\"a\": 1}");
}

TEST(Rows, ADataSetsOwnFormatHasNone) {
  const std::string message = table_error("{}", InputFormat::kMocha);
  expect_says(message, {"the format mocha is not a format of rows", "t.csv"});
}

}  // namespace rubric::data::rows_test
