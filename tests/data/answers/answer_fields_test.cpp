#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "cases.h"
#include "core/files/files.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/scored_files/scored_files.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::data::answer_fields_test {

constexpr const char* kFieldCases = "data/answers/answer_fields.json";

FieldNames completed(const std::string& row, const FieldNames& names = {}) {
  const Json json = Json::parse(row, "row");
  return complete_names(std::span(&json, 1), names, "file:1");
}

TEST(AnswerFields, AreFoundByNameTypeAndCompany) {
  for (const auto& [rows, names] : cases<Json, Json>(kFieldCases, "names of rows")) {
    FieldNames expected;
    for (const auto& [ours, theirs] : names.object()) expected[ours] = theirs.string();
    EXPECT_EQ(complete_names(rows.array(), {}, "file:1"), expected) << rows.dump();
  }
}

// Texts that look like numbers stay as they are, or references would differ from candidates.
TEST(AnswerFields, OnlyNumbersGetPointsForDecimalCommas) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "rows.csv", "Reference;prediction;Antwort;score\n1,000;1,000;0,5;0,5\n2,5;2,5;7;1\n");
  std::vector<Answer> answers = read_answers(file, InputFormat::kCsv);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].references[0], "1,000");
  EXPECT_EQ(answers[0].candidate, "1,000");
  EXPECT_EQ(answers[0].score, 0.5);
  answers = read_answers(file, InputFormat::kCsv, {{"candidate", "Antwort"}});
  EXPECT_EQ(answers[0].candidate, "0,5");
}

TEST(AnswerFields, GivenNamesComeFirst) {
  EXPECT_EQ(completed(R"({"prediction": "a", "response": "b", "target": "c"})",
                      {{"candidate", "response"}}),
            (FieldNames{{"candidate", "response"}, {"reference", "target"}}));
}

TEST(AnswerFields, SeveralUsualNamesAreAnError) {
  EXPECT_EQ(input_error([] { completed(R"({"prediction": "a", "response": "b"})"); }),
            error_lines("the candidate may be any of the fields prediction, response", "file:1",
                        "name it: --field candidate=prediction\n        or --field "
                        "candidate=response"));
  for (const char* const row : {R"({"reference": "a", "answers": ["b"], "prediction": "c"})",
                                R"({"candidate": "a", "prediction": "b", "reference": "c"})",
                                R"({"gold": "a", "target": "b", "prediction": "c"})"}) {
    expect_contains(input_error([&] { completed(row); }), "\n        or --field ");
  }
}

// reference_2 is no other field, but a further reference.
TEST(AnswerFields, NumberedReferencesAreRefused) {
  for (const char* const row : {R"({"reference": "a", "reference_2": "b", "candidate": "b"})",
                                R"({"reference_1": "a", "reference_2": "b", "candidate": "b"})",
                                R"({"ref": "a", "ref1": "b", "candidate": "b"})",
                                R"({"gold": "a", "gold 2": ["b"], "candidate": "b"})"}) {
    const std::string message = input_error([&] { completed(row); });
    expect_contains(message, "several fields hold references: ");
  }
  for (const char* const row : {R"({"reference": "a", "reference_2": " ", "candidate": "b"})",
                                R"({"reference": "a", "reference_url": "b", "candidate": "b"})"}) {
    EXPECT_EQ(completed(row), FieldNames()) << row;
  }
  EXPECT_EQ(completed(R"({"reference_1": "a", "reference_2": "b", "candidate": "b"})",
                      {{"reference", "reference_1"}}),
            (FieldNames{{"reference", "reference_1"}}));
}

