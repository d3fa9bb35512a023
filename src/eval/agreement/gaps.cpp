#include "eval/agreement/gaps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/agreement.h"
#include "eval/resampling.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "metrics/neural/lerc_kind.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

// The range of a metric or of the label. Values outside the range map outside [0, 1].
struct Scale {
  std::string name;
  double low = 0, high = 1;

  double mapped(double value) const { return (value - low) / (high - low); }
  std::string text() const {
    return name + " from " + Json(low).dump() + " to " + Json(high).dump();
  }
};

struct Gap {
  std::string group;
  size_t row = 0;
  double first = 0, second = 0;  // on the scales of the file
  double gap = 0;                // first - second, both on [0, 1]
};

double parse_end(const std::string& text, const std::string& where) {
  if (const std::optional<double> value = parse_number(text)) {
    return data::require_computable(*value, "an end of the scale", where);
  }
  throw InputError("expected NAME=LOW:HIGH, \"" + text + "\" is not a number", where,
                   "for example --scale lerc=1:5");
}

std::map<std::string, Scale> parse_scales(const std::vector<std::string>& texts) {
  std::map<std::string, Scale> scales;
  for (const std::string& text : texts) {
    const std::string where = "--scale " + text;
    const size_t equals = text.find('='), colon = text.find(':', equals + 1);
    if (equals == std::string::npos || colon == std::string::npos) {
      throw InputError("expected NAME=LOW:HIGH", where, "for example --scale lerc=1:5");
    }
    const Scale scale{text.substr(0, equals),
                      parse_end(text.substr(equals + 1, colon - equals - 1), where),
                      parse_end(text.substr(colon + 1), where)};
    if (!(scale.low < scale.high)) {
      throw InputError("the low end is not below the high one", where,
                       "write the lower one first, such as 1:5");
    }
    if (!scales.emplace(scale.name, scale).second) {
      throw InputError("the scale of " + scale.name + " is given twice", where, "name it once");
    }
  }
  return scales;
}

// The two that are compared.
struct Compared {
  std::string first, second;
  bool has_label = false;  // the second is the human label
};

Compared compared_in(const GapsRequest& request) {
  if (request.metrics.size() > 2) {
    throw InputError(std::to_string(request.metrics.size()) + " metrics are named", "--metric",
                     "name one, to compare with the human label, or two");
  }
  Compared compared{request.metrics.front(), request.metrics.back()};
  compared.has_label = request.metrics.size() == 1;
  if (compared.has_label) compared.second = request.human;
  if (compared.first != compared.second) return compared;
  throw InputError("the metric is compared with itself", "command line", "name two");
}

void check_request(const GapsRequest& request) {
  for (const auto& [option, is_there] : {std::pair("input", !request.input.empty()),
                                         {"metric", !request.metrics.empty()},
                                         {"output", !request.output.empty()}}) {
    if (is_there) continue;
    throw InputError("--" + std::string(option) + " is missing", "command line",
                     "name --input, --metric and --output; or --tally alone");
  }
  if (request.output.extension() == ".tsv") {
    throw InputError("the list is JSON lines or comma-separated, its name says tsv",
                     "--output " + request.output.string(), "name it .jsonl or .csv");
  }
  if (std::filesystem::is_regular_file(request.output)) {
    throw InputError("there is a list already, perhaps with categories filled in",
                     request.output.string(), "name another --output, or remove the file");
  }
}

// 1 to 5 for MOCHA's ratings, else 0 to 1. Throws InputError for values outside 0 to 1.
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

// The scale that is given, or that `name` has by default, on which the values are.
Scale scale_of(const GapsRequest& request, const std::map<std::string, Scale>& given,
               const std::string& name, bool is_label, std::span<const double> values,
               bool is_mocha) {
  const bool has_shipped_range = std::ranges::all_of(values, [](double value) {
    return stats::is_on_scale(value, {1, 5});
  });
  const bool is_rating =
      name == metrics::kLerc.name ? is_mocha || has_shipped_range : is_mocha && is_label;
  const auto found = given.find(name);
  Scale scale = found != given.end()
                    ? found->second
                    : default_scale(name, is_rating, values, request.input.string());
  check_scale(scale, is_label, values);
  return scale;
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
                          first_scale.mapped(first[i]) - second_scale.mapped(second[i])});
    }
    std::stable_sort(of_group.begin(), of_group.end(),
                     [](const Gap& a, const Gap& b) { return std::abs(a.gap) > std::abs(b.gap); });
    of_group.resize(std::min(of_group.size(), static_cast<size_t>(most)));
    gaps.insert(gaps.end(), of_group.begin(), of_group.end());
  }
  return gaps;
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
  Result result{
      .tables = {read_layout("agreement", "gaps", {{"first", first}, {"second", second}})}};
  result.title = result.tables.front().title;
  const auto group = [&](size_t i) { return cell_text(rows[i], "group"); };
  for (const Group& each : group_by(rows.size(), group)) {
    Adder add{result.measurements, {.metric = first, .against = second, .group = each.name}};
    double largest = 0;
    for (const size_t i : each.members) {
      largest = std::max(largest, std::abs(rows[i].find("gap")->number()));
    }
    add.counts({{"rows", std::ssize(each.members)}});
    add.n = std::ssize(each.members);
    add("largest_gap", largest);
  }
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

