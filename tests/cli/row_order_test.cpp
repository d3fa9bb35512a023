// The same rows in another order give the same estimates and intervals.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"

namespace rubric::cli {
namespace {

// To rounding: sums are made in the order of the rows.
void expect_same(const Json& first, const Json& second, const std::string& where) {
  if (first.is_number()) {
    EXPECT_NEAR(first.number(), second.number(), 1e-12) << where;
  } else if (first.is_array()) {
    ASSERT_EQ(first.array().size(), second.array().size()) << where;
    for (size_t i = 0; i < first.array().size(); ++i) {
      expect_same(first.array()[i], second.array()[i], where + "/" + std::to_string(i));
    }
  } else if (first.is_object()) {
    for (const auto& [name, value] : first.object()) {
      if (name == "signature") continue;  // has the file's hash
      ASSERT_NE(second.find(name), nullptr) << where << "/" << name;
      expect_same(value, *second.find(name), where + "/" + name);
    }
  } else {
    EXPECT_EQ(first.dump(), second.dump()) << where;
  }
}

class RowOrder : public testing::Test {
 protected:
  // Two rows a question, where rows have one; every third row without a label.
  void write_rows(bool have_questions, bool have_ids) {
    std::vector<std::string> rows;
    for (int i = 0; i < 40; ++i) {
      Json row = Json::Object();
      if (have_ids) row["id"] = "r" + std::to_string(i);
      if (have_questions) row["question"] = "question " + std::to_string(i / 2) + "?";
      row["candidate"] = "answer " + std::to_string(i);
      row["reference"] = i % 3 == 0 ? "answer" : "reply " + std::to_string(i);
      row["scores"] = Json::Object{{"good", std::sin(i * i)}, {"poor", std::cos(7 * i)}};
      if (i % 3 != 2) row["score"] = std::round(10 * (std::sin(i * i) + 0.5 * std::cos(i)));
      rows.push_back(row.dump());
    }
    const auto write = [&](const char* name) {
      std::string text;
      for (const std::string& row : rows) text += row + "\n";
      folder_.write(name, text);
    };
    write("forwards.jsonl");
    std::ranges::reverse(rows);
    write("backwards.jsonl");
  }

  Json json_of(std::vector<std::string> arguments, const std::string& file) const {
    for (std::string& argument : arguments) {
      if (argument == "ROWS") argument = folder_.file(file);
    }
    arguments.insert(arguments.begin(), "rubric");
    arguments.insert(arguments.end(), {"--format", "json"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, "stdout");
  }

  void expect_no_order(const std::vector<std::string>& arguments) const {
    SCOPED_TRACE(arguments[0]);
    expect_same(json_of(arguments, "forwards.jsonl"), json_of(arguments, "backwards.jsonl"), "");
  }

  // Of `score`.
  Json summary_of(const std::string& file) const {
    const std::string summary = folder_.file("summary.json");
    const Outcome outcome = run({"rubric", "score", "f1,bleu", "--input", folder_.file(file),
                                 "--output", folder_.file("out.jsonl"), "--summary", summary});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse_file(summary);
  }

  TemporaryFolder folder_;
};

TEST_F(RowOrder, ChangesNoEstimate) {
  for (const bool have_questions : {true, false}) {
    for (const bool have_ids : {true, false}) {
      SCOPED_TRACE(std::string(have_questions ? "" : "no ") + "questions, " +
                   (have_ids ? "" : "no ") + "ids");
      write_rows(have_questions, have_ids);
      expect_no_order({"evaluate", "agreement", "--input", "ROWS", "--test", "permutation",
                       "--missing", "drop"});
      expect_no_order({"estimate", "--all", "ROWS", "--human", "score"});
      expect_same(summary_of("forwards.jsonl"), summary_of("backwards.jsonl"), "score");
    }
  }
}

}  // namespace
}  // namespace rubric::cli