// By what they hold, and by what is beside them.
TEST(AnswerFields, NamesAreTakenByTypeAndCompany) {
  const auto labelled = [](const std::string& row) {
    const Json json = Json::parse(row, "row");
    return complete_names(std::span(&json, 1), {}, "", Reads::labels);
  };
  for (const char* const label : {"1", "true", "\"correct\"", "\"No\"", "\"4.5\""}) {
    const std::string rest = std::string(R"(, "label": )") + label + "}";
    EXPECT_EQ(labelled(R"({"candidate": "a", "reference": "b")" + rest),
              (FieldNames{{"score", "label"}}))
        << label;
    EXPECT_EQ(labelled(R"({"candidate": "a", "reference": "b", "score": 3)" + rest), FieldNames());
  }
  EXPECT_EQ(labelled(R"({"candidate": "a", "reference": "b", "label": "x"})"), FieldNames());
}

// Fields under our names, however much they look like numbers.
TEST(AnswerFields, OurNamesNeverGiveWay) {
  const auto refused = [](const std::string& row, const std::string& one,
                          const std::string& other) {
    const std::string error = input_error([&] { completed(row); });
    EXPECT_TRUE(holds(error, "--field " + one)) << row << error;
    EXPECT_TRUE(holds(error, "--field " + other)) << row << error;
  };
  refused(R"({"question": "2+2?", "candidate": "4", "reference": "4", "target": "arithmetic"})",
          "reference=reference", "reference=target");
  refused(R"({"candidate": "4", "reference": "4", "expected": "easy"})", "reference=reference",
          "reference=expected");
  refused(R"({"candidate": 4, "reference": 4, "response": "I think four"})", "candidate=candidate",
          "candidate=response");
  refused(R"({"Candidate": true, "reference": "a", "hyp": "b"})", "candidate=Candidate",
          "candidate=hyp");
}

// "answer" is one of the two texts; beside other names for both it may be either.
TEST(AnswerFields, AnAnswerBesideBothIsNotTakenInSilence) {
  for (const char* const row : {R"({"prediction": "q", "answer": "x", "answers": ["y"]})",
                                R"({"response": "q", "answer": "x", "gold": "y"})",
                                R"({"prediction": "q", "answer": "x", "reference": "y"})"}) {
    expect_contains(input_error([&] { completed(row); }), "--field candidate=answer");
  }
  expect_contains(
      input_error([] { completed(R"({"candidate": "q", "answer": "x", "gold": "y"})"); }),
      "--field reference=answer");
  expect_contains(input_error([] {
                    completed(R"({"prediction": "q", "answer": "x", "answers": ["y"]})",
                              {{"candidate", "prediction"}});
                  }),
                  "--field reference=answer");
}

// Rows whose answers are all correct, and texts that are part of a longer list of references.
TEST(AnswerFields, EqualTextsKeepTheirRoles) {
  const FieldNames gold = {{"candidate", "prediction"}, {"reference", "gold"}};
  // The name that is given is compared, too.
  EXPECT_EQ(
      completed(R"({"answer": "4", "gold": "4", "prediction": "5"})", {{"reference", "gold"}}),
      gold);
  // Neither holds the other's texts.
  expect_contains(
      input_error([] {
        completed(R"({"label": "cat", "labels": ["dog", "hound"], "prediction": "hound"})");
      }),
      "the reference may be any of the fields label, labels");
}

// What users add beside them is no text of a sample, but for our names.
TEST(AnswerFields, SamplesOfLmEvalHaveTheirFields) {
  const std::string sample =
      R"({"doc_id": 1, "doc": {}, "target": "cat", "resps": [["cat"]], "filtered_resps": ["cat"])";
  const FieldNames names = {{"candidate", "filtered_resps"}, {"reference", "target"}};
  for (const char* const other : {"response", "prediction", "answer", "gold", "source"}) {
    EXPECT_EQ(completed(sample + ", \"" + other + R"(": "my raw reply"})"), names) << other;
  }
  EXPECT_EQ(completed(sample + R"(, "response": "a"})", {{"candidate", "response"}}),
            (FieldNames{{"candidate", "response"}, {"reference", "target"}}));
  EXPECT_EQ(completed(sample + R"(, "candidate": "a"})"), (FieldNames{{"reference", "target"}}));
}

