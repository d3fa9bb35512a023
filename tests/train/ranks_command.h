// The train command as several processes, and runs that are the same but for rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "distributed/ranks_command.h"
#include "train/train_command.h"

namespace rubric {

// The values of `member` in those lines that have it: of an object of that name, all its members.
inline std::vector<double> values_in(const std::string& file, const char* member) {
  std::vector<double> values;
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    const Json row = Json::parse(line, lines.where());
    const Json* const found = row.find(member);
    if (found == nullptr) continue;
    if (found->is_number()) values.push_back(found->number());
    if (!found->is_object()) continue;
    for (const auto& [name, value] : found->object()) values.push_back(value.number());
  }
  return values;
}

inline void expect_near(const std::string& file, const std::string& expected_file,
                        const char* member, size_t count, double tolerance) {
  const std::vector<double> values = values_in(file, member);
  const std::vector<double> expected = values_in(expected_file, member);
  EXPECT_TRUE(count == 0 || expected.size() == count) << expected.size() << " of " << member;
  ASSERT_EQ(values.size(), expected.size()) << member;
  for (size_t i = 0; i < values.size(); ++i) {
    // Eight roundings of float32: at 33 its neighbours are 4e-6 apart.
    const double rounding = 8 * std::numeric_limits<float>::epsilon() * std::abs(expected[i]);
    EXPECT_NEAR(values[i], expected[i], std::max(tolerance, rounding)) << member << " " << i;
  }
}

// That two folders hold the same run, of so many updates, as far as float32 goes: each rank rounds
// the sums of its share.
inline void expect_same_run(const std::string& run, const std::string& expected, size_t updates) {
  const std::string log = run + "/log.jsonl", expected_log = expected + "/log.jsonl";
  expect_near(log, expected_log, "loss", updates, 1e-5);
  expect_near(log, expected_log, "gradient_norm", updates, 1e-4);
  expect_near(log, expected_log, "value", 0, 1e-6);
  expect_near(log, expected_log, "dev_loss", 0, 1e-5);
  const std::string predictions = "/predictions/dev.jsonl";
  for (const char* member : {"scores", "probabilities"}) {
    expect_near(run + predictions, expected + predictions, member, 0, 1e-5);
  }
}

}  // namespace rubric
