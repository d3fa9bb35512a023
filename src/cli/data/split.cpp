// rubric split: splits rows into parts for training, tuning and testing.
#include "cli/data/split.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>

#include "config/request.h"
#include "core/context.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/rows/copied_rows.h"
#include "data/rows/rows.h"
#include "data/rows/split.h"
#include "eval/report/table.h"
#include "eval/result/render.h"

namespace rubric::cli {

namespace {

struct Assignment {
  std::string name;
  double value;
};

// "train=0.7,dev=0.1" of the option `name`; every value is above 0.
std::vector<Assignment> assignments_of(const std::string& list, const std::string& name) {
  const std::string where = "--" + name + " " + list;
  std::vector<Assignment> assignments;
  for (const std::string& item : config::split_names(list)) {
    const size_t equals = std::min(item.find('='), item.size());
    const std::string number = item.substr(std::min(equals + 1, item.size()));
    Assignment assignment{item.substr(0, equals), parse_number(number).value_or(0)};
    if (!(assignment.value > 0)) {
      throw InputError("expected NAME=NUMBER above 0, found \"" + item + "\"", where,
                       "for example train=0.7");
    }
    const auto is_plain = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '-';
    };
    if (assignment.name.empty() || !std::ranges::all_of(assignment.name, is_plain)) {
      throw InputError("\"" + assignment.name + "\" cannot be the name of a part", where,
                       "use letters, digits, - and _: the part becomes NAME.jsonl");
    }
    if (std::ranges::count(assignments, assignment.name, &Assignment::name) > 0) {
      throw InputError("the part " + assignment.name + " is named twice", where,
                       "name each part once");
    }
    assignments.push_back(std::move(assignment));
  }
  return assignments;
}

std::vector<data::Share> shares_of(const SplitRequest& request) {
  constexpr double kRounding = 1e-6;
  std::vector<data::Share> shares;
  double sum = 0;
  for (const auto& [name, value] : assignments_of(request.shares, "shares")) {
    shares.push_back({name, value});
    sum += value;
  }
  if (std::abs(sum - 1) > kRounding) {
    throw InputError("the shares add up to " + eval::format_fixed(sum, 4) + ", not to 1",
                     "--shares " + request.shares,
                     "change one of them, as in --shares train=0.6,dev=0.2,test=0.2");
  }
  return shares;
}

std::map<std::string, int64_t> sample_of(const SplitRequest& request,
                                         const std::vector<data::Share>& shares) {
  std::map<std::string, int64_t> sample;
  if (request.at_most.empty()) return sample;
  for (const auto& [name, value] : assignments_of(request.at_most, "at-most")) {
    std::vector<std::string> names;
    for (const data::Share& share : shares) names.push_back(share.name);
    if (std::ranges::count(names, name) == 0) throw unknown_name("part", name, names);
    constexpr double kMost = 1e15;
    if (value != std::floor(value) || value > kMost) {
      throw InputError("the value of " + name + " is not a whole number",
                       "--at-most " + request.at_most, "give a number of questions");
    }
    sample[name] = static_cast<int64_t>(value);
  }
  return sample;
}

void write_part(const std::filesystem::path& file, const std::vector<Json>& rows,
                const data::Part& part) {
  AtomicFile out(file);
  for (const size_t row : part.rows) out.write(rows[row].dump() + "\n");
  out.commit();
}

// Writes each row's file into the new field that the request names.
void name_file(const SplitRequest& request, const std::string& file, std::vector<Json>& rows) {
  const std::string& name = request.file_field;
  if (name.empty()) return;
  for (Json& row : rows) {
    if (row.find(name)) {
      throw InputError("the rows have a field " + json_quote(name) + " already", file,
                       "give another name to --file-field");
    }
    row[name] = file;
  }
}

std::vector<std::string> inputs_of(const SplitRequest& request) {
  std::vector<std::string> inputs;
  for (const std::filesystem::path& input : request.inputs) {
    inputs.push_back(input.string());
    if (std::ranges::count(inputs, inputs.back()) == 1) continue;
    throw InputError("the file is given twice", "--input " + inputs.back(), "name it once");
  }
  return inputs;
}

// Rows without ids are numbered when they are read: the numbers of copies differ.
void add_copies(const data::AnswerRows& of_file, data::CopiedRows& copies) {
  for (size_t i = 0; i < of_file.rows.size(); ++i) {
    Json row = of_file.rows[i];
    if (of_file.answers[i].is_numbered) row["id"] = Json();
    copies.add(row, of_file.places[i]);
  }
}

// Parts whose labels are all alike correlate with nothing.
void warn_of_one_label(const data::AnswerRows& whole, const std::vector<data::Part>& parts) {
  std::vector<std::string> alike;
  for (const data::Part& part : parts) {
    std::set<double> labels;
    int64_t count = 0;
    for (const size_t row : part.rows) {
      if (!whole.answers[row].score) continue;
      labels.insert(*whole.answers[row].score);
      ++count;
    }
    if (count < 2 || labels.size() > 1) continue;
    alike.push_back("all " + std::to_string(count) + " labels of " + part.name + " are " +
                    eval::format_exact(*labels.begin()));
  }
  if (alike.empty()) return;
  log_warning(join(alike, "; ") + ": correlations with them are undefined" +
              (alike.size() < parts.size() ? "; another --seed gives other parts" : ""));
}

data::SplitRows split_by_answers(const SplitRequest& request, const data::SplitOptions& options) {
  const std::vector<std::string> inputs = inputs_of(request);
  data::AnswerRows whole;
  data::CopiedRows copies;
  for (const std::string& input : inputs) {
    data::AnswerRows of_file = data::read_answers_with_rows(
        input, data::input_format(request.row_format, input), request.row_format.fields,
        {.missing = request.missing, .reference_separator = request.reference_separator});
    add_copies(of_file, copies);
    name_file(request, input, of_file.rows);
    std::ranges::move(of_file.answers, std::back_inserter(whole.answers));
    std::ranges::move(of_file.places, std::back_inserter(whole.places));
    std::ranges::move(of_file.rows, std::back_inserter(whole.rows));
  }
  data::warn_of_stray_scores(whole.answers, [&](size_t row) { return whole.places[row]; });
  data::warn_of_copies(copies.places(), data::kCopiesStayTogether);
  std::vector<data::Part> parts = data::split_answers(whole.answers, options, join(inputs));
  warn_of_one_label(whole, parts);
  return {std::move(whole.rows), std::move(parts)};
}

data::SplitRows split_by_field(const SplitRequest& request, const data::SplitOptions& options) {
  const std::vector<std::string> inputs = inputs_of(request);
  const std::string& input = inputs.front();
  const data::InputFormat format = data::input_format(request.row_format, input);
  if (!data::has_rows(format) || !request.row_format.fields.empty()) {
    throw InputError("answers are split by question or passage", "--by " + options.by,
                     "name one of them, or give rows as jsonl, csv or tsv without --field");
  }
  if (inputs.size() > 1) {
    throw InputError("several files are split by question or passage", "--by " + options.by,
                     "name one of them, or give one file");
  }
  data::SplitRows split = data::split_rows(input, format, options);
  name_file(request, input, split.rows);
  return split;
}

}  // namespace

Result split_rows(const SplitRequest& request, const Context& context) {
  const ContextScope scope(context);
  data::SplitOptions options{
      .shares = shares_of(request), .by = request.by, .seed = request.seed, .sample = {}};
  options.sample = sample_of(request, options.shares);
  AtomicDirectory directory(request.output);
  const bool by_answers = options.by == "question" || options.by == "passage";
  const auto [rows, parts] = (by_answers ? split_by_answers : split_by_field)(request, options);
  Result result{.title = "Parts", .inputs = inputs_of(request)};
  for (const data::Part& part : parts) {
    write_part(directory.path() / (part.name + ".jsonl"), rows, part);
    const Keys keys{.subset = part.name};
    result.measurements.push_back(eval::count_of(keys, "rows", std::ssize(part.rows)));
    result.measurements.push_back(eval::count_of(keys, "values", part.texts));
  }
  result.tables = {{.title = result.title,
                    .rows = {{"part", &Keys::subset}},
                    .columns = {eval::counts_column("rows", "rows"),
                                eval::counts_column(options.by + "s", "values")}}};
  directory.commit();
  return result;
}

}  // namespace rubric::cli