Result list_gaps(const GapsRequest& request) {
  check_request(request);
  const Compared compared = compared_in(request);
  const data::InputFormat format = data::input_format(request.row_format, request.input);
  const bool is_mocha = format == data::InputFormat::kMocha;
  const std::map<std::string, Scale> scales = parse_scales(request.scales);
  for (const auto& [name, scale] : scales) {
    if (name == compared.first || name == compared.second) continue;
    throw unknown_name("metric to scale", name, {compared.first, compared.second});
  }
  data::RowFields fields{.group = request.group,
                         .metrics = request.metrics,
                         .missing = request.missing,
                         .sources_tell_apart = true,
                         .fields = request.row_format.fields};
  if (compared.has_label) fields.human = request.human;
  if (request.group.empty() && is_mocha) fields.group = "constituent";
  const data::ScoredRows rows = data::read_scored_rows(request.input, format, fields);
  const std::vector<double>& first = rows.scores[0];
  const std::vector<double>& second = compared.has_label ? rows.human : rows.scores[1];
  const Scale first_scale =
      scale_of(request, scales, compared.first, /*is_label=*/false, first, is_mocha);
  const Scale second_scale =
      scale_of(request, scales, compared.second, compared.has_label, second, is_mocha);
  const std::vector<Gap> gaps =
      largest_gaps(rows, first, first_scale, second, second_scale, request.most);
  const std::vector<Json> list = gap_rows(rows, gaps, compared.first, compared.second);
  if (rows.unlabelled > 0) log_warning(unlabelled_note(rows.unlabelled));
  write_file(request.output,
             request.output.extension() == ".csv" ? gap_csv(list) : gap_lines(list));
  log_info(counted(std::ssize(list), "row") + " in " + request.output.string());
  Result result = gaps_result(list, compared.first, compared.second);
  result.notes = {"Scales, mapped to [0, 1]: " + first_scale.text() + ", " + second_scale.text() +
                  "."};
  return result;
}

struct Filled {
  std::vector<std::string> categories, groups;  // for each row with a category
  int64_t empty = 0;
};

Filled read_filled(const std::filesystem::path& file) {
  Filled filled;
  data::NamesInField groups("group");
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
                       filled.groups.push_back(groups.add(cell_text(row, "group"), where));
                     }
                     return true;
                   });
  groups.warn();
  if (filled.categories.empty()) {
    throw InputError("no row has a category", file.string(), "fill in \"category\" first");
  }
  return filled;
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
  Result result{.tables = {read_layout("agreement", "categories",
                                       {{"rows", counted(std::ssize(filled.categories), "row")}})}};
  result.title = result.tables.front().title;
  for (const Group& category : categories) {
    Adder add{result.measurements, {.subset = filled.categories[category.members.front()]}};
    const auto count = std::ssize(category.members);
    add.counts({{"rows", count}});
    add.n = std::ssize(filled.categories);
    add("share", static_cast<double>(count) / static_cast<double>(all));
    for (const Group& group : groups) {
      add.keys.group = group.name;
      add.counts({{"rows", std::ranges::count_if(category.members, [&](size_t i) {
                     return filled.groups[i] == group.name;
                   })}});
    }
  }
  if (filled.empty > 0) {
    result.notes.push_back(counted(filled.empty, "row has", "rows have") + " no category yet");
  }
  return result;
}

}  // namespace

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

Result evaluate_gaps(const GapsRequest& request, const Context& context) {
  const ContextScope scope(context);
  if (request.tally.empty()) return list_gaps(request);
  if (request.input.empty() && request.output.empty()) return tally_categories(request.tally);
  throw InputError("--tally goes alone", "command line", "leave --input and --output out");
}

}  // namespace rubric::eval
