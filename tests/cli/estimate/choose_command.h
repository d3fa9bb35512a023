// `choose` on answers in a temporary folder, and its sheet filled in.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "measured.h"

namespace rubric::cli {

// 100 questions, answered by two systems.
struct ChooseCommand : testing::Test {
  ChooseCommand() {
    std::string rows;
    for (int q = 0; q < 100; ++q) {
      for (const std::string system : {"one", "two"}) {
        Json row;
        row["id"] = std::to_string(q);
        row["system"] = system;
        row["question"] = "Question, " + std::to_string(q) + "?";
        row["candidate"] = "</script> \"" + system + "\"";
        row["scores"] =
            Json::Object{{"f1", is_right(q, system) ? 0.8 : 0.1 * (q % 4)}, {"em", q % 2}};
        rows += row.dump() + "\n";
      }
    }
    folder_.write("scored.jsonl", rows);
  }
  static bool is_right(int question, const std::string& system) {
    return question % 5 < (system == "one" ? 4 : 2);
  }
  Outcome choose(std::vector<std::string> options) const {
    options.insert(options.begin(), {"rubric", "choose", "--input", folder_.file("scored.jsonl")});
    return run(options);
  }
  std::string chosen(std::vector<std::string> options, const std::string& sheet) const {
    options.insert(options.end(), {"--output", folder_.file(sheet)});
    done(choose(options));
    return read_file(folder_.file(sheet));
  }
  data::ScoredSource sheet(const std::string& name) const {
    return data::read_scored_source(folder_.file(name), data::InputFormat::kCsv);
  }
  // Fills in the first `most` rows.
  void fill(const std::string& name, size_t most = 1000) {
    const data::ScoredSource rows = sheet(name);
    std::string text = "id,system,verdict,probability,stratum\n";
    for (size_t i = 0; i < rows.rows.size(); ++i) {
      const std::string system = rows.rows[i].find("system")->string();
      const bool right = is_right(std::stoi(rows.ids[i]), system);
      text += rows.ids[i] + "," + system + "," +
              (i >= most ? ""
               : right   ? "yes"
                         : "no") +
              "," + rows.rows[i].find("probability")->string() + "," +
              rows.rows[i].find("stratum")->string() + "\n";
    }
    folder_.write(name, text);
  }
  Json estimate(const std::string& labels) const {
    return printed_json(
        run({"rubric", "estimate", "--all", folder_.file("scored.jsonl"), "--labels",
             folder_.file(labels), "--human", "verdict", "--probability", "probability", "--strata",
             "stratum", "--system", "system", "--metric", "f1", "--format", "json"}));
  }
  TemporaryFolder folder_;
};

}  // namespace rubric::cli
