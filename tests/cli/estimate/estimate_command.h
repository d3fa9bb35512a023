// Runs `estimate` on files in a temporary folder.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "json_numbers.h"
#include "measured.h"

namespace rubric::cli {

// But for bootstrap intervals: clusters are drawn in the order of the hashes of their ids, and ids
// differ.
inline void expect_same_estimates(const Json& first, const Json& second) {
  const auto of_student = [](const Json& result) {
    Json::Array all = result.find("measurements")->array();
    std::erase_if(all, [](const Json& one) {
      const Json* const method = one.find("method");
      return method != nullptr && method->string() == "bootstrap";
    });
    return Json(std::move(all));
  };
  expect_same_numbers(of_student(first), of_student(second), {});
}

struct EstimateCommand : testing::Test {
  Outcome estimate(const std::string& all, const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"rubric", "estimate", "--all", folder_.file(all)};
    for (const std::string& option : options) {
      const bool is_file = option.ends_with(".csv") || option.ends_with(".html");
      arguments.push_back(is_file ? folder_.file(option) : option);
    }
    return run(arguments);
  }
  Json json_of(const std::string& all, std::vector<std::string> options) const {
    options.insert(options.end(), {"--format", "json"});
    return printed_json(estimate(all, options));
  }
  void expect_refused(const std::string& all, const std::vector<std::string>& options,
                      const std::vector<std::string>& parts) const {
    SCOPED_TRACE(parts.front());
    expect_message(estimate(all, options), 2, parts);
  }
  // 40 answers by number, with f1 = number / 40, in all.csv; the labels of the first 20 in
  // labels.csv: 1 for an even number.
  void write_answers() {
    std::string all = "id,f1,kind\n", labels = "id,verdict,chance\n";
    for (int i = 0; i < 40; ++i) {
      const std::string id = "q" + std::to_string(i);
      all += id + "," + std::to_string(i / 40.0) + (i % 4 < 2 ? ",x\n" : ",y\n");
      if (i < 20) labels += id + (i % 2 == 0 ? ",1," : ",0,") + (i < 10 ? "0.25\n" : "0.5\n");
    }
    folder_.write("all.csv", all);
    folder_.write("labels.csv", labels);
  }
  void append(const std::string& name, const std::string& lines) {
    folder_.write(name, read_file(folder_.file(name)) + lines);
  }
  TemporaryFolder folder_;
};

}  // namespace rubric::cli
