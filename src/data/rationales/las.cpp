#include "data/rationales/las.h"

#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "data/rows/csv.h"

namespace rubric::data {

std::vector<RationaleExample> read_las(const std::filesystem::path& file) {
  const ColumnTable table = read_columns(file);
  const auto column = [&](const std::string& name) {
    return column_of(table, name, "LAS's CSV with id, question, choice_0, …, label, human_exp");
  };
  const size_t id = column("id"), question = column("question"), label = column("label");
  const size_t explanation = column("human_exp");
  std::vector<size_t> options = {column("choice_0")};
  for (std::string name; has_column(table, name = "choice_" + std::to_string(options.size()));) {
    options.push_back(column(name));
  }
  std::vector<RationaleExample> found;
  for (const CsvRecord& row : table.rows) {
    RationaleExample example;
    example.where = row_place(table, row);
    example.record.id = row.fields[id];
    example.record.question = row.fields[question];
    example.record.rationale = row.fields[explanation];
    for (const size_t option : options) example.record.choices.push_back(row.fields[option]);
    const std::optional<int64_t> answer = parse_count(row.fields[label]);
    if (answer && *answer < std::ssize(options)) {
      example.record.label = example.record.gold =
          example.record.choices[static_cast<size_t>(*answer)];
    } else {
      example.problem = "the label " + json_quote(row.fields[label]) +
                        " is not the number of any of " + counted(std::ssize(options), "choice");
    }
    found.push_back(std::move(example));
  }
  return found;
}

}  // namespace rubric::data