// A field that is read by no metric decides nothing.
TEST(AnswerFields, OtherFieldsThatMayBeSeveralAreNotRead) {
  for (const char* const row :
       {R"({"input": "long prompt", "query": "q?", "prediction": "a", "reference": "a"})",
        R"({"context": "a", "article": "b", "prediction": "a", "reference": "a"})",
        R"({"qid": "a", "question_id": "b", "prediction": "a", "reference": "a"})"}) {
    EXPECT_EQ(completed(row), (FieldNames{{"candidate", "prediction"}})) << row;
    const Json json = Json::parse(row, "row");
    const UsualNames usual = usual_names(std::span(&json, 1), {}, "");
    ASSERT_EQ(usual.undecided.size(), 1u) << row;
    expect_contains(usual.undecided.front(), " or --field ");
  }
}

// A field has one role.
TEST(AnswerFields, LabelsAreNoReferencesWhereTheyAreRead) {
  const auto names = [](const std::string& label, Reads reads) {
    std::vector<Json> rows;
    for (const char* const other : {"1", "0", "yes"}) {
      Json& row = rows.emplace_back(Json::Object{{"prediction", "a"}});
      row["label"] = label == "mixed" ? other : label;
    }
    if (label == "mixed") rows[1]["label"] = "n/a";
    return usual_names(rows, {}, "", reads).names;
  };
  const FieldNames candidate = {{"candidate", "prediction"}};
  for (const char* const label : {"no", "True", "correct", "1", "mixed"}) {
    FieldNames labelled = candidate;
    labelled["score"] = "label";
    EXPECT_EQ(names(label, Reads::labels), labelled) << label;
    EXPECT_EQ(names(label, Reads::scores), labelled) << label;
  }
  FieldNames referred = candidate;
  referred["reference"] = "label";
  EXPECT_EQ(names("no", Reads::texts), referred);
  EXPECT_EQ(names("Paris", Reads::labels), referred);
  const Json row = Json::parse(R"({"prediction": "a", "label": "no"})", "row");
  EXPECT_EQ(usual_names(std::span(&row, 1), {{"reference", "label"}}, "", Reads::labels).names,
            referred);
}

TEST(AnswerFields, ACellThatIsNoLabelIsNamed) {
  const TemporaryFolder folder;
  for (const char* const name : {"label", "labels", "score"}) {
    std::string text = std::string("candidate,reference,") + name + "\n";
    for (int i = 0; i < 40; ++i) text += i == 7 ? "a,b,n/a\n" : "a,b,1\n";
    const std::string file = folder.write("rows.csv", text);
    expect_contains(input_error([&] { read_answers_with_rows(file, InputFormat::kCsv); }),
                    "rows.csv:9");
  }
}

TEST(AnswerFields, ACandidateMayBeAListOfOne) {
  const TemporaryFolder folder;
  const auto candidate = [&](const std::string& value, Missing missing = Missing::automatic) {
    const std::string file =
        folder.write("rows.jsonl", R"({"predictions": )" + value + R"(, "gold": ["a", null]})" +
                                       "\n" + R"({"predictions": ["last"], "gold": "a"})");
    return read_answers(file, InputFormat::kJsonl, {}, {.missing = missing}).front().candidate;
  };
  EXPECT_EQ(candidate("[\"a\"]"), "a");
  EXPECT_EQ(candidate("[[5]]"), "5");
  EXPECT_EQ(candidate("[]"), "");
  EXPECT_EQ(candidate("[null]", Missing::drop), "last");
  expect_contains(input_error([&] { candidate("[\"a\", \"b\"]"); }),
                  "name the one to read, --field candidate=predictions.0");
}

// The first rows tell together: of a table's column all of them.
TEST(AnswerFields, TheFirstRowsTellTypes) {
  const TemporaryFolder folder;
  const auto answers = [&](const std::string& name, const std::string& text) {
    const std::string file = folder.write(name, text);
    return read_answers(file, input_format("", file));
  };
  const auto texts = answers("texts.csv", "prediction,label\n1,1969\n2,Paris\n");
  EXPECT_EQ(texts[0].references, std::vector<std::string>{"1969"});
  const auto labels = answers("labels.csv", "prediction,gold,label\na,b,\na,b,1\nc,d,0\n");
  EXPECT_EQ(labels[0].score, std::nullopt);
  EXPECT_EQ(labels[2].score, 0);
  const auto later = answers("later.jsonl",
                             "{\"candidate\": null, \"gold\": \"\"}\n"
                             "{\"candidate\": \"a\", \"gold\": [\"b\"]}\n");
  EXPECT_EQ(later.size(), 2u);
}

