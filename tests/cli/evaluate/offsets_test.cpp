// A constant that is added to a metric's scores or to labels, and a factor, change no p, no
// correlation and no interval but by themselves: in every suite that tests or estimates a
// difference.
#include <cmath>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/random.h"

namespace rubric::cli::offsets_test {

struct Line {
  double offset = 0, factor = 1;
  double operator()(double x) const { return factor * x + offset; }
};

struct Offsets : testing::Test {
  // 40 questions, each answered by three systems; two metrics and labels in quarters, which a
  // factor that is a power of two, or an offset near a million, leaves exact.
  void write(const std::string& file, const Line& metric, const Line& label, bool labels_all) {
    std::string rows;
    for (uint64_t q = 0; q < 40; ++q) {
      const auto quarters = [&](uint64_t what, uint64_t most) {
        return static_cast<double>(below(random_bits(3, Purpose::initialise, q, what), most)) / 4;
      };
      for (uint64_t system = 0; system < 3; ++system) {
        const double base = quarters(0, 9), one = base + quarters(1 + system, 9),
                     two = base + quarters(11 + system, 9), truth = base + quarters(21 + system, 5);
        Json row;
        row["id"] = "q" + std::to_string(q);
        row["question"] = "Question " + std::to_string(q) + "?";
        row["system"] = std::string(1, static_cast<char>('a' + system));
        row["scores"] = Json::Object{{"one", metric(one)}, {"two", metric(two)}};
        if (labels_all || q % 2 == 0) row["label"] = label(truth);
        rows += row.dump() + "\n";
      }
    }
    folder_.write(file, rows);
  }
  Json json_of(std::vector<std::string> command, const Line& metric, const Line& label,
               bool labels_all = true) {
    write("rows.jsonl", metric, label, labels_all);
    for (std::string& word : command) {
      if (word == "FILE") word = folder_.file("rows.jsonl");
    }
    command.insert(command.end(), {"--format", "json"});
    const Outcome outcome = done(run(command));
    return Json::parse(outcome.out, "stdout");
  }
  TemporaryFolder folder_;
};

// What becomes of a value at a path such as "/systems/0/with/one/value", or of a measurement at
// "/measurements/STATISTIC/SOURCE/METRIC/value", without the keys that it lacks.
using LineAt = std::function<Line(const std::string& path)>;

void expect_moved(const Json& before, const Json& after, const LineAt& line_at,
                  const std::string& path = "") {
  if (before.is_object()) {
    ASSERT_TRUE(after.is_object()) << path;
    for (const auto& [name, value] : before.object()) {
      const Json* const other = after.find(name);
      ASSERT_NE(other, nullptr) << path << "/" << name;
      expect_moved(value, *other, line_at, path + "/" + name);
    }
  } else if (before.is_array()) {
    ASSERT_TRUE(after.is_array() && after.array().size() == before.array().size()) << path;
    for (size_t i = 0; i < before.array().size(); ++i) {
      const Json* const statistic = before.array()[i].find("statistic");
      const bool is_measurement = statistic != nullptr && statistic->is_string();
      std::string name = is_measurement ? statistic->string() : std::to_string(i);
      for (const char* key : {"source", "metric"}) {
        const Json* const text = is_measurement ? before.array()[i].find(key) : nullptr;
        if (text != nullptr) name += "/" + text->string();
      }
      expect_moved(before.array()[i], after.array()[i], line_at, path + "/" + name);
    }
  } else if (before.is_number()) {
    ASSERT_TRUE(after.is_number()) << path << " is " << after.dump();
    const double expected = line_at(path)(before.number());
    EXPECT_NEAR(after.number(), expected, 1e-9 * std::abs(expected) + 1e-12) << path;
  } else if (!before.is_string()) {
    EXPECT_EQ(after.dump(), before.dump()) << path;
  }
}

bool has(const std::string& path, const std::string& part) {
  return path.find(part) != std::string::npos;
}

const Line kSame;
const std::vector<Line> kLines = {{0x1p20, 1}, {-0x1p20, 1}, {0, 0x1p-40}, {0, 0x1p40}};

TEST_F(Offsets, ChangeNoComparison) {
  const std::vector<std::string> command = {"rubric",   "compare", "FILE",   "--system", "system",
                                            "--metric", "one,two", "--rows", "0"};
  const Json before = json_of(command, kSame, kSame);
  for (const Line& line : kLines) {
    expect_moved(before, json_of(command, line, kSame), [&](const std::string& path) {
      const bool is_value = has(path, "/value") || has(path, "/low") || has(path, "/high");
      if (!is_value) return kSame;
      if (has(path, "/mean/")) return line;
      return has(path, "/difference/") ? Line{0, line.factor} : kSame;
    });
  }
}

TEST_F(Offsets, ChangeNoAgreement) {
  for (const std::string test : {"williams", "permutation"}) {
    const std::vector<std::string> command = {
        "rubric",   "evaluate", "agreement", "--input", "FILE",        "--human", "label",
        "--system", "system",   "--test",    test,      "--resamples", "500"};
    const Json before = json_of(command, kSame, kSame);
    for (const Line& line : kLines) {
      SCOPED_TRACE(line.offset);
      expect_moved(before, json_of(command, line, kSame), [&](const std::string& path) {
        if (!has(path, "/value")) return kSame;
        if (has(path, "/mean/")) return line;
        return has(path, "/pairwise_epsilon/") ? Line{0, line.factor} : kSame;
      });
      expect_moved(before, json_of(command, kSame, line), [&](const std::string& path) {
        return has(path, "/mean_label/value") ? line : kSame;
      });
    }
  }
}

TEST_F(Offsets, ChangeNoEstimate) {
  const std::vector<std::string> command = {"rubric",  "estimate", "--all",    "FILE",
                                            "--human", "label",    "--system", "system"};
  const Json before = json_of(command, kSame, kSame, false);
  for (const Line& line : kLines) {
    SCOPED_TRACE(line.offset);
    expect_moved(before, json_of(command, line, kSame, false), [&](const std::string& path) {
      if (has(path, "/mean/metric/") && has(path, "/value")) return line;
      const bool is_weight = has(path, "/lambda/") && !has(path, "/combination/");
      return is_weight ? Line{0, 1 / line.factor} : kSame;
    });
    expect_moved(before, json_of(command, kSame, line, false), [&](const std::string& path) {
      const Line scaled = {0, line.factor};
      if (has(path, "/standard_error/")) return scaled;
      if (has(path, "/lambda/")) return has(path, "/combination/") ? kSame : scaled;
      const bool is_value = has(path, "/value") || has(path, "/low") || has(path, "/high");
      if (!is_value || has(path, "/mean/metric/")) return kSame;
      if (has(path, "/difference/")) return scaled;
      return has(path, "/mean/") ? line : kSame;
    });
  }
}

TEST_F(Offsets, ChangeNoPlan) {
  const std::vector<std::string> command = {"rubric",  "plan",  "--all",        "FILE",
                                            "--human", "label", "--system",     "system",
                                            "--width", "0.2",   "--difference", "0.3"};
  const Json before = json_of(command, kSame, kSame, false);
  for (const Line& line : kLines) {
    SCOPED_TRACE(line.offset);
    const auto same = [](const std::string&) { return kSame; };
    expect_moved(before, json_of(command, line, kSame, false), same);
    if (line.factor == 1) expect_moved(before, json_of(command, kSame, line, false), same);
  }
}

// A label or score whose square or sum is no number names its row, in every suite.
TEST_F(Offsets, ValuesTooLargeToComputeWithAreRefused) {
  write("rows.jsonl", kSame, kSame, true);
  const std::string rows = read_file(folder_.file("rows.jsonl"));
  const std::vector<std::vector<std::string>> suites = {
      {"compare", "FILE", "--metric", "one", "--system", "system"},
      {"evaluate", "agreement", "--input", "FILE", "--human", "label", "--system", "system"},
      {"evaluate", "gaps", "--input", "FILE", "--metric", "one", "--human", "label", "--group",
       "system", "--output", folder_.file("gaps.jsonl")},
      {"evaluate", "coverage", "--input", "FILE", "--human", "label", "--system", "system",
       "--draws", "50", "--sizes", "20"},
      {"estimate", "--all", "FILE", "--human", "label", "--system", "system"},
      {"plan", "--all", "FILE", "--human", "label", "--width", "0.1", "--system", "system"},
      {"choose", "--input", "FILE", "--budget", "30", "--method", "score", "--metric", "one",
       "--system", "system", "--output", folder_.file("sheet.csv")}};
  for (const std::string value : {"1e308", "-1e308", "1e200", "1e70"}) {
    for (const std::string field : {"\"one\": ", "\"label\": "}) {
      std::string lines = rows;
      size_t place = 0;
      for (int row = 0; row < 7; ++row) place = lines.find(field, place + 1);
      place += field.size();
      lines.replace(place, lines.find_first_of(",}", place) - place, value);
      folder_.write("rows.jsonl", lines);
      for (std::vector<std::string> command : suites) {
        SCOPED_TRACE(command[0] + " " + command[1] + ", " + field + value);
        const bool reads_labels = command[0] != "compare" && command[0] != "choose";
        if (field == "\"label\": " && !reads_labels) continue;
        for (std::string& word : command) {
          if (word == "FILE") word = folder_.file("rows.jsonl");
        }
        command.insert(command.begin(), "rubric");
        expect_message(run(command), 2, {"too large to compute with", "rows.jsonl:7"});
      }
    }
  }
  folder_.write("rows.jsonl", std::regex_replace(rows, std::regex("0.25"), "1e69"));
  for (std::vector<std::string> command : suites) {
    for (std::string& word : command) {
      if (word == "FILE") word = folder_.file("rows.jsonl");
    }
    if (command[1] == "gaps")
      command.insert(command.end(), {"--scale", "one=0:1e69", "--scale", "label=0:1e69"});
    command.insert(command.begin(), "rubric");
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << command[1] << command[2] << outcome.err;
    EXPECT_FALSE(holds(outcome.out, "nan")) << outcome.out;
  }
}

TEST_F(Offsets, ChangeNoCoverage) {
  const std::vector<std::string> command = {"rubric",  "evaluate", "coverage", "--input", "FILE",
                                            "--human", "label",    "--system", "system",  "--draws",
                                            "50",      "--sizes",  "20"};
  const Json before = json_of(command, kSame, kSame);
  for (const Line& line : kLines) {
    SCOPED_TRACE(line.offset);
    expect_moved(before, json_of(command, line, kSame), [](const std::string&) { return kSame; });
    expect_moved(before, json_of(command, kSame, line), [&](const std::string& path) {
      if (path.ends_with("/truth/value")) return line;
      return has(path, "/width/") && has(path, "/value") ? Line{0, line.factor} : kSame;
    });
  }
}

}  // namespace rubric::cli::offsets_test
