// A LERC run that takes a second: the tiny encoder of the fixtures, with dropout, and MOCHA files
// of a few short rows.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric {

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments left, const Arguments& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// {constituent: {id: instance}} with `rows` instances in each of drop, mcscript and quoref.
// `before` begins the questions: dev rows have others than training rows.
inline Json small_mocha(int rows, const std::string& before = "") {
  const std::vector<std::string> answers = {"her grandmother", "a farmer named Tom", "two lemons",
                                            "under the bridge", "fresh bread"};
  Json file;
  for (const std::string constituent : {"drop", "mcscript", "quoref"}) {
    for (int i = 0; i < rows; ++i) {
      Json row;
      row["context"] = "Maria walked to the market .";
      row["question"] = before + (i % 2 == 0 ? "Who needed it ?" : "What was there ?");
      row["reference"] = answers[static_cast<size_t>(i) % 5];
      row["candidate"] = answers[static_cast<size_t>(i + i / 5) % 5];
      row["score"] = 1 + (i * 7 + static_cast<int>(constituent.size())) % 5;
      file[constituent]["i" + std::to_string(i)] = row;
    }
  }
  return file;
}

// Begins the questions of dev rows.
inline const std::string kDevPrefix = "At last , ";

struct TrainCommand : testing::Test {
  TrainCommand() {
    write_file(file("train.json"), small_mocha(32).dump(1));
    write_file(file("dev.json"), small_mocha(10, kDevPrefix).dump(1));
    copy_encoder("encoder");
    // Dropout, so that its masks must be the same after an interruption too.
    set_in_file(file("encoder/config.json"), "\"hidden_dropout_prob\": 0.0",
                "\"hidden_dropout_prob\": 0.1");
  }

  std::string file(const std::string& name) const { return folder_.file(name); }

  // A number of every event of a kind, in their order.
  std::vector<double> logged(const std::string& run, const std::string& event,
                             const char* member) const {
    std::vector<double> values;
    LineReader lines(file(run + "/log.jsonl"));
    for (std::string line; lines.next(line);) {
      const Json entry = Json::parse(line, lines.where());
      if (entry.require_string("event", "") == event)
        values.push_back(entry.require_number(member, ""));
    }
    return values;
  }

  void copy_encoder(const std::string& name) const {
    fs::create_directory(file(name));
    for (const char* part :
         {"config.json", "vocab.txt", "tokenizer_config.json", "model.safetensors"}) {
      fs::copy_file(std::string(fixtures_folder()) + "/lerc/" + part, file(name) + "/" + part);
    }
  }

  static void set_in_file(const std::string& name, const std::string& before,
                          const std::string& after) {
    std::string text = read_file(name);
    const size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before << " in " << name;
    write_file(name, text.replace(at, before.size(), after));
  }

  // 8 updates an epoch: 64 rows are left without drop. Every batch is accumulated from pieces.
  Arguments train(const std::string& run, const Arguments& more = {}) const {
    return Arguments{"train",    "--config", "sample_lerc.yaml", "--set", "data.hold_out=[drop]",
                     "--output", file(run)} +
           settings() + more;
  }

  Arguments settings() const {
    Arguments arguments;
    for (const std::string& value :
         {"model.name=" + file("encoder"), "data.train=" + file("train.json"),
          "data.dev=" + file("dev.json"), "data.store=" + file("runs/token_store"),
          std::string("data.max_length=64"), std::string("threads=1"),
          std::string("batches.size=8"), std::string("batches.max_tokens=120"),
          std::string("optimizer.learning_rate=1e-3"), std::string("run.epochs=6"),
          std::string("run.checkpoint_every=5")}) {
      arguments.insert(arguments.end(), {"--set", value});
    }
    return arguments;
  }

  // Everything that a run leaves behind and that must not depend on where it was interrupted: file
  // → content, without the times in the log and in its table, without TensorBoard's files, of
  // which each start adds one, and without the report's content, which names the run's folder.
  std::map<std::string, std::string> outcome_of(const std::string& run) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(file(run))) {
      const std::string name = fs::relative(entry.path(), file(run)).string();
      if (!entry.is_regular_file() || name == "config.yaml") continue;
      if (name.starts_with("events.out.tfevents.")) {
        files["events.out.tfevents"] = "";
        continue;
      }
      files[name] = name == "report.html"   ? ""
                    : name == "log.jsonl"   ? log_without_times(entry.path())
                    : name == "metrics.csv" ? table_without_times(entry.path())
                                            : read_file(entry.path());
    }
    return files;
  }

  static std::string log_without_times(const fs::path& log) {
    std::string text;
    LineReader lines(log);
    for (std::string line; lines.next(line);) {
      Json event = Json::parse(line, lines.where());
      std::erase_if(event.object(), [](const auto& member) {
        return member.first == "seconds" || member.first == "tokens_per_second";
      });
      text += event.dump() + "\n";
    }
    return text;
  }

  // metrics.csv without its column of tokens a second.
  static std::string table_without_times(const fs::path& table) {
    std::string text;
    std::optional<size_t> left_out;
    LineReader lines(table);
    for (std::string line; lines.next(line);) {
      std::vector<std::string> cells;
      std::istringstream stream(line);
      for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
      const auto found = std::ranges::find(cells, "tokens_per_second");
      if (!left_out) left_out = static_cast<size_t>(found - cells.begin());
      if (*left_out < cells.size()) cells.erase(cells.begin() + static_cast<ptrdiff_t>(*left_out));
      for (const std::string& cell : cells) text += cell + ",";
      text += "\n";
    }
    return text;
  }

  // What a run that nobody interrupts leaves behind.
  std::map<std::string, std::string> uninterrupted(const Arguments& more = {}) const {
    done(run(train("uninterrupted/run", more)));
    return outcome_of("uninterrupted/run");
  }

  static void expect_equal(const std::map<std::string, std::string>& actual,
                           const std::map<std::string, std::string>& expected) {
    for (const auto& [name, content] : expected) {
      EXPECT_TRUE(actual.contains(name)) << name << " is missing";
      EXPECT_TRUE(!actual.contains(name) || actual.at(name) == content) << name << " differs";
    }
    for (const auto& [name, content] : actual) {
      EXPECT_TRUE(expected.contains(name)) << name << " should not be there";
    }
  }

  TemporaryFolder folder_;
};

}  // namespace rubric
