#include "eval/agreement/gap_tally.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rows/rows_part.h"
#include "eval/agreement/gap_list.h"
#include "eval/groups.h"

namespace rubric {
namespace {

struct Filled {
  std::vector<std::string> categories, groups;  // of each row that has a category
  int64_t empty = 0;
};

Filled read_filled(const std::filesystem::path& file) {
  Filled filled;
  visit_rows(file, input_format("", file), [&](const Json& row, const std::string& where) {
    if (row.find("category") == nullptr) {
      throw InputError("the row has no \"category\"", where,
                       "fill in what `rubric evaluate gaps` wrote");
    }
    const std::string category = std::string(trim(cell_text(row, "category")));
    if (category.empty()) {
      ++filled.empty;
    } else {
      filled.categories.push_back(category);
      filled.groups.push_back(cell_text(row, "group"));
    }
    return true;
  });
  if (filled.categories.empty()) {
    throw InputError("no row has a category", file.string(), "fill in \"category\" first");
  }
  return filled;
}

std::string percent(int64_t count, size_t all) {
  return format_fixed(100.0 * static_cast<double>(count) / static_cast<double>(all), 1);
}

}  // namespace

Table tally_categories(const std::filesystem::path& file) {
  const Filled filled = read_filled(file);
  const size_t all = filled.categories.size();
  const auto groups = group_by(all, [&](size_t i) { return filled.groups[i]; });
  // Filled in by hand: "Passage" is "passage".
  auto categories = group_by(all, [&](size_t i) { return ascii_lower(filled.categories[i]); });
  std::stable_sort(categories.begin(), categories.end(), [](const Group& a, const Group& b) {
    return a.members.size() > b.members.size();
  });
  Table table{"Categories of " + std::to_string(all) + " rows",
              {"category", "rows", "%"},
              {},
              {Align::left},
              {}};
  if (groups.size() > 1) {
    for (const Group& group : groups) table.header.push_back(group.name);
  }
  for (const Group& category : categories) {
    const std::string& spelling = filled.categories[category.members.front()];
    std::vector<std::string> row = {spelling, std::to_string(category.members.size()),
                                    percent(std::ssize(category.members), all)};
    for (const Group& group : groups) {
      if (groups.size() == 1) break;
      row.push_back(
          std::to_string(std::count_if(category.members.begin(), category.members.end(),
                                       [&](size_t i) { return filled.groups[i] == group.name; })));
    }
    table.rows.push_back(std::move(row));
  }
  if (filled.empty > 0) {
    table.notes.push_back(std::to_string(filled.empty) + " rows have no category yet");
  }
  return table;
}

}  // namespace rubric
