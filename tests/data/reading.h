// What tests of readers share.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "data/answers/answer_rows.h"
#include "data/rationales/rationale_rows.h"
#include "data/rationales/readers.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data {

// Reads texts as files with kRead.
template <auto kRead>
struct Reading : testing::Test {
  explicit Reading(const std::string& name = "in") : name_(name) {}

  auto read(const std::string& text, const std::string& name = "") const {
    return kRead(folder_.write(name.empty() ? name_ : name, text));
  }
  std::string error(const std::string& text, const std::string& name = "") const {
    return input_error([&] { read(text, name); });
  }
  void expect_error(const std::string& text, const std::vector<std::string>& parts) const {
    expect_says(error(text), parts);
  }

  TemporaryFolder folder_;
  const std::string name_, file_ = folder_.file(name_);
};

inline std::string rows_text(const std::vector<Answer>& answers) {
  std::string text;
  for (const Answer& answer : answers) text += answer_row(answer).dump() + "\n";
  return text;
}

// Of what can be used the row, of all else why not; each with the end of where it is.
inline std::string rows_text(const std::vector<RationaleExample>& found) {
  std::string text;
  for (const auto& [record, where, problem] : found) {
    text += where.substr(where.rfind(':')) + " " +
            (problem.empty() ? rationale_row(record).dump() : record.id + ": " + problem) + "\n";
  }
  return text;
}

}  // namespace rubric::data
