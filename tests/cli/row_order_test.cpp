// The same rows in another order give the same estimates and intervals.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "json_numbers.h"

namespace rubric::cli::row_order_test {

// Groups are in the order of the rows.
void sort_measurements(Json& result) {
  const Json* const found = result.find("measurements");
  if (found == nullptr) return;
  const auto keys = [](const Json& one) {
    std::string texts;
    for (const auto& [name, value] : one.object()) {
      if (value.is_string()) texts += name + "=" + value.string() + ",";
    }
    return texts;
  };
  Json::Array measurements = found->array();
  std::ranges::sort(measurements, {}, keys);
  result["measurements"] = std::move(measurements);
}

// The file's hash, and texts in the order of the groups.
const std::set<std::string> kOfTheOrder = {"signature", "notes"};

struct RowOrder : testing::Test {
  // Two rows a question, where rows have one; no row without a label where `all_labelled`. Rows
  // without texts differ in their numbers alone.
  void write_rows(bool have_questions, bool have_ids, bool have_texts, bool all_labelled) {
    std::vector<std::string> rows;
    for (int i = 0; i < 48; ++i) {
      Json row = Json::Object();
      if (have_ids) row["id"] = "r" + std::to_string(i);
      if (have_questions) row["question"] = "question " + std::to_string(i / 2) + "?";
      if (have_texts) {
        std::string candidate = "answer " + std::to_string(i);
        for (int word = 0; word < i % 11; ++word) candidate += " more";
        row["candidate"] = candidate;
        row["reference"] = i % 5 == 0 ? "answer more more more" : "reply more";
      }
      row["domain"] = i % 4 < 2 ? "x" : "y";
      row["system"] = i % 2 == 0 ? "one" : "two";
      row["scores"] = Json::Object{{"good", std::sin(i * i)}, {"poor", std::cos(7 * i)}};
      if (all_labelled || i % 3 != 2) {
        row["score"] = std::round(10 * (std::sin(i * i) + 0.5 * std::cos(i)));
      }
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
    const Outcome outcome = done(run(arguments));
    Json result = Json::parse(outcome.out, "stdout");
    sort_measurements(result);
    return result;
  }

  void expect_no_order(const std::vector<std::string>& arguments) const {
    SCOPED_TRACE(arguments[0]);
    expect_same_numbers(json_of(arguments, "forwards.jsonl"), json_of(arguments, "backwards.jsonl"),
                        kOfTheOrder);
  }

  // Of `score`.
  Json summary_of(const std::string& file) const {
    const std::string summary = folder_.file("summary.json");
    done(run({"rubric", "score", "f1,bleu", "--input", folder_.file(file), "--output",
              folder_.file("out.jsonl"), "--summary", summary}));
    return Json::parse_file(summary);
  }

  TemporaryFolder folder_;
};

TEST_F(RowOrder, ChangesNoEstimate) {
  for (const bool have_questions : {true, false}) {
    for (const bool have_ids : {true, false}) {
      SCOPED_TRACE(std::string(have_questions ? "" : "no ") + "questions, " +
                   (have_ids ? "" : "no ") + "ids");
      write_rows(have_questions, have_ids, true, false);
      expect_no_order({"evaluate", "agreement", "--input", "ROWS", "--group", "domain", "--test",
                       "permutation", "--missing", "drop", "--resamples", "500"});
      expect_no_order({"estimate", "--all", "ROWS", "--human", "score", "--group", "domain"});
      expect_same_numbers(summary_of("forwards.jsonl"), summary_of("backwards.jsonl"), kOfTheOrder);
    }
  }
}

TEST_F(RowOrder, ChangesNoEstimateOfRowsThatAllHaveLabels) {
  for (const bool have_texts : {true, false}) {
    SCOPED_TRACE(have_texts ? "texts" : "no texts");
    write_rows(false, false, have_texts, true);
    expect_no_order({"evaluate", "agreement", "--input", "ROWS", "--resamples", "500"});
    expect_no_order({"evaluate", "coverage", "--input", "ROWS", "--sizes", "20", "--draws", "50",
                     "--resamples", "20"});
    expect_no_order({"plan", "--all", "ROWS", "--human", "score", "--width", "1"});
  }
}

}  // namespace rubric::cli::row_order_test
