#include "data/answers/repeated_documents.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::data::repeated_documents_test {

struct File {
  std::vector<Answer> answers;
  std::vector<Json> rows;

  void add(const std::string& id, const std::string& question, const std::string& constituent = "",
           const char* row = "{}") {
    Answer answer;
    answer.id = id;
    answer.question = question;
    answer.constituent = constituent;
    answer.references = {"r of " + question};
    answer.candidate = "candidate " + std::to_string(answers.size());
    answers.push_back(answer);
    rows.push_back(Json::parse(row, "row"));
  }
  RepeatedDocuments found() const { return repeated_documents(answers, rows); }
};

TEST(RepeatedDocuments, OneRowEachIsNoRepeat) {
  File file;
  file.add("1", "a");
  file.add("2", "a");  // the same question twice, of two ids
  EXPECT_EQ(file.found().repeated, "");
  EXPECT_EQ(file.found().tasks, "");
}

TEST(RepeatedDocuments, CopiesAreCountedAndNoFurtherRows) {
  for (const char* const id : {"0", "3"}) {  // with ids, and with numbers in place of ids
    File file;
    file.add("0", "a", "", R"({"system": "one"})");
    file.add("1", "b", "", R"({"system": "one"})");
    file.add(id, "a", "", R"({"system": "one"})");
    file.add("4", "a", "", R"({"system": "one", "candidate": "another"})");
    file.answers[2].candidate = file.answers[0].candidate;
    EXPECT_EQ(
        file.found().copies,
        "1 row is a copy of an earlier one in every field: row 3. Means count each of them: leave "
        "copies out, unless they are answers given again");
    EXPECT_EQ(file.found().repeated, "");
    file.rows[2] = Json::parse(R"({"system": "two"})", "row");
    EXPECT_EQ(file.found().copies, "");
  }
}

TEST(RepeatedDocuments, TheFieldInWhichRowsDifferIsNamed) {
  File filters;
  for (const char* const filter : {"strict", "flexible"}) {
    filters.add("0", "a", filter);
    filters.add("1", "b", filter);
  }
  EXPECT_EQ(filters.found().repeated,
            "4 rows are of 2 documents, with a row for each constituent (\"flexible\", "
            "\"strict\"). Means are over all rows: --constituent names the ones to score");
  EXPECT_EQ(filters.found().tasks, "");
  File systems;
  systems.add("0", "a", "", R"({"system": "one"})");
  systems.add("0", "a", "", R"({"system": "two"})");
  systems.add("1", "b", "", R"({"system": "one"})");
  expect_contains(systems.found().repeated,
                  "2 rows are of 1 document, with a row for each system (\"one\", \"two\")");
  expect_contains(systems.found().repeated, "--system system");
}

// As where the ids have another name: then they are the numbers of the rows.
TEST(RepeatedDocuments, SystemsAreSeenWithoutRepeatedIds) {
  for (const char* const field : {"model", "system", "provider", "train_trial_index"}) {
    File file;
    size_t id = 0;
    for (const char* const question : {"a", "b"}) {
      for (const char* const system : {"one", "two"}) {
        const std::string row = std::string("{\"") + field + "\": \"" + system + "\"}";
        file.add(std::to_string(++id), question, "", row.c_str());
      }
    }
    expect_contains(file.found().repeated, "4 rows are of 2 documents, with a row for each " +
                                               std::string(field) + " (\"one\", \"two\")");
    file.add("5", "a", "", (std::string("{\"") + field + "\": \"two\"}").c_str());
    EXPECT_EQ(file.found().repeated, "");  // a question that is asked twice
  }
  File provider;
  provider.add("1", "a", "", R"({"provider": {"id": "one", "label": ""}})");
  provider.add("2", "a", "", R"({"provider": {"id": "two", "label": ""}})");
  expect_contains(provider.found().repeated, "--system provider.id");
}

// Whatever the field is called, where its texts return from document to document.
TEST(RepeatedDocuments, AFieldOfAnotherNameIsNamed) {
  File file, samples, reasons;
  for (const char* const id : {"0", "1"}) {
    for (const char* const llm : {"big", "small"}) {
      const std::string row = std::string(R"({"my llm": ")") + llm + R"(", "right": "yes"})";
      file.add(id, id, "", row.c_str());
      for (int i = 0; i < 2; ++i) samples.add(id, id, "", row.c_str());
      reasons.add(id, id, "", (std::string(R"({"why": ")") + llm + id + "\"}").c_str());
    }
  }
  expect_contains(file.found().repeated, "with a row for each my llm (\"big\", \"small\")");
  expect_contains(file.found().repeated, "`rubric compare --system 'my llm'`");
  expect_contains(samples.found().repeated, "with rows for each my llm (\"big\", \"small\")");
  expect_contains(reasons.found().repeated, "keep one row of each");
}

TEST(RepeatedDocuments, RepeatsAreListed) {
  File file;
  for (int repeat = 0; repeat < 3; ++repeat) file.add("7", "a");
  file.add("8", "b");
  expect_contains(file.found().repeated,
                  "3 rows are of 1 document, with the same id, question and references: \"7\"");
}

// Two tasks, both with two filters: four rows of an id, and of each document two.
TEST(RepeatedDocuments, TasksAreDistinguished) {
  File file;
  for (const char* const task : {"sums", "capitals"}) {
    for (const char* const filter : {"first", "last"}) file.add("0", task, filter);
  }
  expect_contains(file.found().repeated, "4 rows are of 2 documents, with a row for each const");
  expect_contains(file.found().tasks, "1 id is that of several documents");
  File alone;
  for (const char* const task : {"sums", "capitals"}) alone.add("0", task);
  EXPECT_EQ(alone.found().repeated, "");
  expect_contains(alone.found().tasks, "\"0\"");
}

}  // namespace rubric::data::repeated_documents_test
