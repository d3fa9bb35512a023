// Candidates and references of real data sets, as tests/fixtures/real_pairs.py has them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/text/utf8.h"
#include "data/answers/evouna.h"
#include "data/answers/stsb.h"
#include "rubric/records.h"

namespace rubric {

inline std::vector<Answer> read_xquad_pairs(const std::filesystem::path& file) {
  std::vector<Answer> answers;
  const auto add = [&](std::vector<std::string> references, const std::string& candidate) {
    Answer& answer = answers.emplace_back();
    answer.references = std::move(references);
    answer.candidate = candidate;
  };
  const Json data = Json::parse_file(file);
  for (const Json& article : data.find("data")->array()) {
    for (const Json& paragraph : article.find("paragraphs")->array()) {
      const std::string& context = paragraph.find("context")->string();
      const std::u32string characters = decode_utf8(context);
      add({context}, encode_utf8(std::u32string_view(characters).substr(characters.size() / 3)));
      const Json::Array& questions = paragraph.find("qas")->array();
      for (size_t i = 1; i < questions.size(); ++i) {
        const Json& answer = questions[i].find("answers")->array()[0];
        add({questions[i - 1].find("question")->string(), answer.find("text")->string()},
            questions[i].find("question")->string());
      }
    }
  }
  return answers;
}

inline std::vector<Answer> read_real_pairs(const std::filesystem::path& data,
                                           const std::string& name) {
  const std::filesystem::path file = data / name;
  if (name.starts_with("evouna")) return data::read_evouna(file);
  return name.starts_with("stsb") ? data::read_stsb(file) : read_xquad_pairs(file);
}

}  // namespace rubric
