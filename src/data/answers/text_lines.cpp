#include "data/answers/text_lines.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/ascii.h"
#include "data/rows/foreign_files.h"
#include "data/rows/missing_values.h"

namespace rubric::data {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  refuse_foreign_file(file);
  std::vector<std::string> lines;
  LineReader reader(file);
  for (std::string line; reader.next(line);) {
    lines.push_back(line);
    require_utf8_text(line, file.string(), std::ssize(lines));
  }
  return lines;
}

}  // namespace

std::vector<Answer> read_text_lines(const std::filesystem::path& file,
                                    const std::vector<std::filesystem::path>& references,
                                    MissingValues& missing) {
  const std::vector<std::string> candidates = lines_of(file);
  std::vector<std::vector<std::string>> texts;
  for (const std::filesystem::path& each : references) {
    texts.push_back(lines_of(each));
    if (texts.back().size() == candidates.size()) continue;
    throw InputError(counted(std::ssize(texts.back()), "line") + " of references, and " +
                         counted(std::ssize(candidates), "line") + " of candidates in " +
                         file.string(),
                     each.string(), "give one line for each candidate");
  }
  std::vector<Answer> answers;
  for (size_t i = 0; i < candidates.size(); ++i) {
    Answer answer;
    answer.id = std::to_string(i + 1);
    answer.is_numbered = true;
    answer.candidate = candidates[i];
    for (const auto& lines : texts) answer.references.push_back(lines[i]);
    const auto is_blank = [](const std::string& text) { return trim(text).empty(); };
    const std::string where = references.front().string() + ":" + answer.id;
    if (missing.is_strict() && std::ranges::all_of(answer.references, is_blank) &&
        !missing.keeps(MissingValues::kReference, "reference", where)) {
      continue;
    }
    answers.push_back(std::move(answer));
  }
  missing.warn(/*of_empty=*/false);
  return answers;
}

}  // namespace rubric::data
