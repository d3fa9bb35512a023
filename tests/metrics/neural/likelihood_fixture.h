// The models of tests/fixtures/likelihood and rows for them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric {

inline std::string likelihood_model(const std::string& name) {
  return std::string(fixtures_folder()) + "/likelihood/" + name;
}

// What transformers makes of the texts.
inline const Json& likelihood_expected() {
  static const Json expected = Json::parse_file(likelihood_model("expected.json"));
  return expected;
}

inline std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& value : list.array()) values.push_back(value.number());
  return values;
}

inline Json source_target(const std::string& source, const std::string& target) {
  return Json(Json::Object{{"source", source}, {"target", target}});
}

// Commands on models and rows in a folder of one test's own.
struct SequenceCommand : testing::Test {
  std::string file(const std::string& name) const { return folder_.file(name); }

  void write_lines(const std::string& name, const std::vector<Json>& rows) const {
    std::string text;
    for (const Json& row : rows) text += row.dump() + "\n";
    write_file(file(name), text);
  }
  std::vector<Json> read_lines(const std::string& name) const {
    std::vector<Json> rows;
    LineReader lines(file(name));
    for (std::string line; lines.next(line);) rows.push_back(Json::parse(line, lines.where()));
    return rows;
  }
  // A copy of a model, to be changed.
  std::string copy_model(const std::string& name, const std::string& to = "model") const {
    std::filesystem::remove_all(file(to));
    std::filesystem::copy(likelihood_model(name), file(to));
    return file(to);
  }
  static void set_in_file(const std::string& name, const std::string& before,
                          const std::string& after) {
    std::string text = read_file(name);
    const size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before << " in " << name;
    write_file(name, text.replace(at, before.size(), after));
  }

  TemporaryFolder folder_;
};

}  // namespace rubric
