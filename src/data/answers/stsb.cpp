#include "data/answers/stsb.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "data/rows/csv.h"

namespace rubric::data {
namespace {

// The columns of the sentences and the score.
struct Columns {
  size_t first = 0, second = 1;
  std::optional<size_t> score = 2;  // nullopt: a split without labels
  size_t count = 3;
};

std::optional<size_t> position(const std::vector<std::string>& names, const char* name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<size_t>(found - names.begin());
}

// The columns that a header names; nullopt when the record is not a header.
std::optional<Columns> named_columns(const CsvRecord& record) {
  const auto first = position(record.fields, "sentence1");
  const auto second = position(record.fields, "sentence2");
  if (!first || !second) return std::nullopt;
  return Columns{*first, *second, position(record.fields, "score"), record.fields.size()};
}

double similarity(const std::string& text, const std::string& where) {
  constexpr double kMost = 5;
  const std::optional<double> value = parse_number(text);
  if (value && *value >= 0 && *value <= kMost) return *value;
  throw InputError("the score must be a number from 0 to 5, it is " + json_quote(text), where,
                   "write the score in the fifth column, as STS-B does");
}

}  // namespace

std::vector<Answer> read_stsb(const std::filesystem::path& file) {
  const bool is_tsv = without_gz(file).extension() == ".tsv";
  const std::vector<CsvRecord> records =
      parse_csv(read_text(file), is_tsv ? '\t' : ',', is_tsv ? Quoting::plain : Quoting::quoted,
                file.string());
  const std::optional<Columns> named =
      records.empty() ? std::nullopt : named_columns(records.front());
  const Columns columns = named.value_or(Columns());
  std::vector<Answer> answers;
  for (size_t i = named ? 1 : 0; i < records.size(); ++i) {
    const std::vector<std::string>& fields = records[i].fields;
    const std::string where = file.string() + ":" + std::to_string(records[i].line);
    if (fields.size() != columns.count) {
      throw InputError("the row has " + counted(std::ssize(fields), "column") + " instead of " +
                           std::to_string(columns.count),
                       where, "STS-B's rows are sentence1, sentence2, score, or as a header says");
    }
    Answer answer;
    answer.id = std::to_string(answers.size() + 1);
    answer.is_numbered = true;
    answer.references = {fields[columns.first]};
    answer.candidate = fields[columns.second];
    if (columns.score) answer.score = similarity(fields[*columns.score], where);
    answers.push_back(std::move(answer));
  }
  if (answers.empty()) throw no_rows(file);
  return answers;
}

}  // namespace rubric::data
