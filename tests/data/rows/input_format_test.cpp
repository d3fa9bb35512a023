#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/files/gzip.h"
#include "data/answers/list.h"
#include "data/rows/rows.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::input_format_test {

TEST(InputFormats, ComeFromTheNameOrTheFile) {
  const TemporaryFolder folder;
  const std::string rows = folder.write("rows.txt", "");
  EXPECT_EQ(input_format("", "a.b/rows.jsonl"), InputFormat::kJsonl);
  EXPECT_EQ(input_format("", "dev.json"), InputFormat::kMocha);
  EXPECT_EQ(input_format("", "x.csv"), InputFormat::kCsv);
  EXPECT_EQ(input_format("", "x.tsv"), InputFormat::kTsv);
  EXPECT_EQ(input_format("jsonl", "x.csv"), InputFormat::kJsonl);
  EXPECT_EQ(input_format("mocha", "x"), InputFormat::kMocha);
  EXPECT_EQ(input_format("evouna", "NQ.json"), kEvouna);
  EXPECT_EQ(input_format("stsb", "x.csv"), kStsb);
  expect_contains(input_error([&] { input_format("", rows, "data.format"); }),
                  "name it with data.format");
  EXPECT_EQ(
      input_error([] { input_format("xml", "x.csv"); }),
      error_lines(
          "unknown input format \"xml\"", "--input-format",
          "choose jsonl, json, mocha, csv, tsv, evouna, efficientqa, answer_equivalence, stsb, "
          "squad, nq_open, trivia_qa, lines"));
  EXPECT_EQ(input_error([&] { input_format("", rows); }),
            error_lines("neither the file's name nor its text tells its format", rows,
                        "name it with --input-format: jsonl, json, mocha, csv, tsv, evouna, "
                        "efficientqa, answer_equivalence, stsb, squad, nq_open, trivia_qa, lines"));
}

TEST(InputFormats, OfWhatIsNoFileAreNotAsked) {
  const TemporaryFolder folder;
  const std::string none = folder.file("none");
  EXPECT_EQ(input_error([&] { input_format("", none); }),
            error_lines("no such file", none, "check the path"));
  EXPECT_EQ(input_error([&] { input_format("", folder.path()); }),
            error_lines("a directory, where a file is needed", folder.path().string(),
                        "name a file in it"));
  EXPECT_EQ(input_format("csv", none), InputFormat::kCsv);
}

TEST(InputFormats, AreFoundInCompressedFilesArraysAndStandardInput) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_format("", "rows.csv.gz"), InputFormat::kCsv);
  EXPECT_EQ(input_format("", kStandardInput), InputFormat::kJsonl);
  EXPECT_EQ(input_format("", folder.write("array.json", "\xEF\xBB\xBF \n [{}]")),
            InputFormat::kJson);
  EXPECT_EQ(input_format("", folder.write("array.json.gz", gzip("[]"))), InputFormat::kJson);
  EXPECT_EQ(input_format("", folder.write("mocha.json", "{}")), InputFormat::kMocha);
  EXPECT_EQ(input_format("", "x.csv", "", ';').separator, ';');
  expect_contains(input_error([] { input_format("", "x.jsonl", "--input-format", ';'); }),
                  "--delimiter is only valid with tables");
}

TEST(InputFormats, OfPublishedDataSetsAreKnownByTheirBeginning) {
  const TemporaryFolder folder;
  const auto format = [&](const std::string& name, const std::string& text) {
    return input_format("", folder.write(name, text)).name;
  };
  EXPECT_EQ(format("NQ.json", R"([ {"question": "q", "golden_answer": "a", "answer_x": "b"}])"),
            "evouna");
  EXPECT_EQ(format("own.json", R"([{"question": "q", "golden_answer": "a", "candidate": "b"}])"),
            "json");
  const std::string rest = R"( "reference": "a", "candidate": "b", "question": "q"})";
  EXPECT_EQ(format("train.jsonl", R"({ "label": "correct",)" + rest), "answer_equivalence");
  EXPECT_EQ(format("train.jsonl", R"({"label": "incorrect",)" + rest), "answer_equivalence");
  EXPECT_EQ(format("own.jsonl", R"({"label": "5",)" + rest), "jsonl");
  EXPECT_EQ(format("own.jsonl", R"({"label": "correct", "reference": "a", "candidate": "b", )"
                                R"("question": "q", "score": 4})"),
            "jsonl");
}

