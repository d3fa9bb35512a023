#include "data/rationales/ecqa.h"

#include <string>
#include <utility>

#include "data/rows/csv.h"

namespace rubric::data {
namespace {

constexpr int kChoices = 5;

// Replaces each line break by a space.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_break = text[i] == '\n' || text.compare(i, 2, "\r\n") == 0;
    if (text.compare(i, 2, "\r\n") == 0) ++i;
    line += is_break ? ' ' : text[i];
  }
  return line;
}

}  // namespace

std::vector<RationaleExample> read_ecqa(const std::filesystem::path& file) {
  const ColumnTable table = read_columns(file);
  const auto column = [&](const std::string& name) {
    return column_of(table, name, "ECQA's CSV with q_no, q_text, q_op1 to q_op5, q_ans, taskA_pos");
  };
  const size_t id = column("q_no"), question = column("q_text"), answer = column("q_ans");
  const size_t reasons = column("taskA_pos");
  std::vector<size_t> options;
  for (int i = 1; i <= kChoices; ++i) options.push_back(column("q_op" + std::to_string(i)));
  std::vector<RationaleExample> found;
  for (const CsvRecord& row : table.rows) {
    RationaleExample example;
    example.where = row_place(table, row);
    example.record.id = row.fields[id];
    example.record.question = row.fields[question];
    for (const size_t option : options) example.record.choices.push_back(row.fields[option]);
    example.record.label = example.record.gold = row.fields[answer];
    example.record.rationale = on_one_line(row.fields[reasons]);
    found.push_back(std::move(example));
  }
  return found;
}

}  // namespace rubric::data
