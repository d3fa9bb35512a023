#include "eval/agreement/gaps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/rows/rows.h"
#include "eval/resampling.h"
#include "eval/result/render.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

double mapped(double value, const Scale& scale) {
  return (value - scale.low) / (scale.high - scale.low);
}

struct Filled {
  std::vector<std::string> categories, groups;  // for each row with a category
  int64_t empty = 0;
};

Filled read_filled(const std::filesystem::path& file) {
  Filled filled;
  data::visit_rows(file, data::input_format("", file),
                   [&](const Json& row, const std::string& where) {
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

}  // namespace

Scale default_scale(const std::string& name, bool is_rating, std::span<const double> values,
                    const std::string& where) {
  if (is_rating) return {name, 1, 5};
  const auto [low, high] = std::ranges::minmax(values);
  if (stats::is_on_scale(low, {0, 1}) && stats::is_on_scale(high, {0, 1})) return {name, 0, 1};
  throw InputError("the values of " + name + " are from " + format_fixed(low, 3) + " to " +
                       format_fixed(high, 3) + ", but its range is not known",
                   where, "give it: --scale " + shell_word(name + "=LOW:HIGH"));
}

void check_scale(const Scale& scale, bool is_label, std::span<const double> values) {
  const auto outside = std::ranges::count_if(values, [&](double value) {
    return !stats::is_on_scale(value, {scale.low, scale.high});
  });
  if (outside == 0) return;
  const auto [low, high] = std::ranges::minmax(values);
  const std::string problem = std::to_string(outside) + " of " + std::to_string(values.size()) +
                              " values of " + scale.name + " are outside its scale of " +
                              format_fixed(scale.low, 3) + " to " + format_fixed(scale.high, 3) +
                              ": they are from " + format_fixed(low, 3) + " to " +
                              format_fixed(high, 3);
  if (!is_label) return log_warning(problem);
  throw InputError(problem, "--scale " + scale.name,
                   "give the lowest and the highest value that it can have");
}

std::vector<Gap> largest_gaps(const data::ScoredRows& rows, const std::vector<double>& first,
                              const Scale& first_scale, const std::vector<double>& second,
                              const Scale& second_scale, int64_t most) {
  const auto name = [&](size_t i) { return rows.groups.empty() ? "" : rows.groups[i]; };
  std::vector<Gap> gaps;
  for (const Group& group : group_by(first.size(), name)) {
    std::vector<Gap> of_group;
    for (const size_t i : group.members) {
      of_group.push_back({group.name, i, first[i], second[i],
                          mapped(first[i], first_scale) - mapped(second[i], second_scale)});
    }
    std::stable_sort(of_group.begin(), of_group.end(),
                     [](const Gap& a, const Gap& b) { return std::abs(a.gap) > std::abs(b.gap); });
    of_group.resize(std::min(of_group.size(), static_cast<size_t>(most)));
    gaps.insert(gaps.end(), of_group.begin(), of_group.end());
  }
  return gaps;
}

std::string cell_text(const Json& row, const std::string& name) {
  const data::FieldValue value = data::find_field(row, name);
  if (value == nullptr || value->is_null()) return "";
  if (value->is_string()) return value->string();
  if (!value->is_array()) return value->dump();
  std::vector<std::string> parts;
  for (const Json& part : value->array()) {
    parts.push_back(part.is_string() ? part.string() : part.dump());
  }
  return join(parts, " / ");
}

std::vector<Json> gap_rows(const data::ScoredRows& rows, std::span<const Gap> gaps,
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

Result gaps_result(const std::vector<Json>& rows, const std::string& first,
                   const std::string& second) {
  Result result{.title = "Largest gaps between " + first + " and " + second};
  const auto group = [&](size_t i) { return cell_text(rows[i], "group"); };
  for (const Group& each : group_by(rows.size(), group)) {
    const Keys keys{.metric = first, .against = second, .group = each.name};
    double largest = 0;
    for (const size_t i : each.members) {
      largest = std::max(largest, std::abs(rows[i].find("gap")->number()));
    }
    const auto n = std::ssize(each.members);
    result.measurements.push_back(count_of(keys, "rows", n));
    result.measurements.push_back(
        {.keys = keys, .statistic = "largest_gap", .value = largest, .n = n});
  }
  result.tables = {{.title = result.title,
                    .rows = {{"group", &Keys::group, "all rows"}},
                    .columns = {counts_column("rows", "rows"),
                                {.title = "largest gap", .statistics = {"largest_gap"}}},
                    .keys = {.metric = first, .against = second}}};
  RecordRows texts;
  for (const Json& row : rows) {
    std::vector<RecordValue>& values = texts.emplace_back();
    for (const char* const name : {"group", "id", "question", "reference", "candidate"}) {
      values.emplace_back(cell_text(row, name));
    }
    for (const std::string& name : {first, second, std::string("gap")}) {
      values.emplace_back(row.find(name)->number());
    }
  }
  result.records = {held_records(
      {.name = "gaps",
       .title = "Rows with the largest gaps",
       .columns = {"group", "id", "question", "reference", "candidate", first, second, "gap"},
       .key_columns = 2},
      std::move(texts))};
  return result;
}

std::string gap_csv(const std::vector<Json>& rows) {
  Records table;
  for (const Json& row : rows) {
    for (const auto& [name, value] : row.object()) {
      if (std::ranges::count(table.columns, name) == 0) table.columns.push_back(name);
    }
  }
  table.size = rows.size();
  table.row = [&](size_t i) {
    std::vector<RecordValue> cells;
    for (const std::string& name : table.columns) {
      const Json* const value = rows[i].find(name);
      cells.emplace_back(value == nullptr     ? std::string()
                         : value->is_string() ? value->string()
                                              : value->dump());
    }
    return cells;
  };
  return records_csv(table);
}

std::string gap_lines(const std::vector<Json>& rows) {
  std::string lines;
  for (const Json& row : rows) lines += row.dump() + "\n";
  return lines;
}

Result tally_categories(const std::filesystem::path& file) {
  const Filled filled = read_filled(file);
  const size_t all = filled.categories.size();
  std::vector<Group> groups = group_by(all, [&](size_t i) { return filled.groups[i]; });
  if (groups.size() == 1) groups.clear();
  std::erase_if(groups, [](const Group& group) { return group.name.empty(); });
  // Case is ignored, as categories are filled in by hand.
  auto categories = group_by(all, [&](size_t i) { return ascii_lower(filled.categories[i]); });
  std::ranges::stable_sort(categories, std::greater(),
                           [](const Group& category) { return category.members.size(); });
  Result result{.title = "Categories of " + counted(std::ssize(filled.categories), "row")};
  result.tables = {
      {.title = result.title,
       .rows = {{"category", &Keys::subset}},
       .columns = {counts_column("rows", "rows"),
                   {.title = "%", .statistics = {"share"}, .form = NumberForm::percent1},
                   {.statistics = {"rows"}, .across = &Keys::group, .form = NumberForm::count}}}};
  for (const Group& category : categories) {
    Keys keys{.subset = filled.categories[category.members.front()]};
    const auto count = std::ssize(category.members);
    result.measurements.push_back(count_of(keys, "rows", count));
    result.measurements.push_back({.keys = keys,
                                   .statistic = "share",
                                   .value = static_cast<double>(count) / static_cast<double>(all),
                                   .n = static_cast<int64_t>(all)});
    for (const Group& group : groups) {
      keys.group = group.name;
      result.measurements.push_back(
          count_of(keys, "rows", std::ranges::count_if(category.members, [&](size_t i) {
                     return filled.groups[i] == group.name;
                   })));
    }
  }
  if (filled.empty > 0) {
    result.notes.push_back(counted(filled.empty, "row has", "rows have") + " no category yet");
  }
  return result;
}

}  // namespace rubric::eval