// As datasets, pandas, jq and people name what they write.
TEST(InputFormats, AreKnownByTheTextWhateverTheName) {
  const TemporaryFolder folder;
  const auto format = [&](const std::string& name, const std::string& text) {
    return std::string(input_format("", folder.write(name, text)).name);
  };
  const std::string row = R"({"candidate": "a", "reference": "b"})";
  for (const char* const name :
       {"a.json", "a.jsonl", "a.ndjson", "a.csv", "a.txt", "a", "a.JSON"}) {
    EXPECT_EQ(format(name, row + "\n\n " + row + "\n"), "jsonl") << name;
    EXPECT_EQ(format(name, "[" + row + "]"), "json") << name;
    EXPECT_EQ(format(name, R"({"drop": {"1": {"score": 1}}})"), "mocha") << name;
  }
  const std::string nested = R"({"a": {"b": {"c": 1}}, "candidate": "x"})";
  EXPECT_EQ(format("n.json", nested + "\n" + nested + "\n"), "jsonl");
  EXPECT_EQ(format("b.json", gzip(row + "\n" + row)), "jsonl");
  EXPECT_EQ(format("c.json", "{\n \"samples\": []\n}"), "json");
  EXPECT_EQ(format("d.csv", "a,b\n1,2\n"), "csv");
  EXPECT_EQ(format("e.csv", "[sic],b\n1,2\n"), "csv");
  EXPECT_EQ(format("f.ndjson", ""), "jsonl");
  EXPECT_EQ(format("g.tsv.gz", gzip("a\tb\n")), "tsv");
  for (const char* const name : {"t.txt", "t.tab", "t.dat", "t", "t.TXT"}) {
    EXPECT_EQ(format(name, "candidate\treference\na\tb\n"), "tsv") << name;
    EXPECT_EQ(format(name, "\xEF\xBB\xBF\n a b\tc\n"), "tsv") << name;
    EXPECT_EQ(format(name, "sep=;\na;b\n"), "tsv") << name;
    expect_contains(input_error([&] { format(name, "a dog, or a cat\nb\tc\n"); }),
                    "neither the file's name nor its text");
  }
  EXPECT_EQ(format("t.csv", "a\tb\n"), "csv");  // its reader finds the tabs
  EXPECT_EQ(format("t.txt.gz", gzip("a\tb\n")), "tsv");
}

// One row that begins as MOCHA's nesting does.
TEST(InputFormats, ADocumentWithOtherMembersThanObjectsIsNoNesting) {
  const TemporaryFolder folder;
  const std::pair<const char*, const char*> cases[] = {
      {R"({"id": {}, "candidate": "a", "reference": "b"})", "json"},
      {R"({"scores": {"a": {"b": 1}}, "candidate": "a: {", "reference": "b"})", "json"},
      {R"({"scores": {"a": {"b": "}\\\"}"}} ,
           "reference": ["b"]})",
       "json"},
      {R"({"a": {"b": {}}, "c": null})", "json"},
      {R"({"a": {"b": {"c": [1, {"d": "e"}]}}, "f": {}})", "mocha"},
      {R"({"a": {}, "f" : {"g": {}}})", "mocha"},
  };
  for (const auto& [text, format] : cases) {
    EXPECT_EQ(input_format("", folder.write("a.json", text)).name, format) << text;
    const std::string lines = folder.write("a.jsonl", text);
    EXPECT_EQ(input_format("", lines).name == "mocha", std::string(format) == "mocha") << text;
  }
}