// Rows of which some lack a text, have another form or are longer, in every order.
TEST(AnswerFields, NamesDoNotDependOnTheOrderOfRows) {
  for (const auto& [all] : cases<Json>(kFieldCases, "rows in any order")) {
    std::vector<size_t> order(all.array().size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::set<std::string> found;
    do {
      for (const Reads reads : {Reads::texts, Reads::labels, Reads::scores}) {
        std::vector<Json> rows;
        for (const size_t i : order) rows.push_back(all.array()[i]);
        std::string names = std::to_string(static_cast<int>(reads));
        const std::string error = input_error([&] {
          for (const auto& [ours, theirs] : usual_names(rows, {}, "", reads).names) {
            names += " " + ours + "=" + theirs;
          }
        });
        found.insert(names + (error == "accepted" ? "" : error));
      }
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(found.size(), 3u) << all.dump() << join({found.begin(), found.end()}, "\n");
  }
}

// More rows without a text than any reader looks ahead, before or behind the others.
TEST(AnswerFields, RowsWithoutATextMayComeFirst) {
  const TemporaryFolder folder;
  std::string without, with;
  for (int i = 0; i < 150; ++i) {
    without += R"({"gold": "a", "note": "n"})"
               "\n";
    with += R"({"gold": "a", "note": "n", "response": "b"})"
            "\n";
  }
  for (const std::string& text : {without + with, with + without}) {
    const std::vector<Answer> answers =
        read_answers(folder.write("rows.jsonl", text), InputFormat::kJsonl);
    ASSERT_EQ(answers.size(), 300u);
    EXPECT_EQ(std::ranges::count(answers, "b", &Answer::candidate), 150);
    EXPECT_EQ(std::ranges::count(answers, "", &Answer::candidate), 150);
    const ScoredSource source = read_scored_source(folder.file("rows.jsonl"), InputFormat::kJsonl);
    EXPECT_EQ(source.names, (FieldNames{{"candidate", "response"}, {"reference", "gold"}}));
    // Rows of a log, too.
    std::string list = text.substr(0, text.size() - 1);
    replace_all(list, "\n", ",");
    const std::string log = R"({"other": [{"candidate": "x"}], "samples": [)" + list + "]}";
    EXPECT_EQ(read_answers(folder.write("log.json", log), InputFormat::kJson).size(), 300u);
  }
  // The value may be there under another name, wherever the row is.
  const std::string other = R"({"gold": "a", "reply": "b"})"
                            "\n";
  for (const std::string& text : {other + with, with + other}) {
    expect_contains(
        input_error([&] { read_answers(folder.write("rows.jsonl", text), InputFormat::kJsonl); }),
        "the field \"response\" is missing");
  }
}

// Of a field that has a usual name and another type, where nothing else is read.
TEST(AnswerFields, FieldsOfAnotherTypeAreNoted) {
  const auto notes = [](const char* const row) {
    const Json json = Json::parse(row, "row");
    return usual_names(std::span(&json, 1), {}, "").undecided;
  };
  const auto of_context = notes(R"({"context": ["a", "b"], "candidate": "c", "reference": "d"})");
  ASSERT_EQ(of_context.size(), 1u);
  EXPECT_EQ(of_context.front(),
            "the field \"context\" holds lists, no texts, and is not read as the passage");
  EXPECT_EQ(notes(R"({"qid": {"a": 1}, "candidate": "c", "reference": "d"})").size(), 1u);
  EXPECT_EQ(notes(R"({"input": [{}], "question": "q", "candidate": "c", "reference": "d"})").size(),
            0u);
  EXPECT_EQ(notes(R"({"context": null, "candidate": "c", "reference": "d"})").size(), 0u);
}

TEST(AnswerFields, OneFieldIsNotBothTexts) {
  const Json row = Json::parse(R"({"candidate": "a", "reference": "b", "answer": "c"})", "row");
  const FieldNames given = parse_field_names({"candidate=answer", "reference=answer"});
  expect_contains(input_error([&] { usual_names(std::span(&row, 1), given, "rows"); }),
                  "is named as candidate and reference");
}

TEST(AnswerFields, TheDocumentsPageIsUpToDate) {
  const std::string source = source_folder();
  const auto names = [&](const std::string& ours, const std::set<std::string>& when) {
    std::string list;
    LineReader lines(source + "/src/data/answers/usual_names.tsv");
    for (std::string line; lines.next(line);) {
      const size_t tab = line.find('\t'), end = line.rfind('\t');
      if (line.substr(0, tab) != ours || !when.contains(line.substr(end + 1))) continue;
      list += (list.empty() ? "`" : ", `") + line.substr(tab + 1, end - tab - 1) + "`";
    }
    return list;
  };
  std::string page = "| ours | also found as | where no other name is found |\n|---|---|---|\n";
  for (const std::string ours : {"candidate", "reference", "passage", "question", "id", "score"}) {
    std::string last = names(ours, {"last"});
    if (const std::string beside = names(ours, {"beside"}); !beside.empty()) {
      last += (last.empty() ? "" : ", ") + beside + " beside a " +
              (ours == "candidate" ? "reference" : "candidate");
    }
    page +=
        "| `" + ours + "` | " + names(ours, {"always", "without_source"}) + " | " + last + " |\n";
  }
  EXPECT_TRUE(holds(read_file(source + "/docs/rows.md"), page)) << "put this into docs/rows.md:\n"
                                                                << page;
}

TEST(AnswerFields, TheFirstRowsDecide) {
  const TemporaryFolder folder;
  const std::string file = folder.write("rows.jsonl",
                                        "{\"prediction\": \"a\", \"target\": \"b\", \"context\": "
                                        "\"c\"}\n{\"response\": \"a\", \"target\": \"b\"}\n");
  expect_contains(input_error([&] { read_answers(file, InputFormat::kJsonl); }),
                  "the candidate may be any of the fields prediction, response");
  // What an answer may lack, a row may.
  const std::string without =
      folder.write("without.jsonl",
                   "{\"candidate\": \"a\", \"target\": \"b\", \"context\": \"c\"}\n"
                   "{\"candidate\": \"a\", \"target\": \"b\"}\n");
  EXPECT_EQ(read_answers(without, InputFormat::kJsonl)[1].passage, "");
}

TEST(AnswerFields, PathsLeadIntoObjectsAndArrays) {
  const Json row = Json::parse(R"({"a": {"b": [1, {"c": "x"}]}, "a.b": "whole"})", "row");
  EXPECT_EQ(find_field(row, "a.b")->string(), "whole");
  EXPECT_EQ(find_field(row, "a.b.1.c")->string(), "x");
  EXPECT_EQ(find_field(row, "a.b.0")->number(), 1);
  // A name behind a list takes that field of each item.
  const Json lists = Json::parse(
      R"({"answers": [{"text": "x", "in": {"y": 1}}, {"text": ["y", "z"]}], "none": []})", "row");
  EXPECT_EQ(find_field(lists, "answers.text")->dump(), R"(["x", "y", "z"])");
  EXPECT_EQ(find_field(lists, "none.text")->dump(), "[]");
  EXPECT_EQ(find_field(lists, "answers.in.y"), nullptr);  // the second has none
  EXPECT_EQ(find_field(lists, "answers.0.in.y")->number(), 1);
  for (const char* const path : {"a.c", "a.b.2", "a.b.-1", "a.b.x", "a..b", "", "."}) {
    EXPECT_EQ(find_field(row, path), nullptr) << path;
  }
}

}  // namespace rubric::data::answer_fields_test
