#include "eval/agreement/gap_list.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace rubric {

std::string cell_text(const Json& row, const char* name) {
  const Json* value = row.find(name);
  if (value == nullptr || value->is_null()) return "";
  if (value->is_string()) return value->string();
  if (!value->is_array()) return value->dump();
  std::vector<std::string> parts;
  for (const Json& part : value->array()) {
    parts.push_back(part.is_string() ? part.string() : part.dump());
  }
  return join(parts, " / ");
}

std::vector<Json> gap_rows(const ScoredRows& rows, std::span<const Gap> gaps,
                           const std::string& first, const std::string& second) {
  std::vector<Json> list;
  for (const Gap& gap : gaps) {
    Json row;
    row["category"] = "";
    row["group"] = gap.group;
    row["id"] = rows.ids[gap.row];
    row[first] = gap.first;
    row[second] = gap.second;
    row["gap"] = gap.gap;
    for (const auto& [name, value] : rows.rows[gap.row].object()) {
      if (name != "scores" && row.find(name) == nullptr) row[name] = value;
    }
    list.push_back(std::move(row));
  }
  return list;
}

Table gap_table(const std::vector<Json>& rows, const std::string& first,
                const std::string& second) {
  Table table;
  table.header = {"group", "id",   "question", "reference", "candidate",
                  first,   second, "gap",      "category"};
  table.alignment = {Align::left, Align::left, Align::left, Align::left, Align::left};
  for (const Json& row : rows) {
    const auto figure = [&](const std::string& name) {
      return format_fixed(row.find(name)->number(), 2);
    };
    table.rows.push_back({cell_text(row, "group"), cell_text(row, "id"), cell_text(row, "question"),
                          cell_text(row, "reference"), cell_text(row, "candidate"), figure(first),
                          figure(second), figure("gap"), ""});
  }
  return table;
}

std::string gap_csv(const std::vector<Json>& rows) {
  Table table;
  for (const Json& row : rows) {
    for (const auto& [name, value] : row.object()) {
      const auto known = std::find(table.header.begin(), table.header.end(), name);
      if (known == table.header.end()) table.header.push_back(name);
    }
  }
  for (const Json& row : rows) {
    std::vector<std::string> cells;
    for (const std::string& name : table.header) {
      const Json* value = row.find(name);
      cells.push_back(value == nullptr ? "" : value->is_string() ? value->string() : value->dump());
    }
    table.rows.push_back(std::move(cells));
  }
  return print_table(table, OutputFormat::csv);
}

std::string gap_lines(const std::vector<Json>& rows) {
  std::string lines;
  for (const Json& row : rows) lines += row.dump() + "\n";
  return lines;
}

}  // namespace rubric
