// `generate` on rows of many lengths, by the tiny models of tests/fixtures/make_likelihood.py.
#pragma once

#include <string>
#include <vector>

#include "metrics/neural/likelihood_fixture.h"

namespace rubric {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

inline const std::vector<std::string> kWords = {"bread",  "the oven", "a bridge", "her grandmother",
                                                "lemons", "rain",     "the baker"};

struct GenerateCommand : SequenceCommand {
  GenerateCommand() { write_sources(25); }

  // Rows of many lengths.
  void write_sources(int64_t rows) const {
    std::vector<Json> lines;
    for (int64_t i = 0; i < rows; ++i) {
      Json row;
      row["id"] = "r" + std::to_string(i);
      std::string source;
      for (int64_t word = 0; word <= i * 5 % 9; ++word) {
        source += kWords[static_cast<size_t>((i + word * word) % 7)] + " ";
      }
      row["source"] = source;
      lines.push_back(row);
    }
    write_lines("rows.jsonl", lines);
  }

  Arguments command(const std::string& model, const Arguments& more = {}) const {
    return joined({"generate", "--model", model, "--input", file("rows.jsonl"), "--output",
                   file("out.jsonl"), "--max-new-tokens", "12", "--threads", "1"},
                  more);
  }
  // The file that a call leaves.
  std::string generated(const std::string& model, const Arguments& more = {}) const {
    done(run(command(model, more)));
    return read_file(file("out.jsonl"));
  }
  std::vector<std::string> texts(const std::string& model, const Arguments& more = {}) const {
    generated(model, more);
    std::vector<std::string> texts;
    for (const Json& row : read_lines("out.jsonl"))
      texts.push_back(row.require_string("generated", ""));
    return texts;
  }
};

}  // namespace rubric