// Bytes with which such files begin.
TEST(InputFormats, FilesThatAreNoTextAreNamed) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string> cases[] = {
      {"PAR1\x15\x04"s, "Parquet"},
      {"ARROW1\0\0"s, "Feather"},
      {"\xFF\xFF\xFF\xFF\x10\x01\0\0"s, "Arrow stream"},
      {"PK\x03\x04\x14\0\0\0\x08\0....docProps/app.xml....xl/theme/theme1.xml"s, "Excel"},
      {"PK\x03\x04\x14\0....[Content_Types].xml"s, "Office"},
      {"PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet"s, "OpenDocument"},
      {"PK\x03\x04....._journal/start.json"s, "a log of Inspect"},
      {"FEA1\0\0"s, "Feather"},
      {"\x80\x02]q\0"s, "pickle"},
      {"%PDF-1.7 "s, "PDF"},
      {"BZh91AY&SY"s, "bzip2"},
      {"PK\x03\x04....rows.csv"s, "zip archive"},
      {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"s, ".xls"},
      {"\x80\x04\x95\x10\0"s, "pickle"},
      {"\x89HDF\r\n\x1A\n\0"s, "HDF5"},
      {"\x93NUMPY\x01\0"s, "binary"},
      {"SQLite format 3\0"s, "SQLite"},
      {"\x28\xB5\x2F\xFD\x24"s, "Zstandard"},
      {"\xFD\x37zXZ\0"s, "xz"},
      {" \n<!DOCTYPE HTML>\n<html>"s, "HTML"},
      {"X\n\0\0\0\x03"s, "binary"},
  };
  const TemporaryFolder folder;
  for (const auto& [bytes, name] : cases) {
    for (const char* const file : {"a.parquet", "a.csv", "a.jsonl", "a"}) {
      const std::string path = folder.write(file, bytes + std::string(600, 'x'));
      const auto refused = [&](const std::function<void()>& call) {
        const std::string message = input_error(call);
        expect_says(message, {name, "not text with rows", path});
      };
      refused([&] { input_format("", path); });
      refused([&] { input_format("csv", path); });
      refused([&] { rows_or_mocha(path); });
      const auto visit = [](const Json&, const std::string&) { return true; };
      refused([&] { visit_rows(path, InputFormat::kCsv, visit); });
      if (bytes.find('\n') == bytes.npos) {
        refused([&] { visit_rows(path, InputFormat::kJsonl, visit); });
      }
    }
  }
  expect_contains(input_error([&] { input_format("", folder.write("a.parquet", "PAR1")); }),
                  "read_parquet(\"" + folder.file("a.parquet") + "\").to_json(\"" +
                      folder.file("a.parquet") + ".jsonl\"");
  // The same, compressed, and texts that begin alike.
  expect_contains(input_error([&] { input_format("", folder.write("b.gz", gzip("PAR1"))); }),
                  "Parquet");
  for (const char* const text : {"PARTY,reference\n", "PK,reference\n", "BZh,b\n", "ORC,b\n",
                                 "<answer>,b\n", "X\n\nY", "Obj,b\n", "7z,b\n"}) {
    EXPECT_EQ(input_format("", folder.write("text.csv", text)).name, "csv") << text;
  }
}

// A user's own rows may have kept a field of EfficientQA beside their candidate.
TEST(InputFormats, RowsWithACandidateAreNoEfficientQa) {
  const TemporaryFolder folder;
  const std::string graded =
      R"({"question": "q", "answer": ["a"], "def_correct_predictions": ["b"])";
  EXPECT_EQ(input_format("", folder.write("graded.jsonl", graded + "}\n")), kEfficientQa);
  const auto own = folder.write("own.jsonl", graded + R"(, "reference": "a", "candidate": "b"})");
  EXPECT_EQ(input_format("", own), InputFormat::kJsonl);
}

TEST(InputFormats, AreRowsOnlyWhereTheNameSaysSo) {
  EXPECT_EQ(rows_or_mocha("x.csv"), InputFormat::kCsv);
  EXPECT_EQ(rows_or_mocha("x.jsonl"), InputFormat::kJsonl);
  EXPECT_EQ(rows_or_mocha("x"), InputFormat::kMocha);
  EXPECT_FALSE(has_rows(kEvouna));
  EXPECT_TRUE(has_rows(InputFormat::kTsv));
}

TEST(FieldNames, AreChecked) {
  const auto error = [](const std::vector<std::string>& assignments) {
    return input_error([&] { parse_field_names(assignments); });
  };
  EXPECT_EQ(error({}), "accepted");
  expect_contains(error({"candidate"}), "expected ours=theirs, found \"candidate\"");
  expect_contains(error({"candidate="}), "expected ours=theirs");
  expect_contains(error({"answer=x"}), "there is no field \"answer\"");
  expect_contains(error({"answer=x"}), "the fields are id, constituent");
  expect_contains(error({"answer=candidate"}),
                  "our name comes first: perhaps --field candidate=answer; the fields are id");
  expect_contains(error({"candidate=x", "candidate=y"}), "\"candidate\" is named twice");
}

}  // namespace rubric::data::input_format_test
