// rubric split: splits rows into parts for training, tuning and testing.
#include "cli/data/split.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "cli/shared/options.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/rows/rows.h"
#include "data/rows/split.h"
#include "eval/report/table.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax split_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()(
      "input,i", po::value<std::vector<std::string>>()->value_name("FILE")->required(),
      "rows to split; may be repeated")("output,o", text("DIR")->required(), "the folder to make")(
      "shares", text("LIST")->default_value("train=0.7,dev=0.1,test=0.2"),
      "the parts, and the share of the questions that each gets")(
      "by", text("FIELD")->default_value("question"),
      "rows with the same text in this field stay together: question, passage, or any other field")(
      "seed", po::value<int64_t>()->default_value(0)->value_name("N"),
      "another seed, another split")("at-most", text("LIST"),
                                     "the most questions that a part keeps: train=1000,dev=100")(
      "file-field", text("NAME"), "a new field of the rows: the file that they come from");
  add_input_format_option(syntax);
  add_field_option(syntax);
  add_missing_option(syntax);
  add_reference_separator_option(syntax);
  add_format_option(syntax);
  syntax.inputs = {"input"};
  syntax.outputs = {"output"};
  return syntax;
}

namespace {

struct Assignment {
  std::string name;
  double value;
};

// "train=0.7,dev=0.1" of the option `name`; every value is above 0.
std::vector<Assignment> assignments_of(const OptionValues& values, const std::string& name) {
  const std::string list = text_option(values, name), where = "--" + name + " " + list;
  std::vector<Assignment> assignments;
  for (const std::string& item : split_names(list)) {
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

std::vector<data::Share> shares_of(const OptionValues& values) {
  constexpr double kRounding = 1e-6;
  std::vector<data::Share> shares;
  double sum = 0;
  for (const auto& [name, value] : assignments_of(values, "shares")) {
    shares.push_back({name, value});
    sum += value;
  }
  if (std::abs(sum - 1) > kRounding) {
    throw InputError("the shares add up to " + eval::format_fixed(sum, 4) + ", not to 1",
                     "--shares " + text_option(values, "shares"),
                     "change one of them, as in --shares train=0.6,dev=0.2,test=0.2");
  }
  return shares;
}

std::map<std::string, int64_t> sample_of(const OptionValues& values,
                                         const std::vector<data::Share>& shares) {
  std::map<std::string, int64_t> sample;
  if (!values.contains("at-most")) return sample;
  for (const auto& [name, value] : assignments_of(values, "at-most")) {
    std::vector<std::string> names;
    for (const data::Share& share : shares) names.push_back(share.name);
    if (std::ranges::count(names, name) == 0) throw unknown_name("part", name, names);
    constexpr double kMost = 1e15;
    if (value != std::floor(value) || value > kMost) {
      throw InputError("the value of " + name + " is not a whole number",
                       "--at-most " + text_option(values, "at-most"), "give a number of questions");
    }
    sample[name] = static_cast<int64_t>(value);
  }
  return sample;
}

data::SplitOptions options_of(const OptionValues& values) {
  if (values.contains("file-field") && text_option(values, "file-field").empty()) {
    throw InputError("--file-field is empty", "command line", "name a new field");
  }
  data::SplitOptions options;
  options.shares = shares_of(values);
  options.by = text_option(values, "by");
  options.seed = static_cast<uint64_t>(integer_option(values, "seed", 0, INT64_MAX));
  options.sample = sample_of(values, options.shares);
  return options;
}

void write_part(const std::filesystem::path& file, const std::vector<Json>& rows,
                const data::Part& part) {
  AtomicFile out(file);
  for (const size_t row : part.rows) out.write(rows[row].dump() + "\n");
  out.commit();
}

// Writes each row's file into the new field that --file-field names.
void name_file(const OptionValues& values, const std::string& file, std::vector<Json>& rows) {
  if (!values.contains("file-field")) return;
  const std::string name = text_option(values, "file-field");
  for (Json& row : rows) {
    if (row.find(name)) {
      throw InputError("the rows have a field " + json_quote(name) + " already", file,
                       "give another name to --file-field");
    }
    row[name] = file;
  }
}

data::SplitRows split_by_answers(const OptionValues& values, const data::SplitOptions& options,
                                 const std::vector<std::string>& inputs) {
  const data::FieldNames names = field_option(values);
  data::AnswerRows whole;
  for (const std::string& input : inputs) {
    data::AnswerRows of_file =
        data::read_answers_with_rows(input, input_format_option(values, input), names,
                                     {.missing = missing_option(values),
                                      .reference_separator = reference_separator_option(values)});
    name_file(values, input, of_file.rows);
    std::ranges::move(of_file.answers, std::back_inserter(whole.answers));
    std::ranges::move(of_file.rows, std::back_inserter(whole.rows));
  }
  return {std::move(whole.rows), data::split_answers(whole.answers, options, join(inputs))};
}

data::SplitRows split_by_field(const OptionValues& values, const data::SplitOptions& options,
                               const std::vector<std::string>& inputs) {
  const std::string& input = inputs.front();
  const data::InputFormat format = input_format_option(values, input);
  if (!data::has_rows(format) || values.contains("field")) {
    throw InputError("answers are split by question or passage", "--by " + options.by,
                     "name one of them, or give rows as jsonl, csv or tsv without --field");
  }
  if (inputs.size() > 1) {
    throw InputError("several files are split by question or passage", "--by " + options.by,
                     "name one of them, or give one file");
  }
  data::SplitRows split = data::split_rows(input, format, options);
  name_file(values, input, split.rows);
  return split;
}

}  // namespace

int run_split(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(split_syntax(), arguments);
  if (!values) return kDone;
  const data::SplitOptions options = options_of(*values);
  const eval::OutputFormat format = format_option(*values);
  std::vector<std::string> inputs = list_option(*values, "input");
  for (std::string& input : inputs) {
    if (input.empty()) throw InputError("--input is empty", "command line", "name a file");
    if (std::ranges::count(inputs, input) > 1) {
      throw InputError("the file is given twice", "--input " + input, "name it once");
    }
    if (input == "-") input = kStandardInput;
  }
  AtomicDirectory directory(file_option(*values, "output"));

  const bool by_answers = options.by == "question" || options.by == "passage";
  const auto [rows, parts] =
      (by_answers ? split_by_answers : split_by_field)(*values, options, inputs);
  eval::Table table;
  table.title = "Parts";
  table.header = {"part", "rows", options.by + "s"};
  for (const data::Part& part : parts) {
    write_part(directory.path() / (part.name + ".jsonl"), rows, part);
    table.rows.push_back({part.name, std::to_string(part.rows.size()), std::to_string(part.texts)});
  }
  directory.commit();
  std::cout << print_table(table, format);
  return kDone;
}

}  // namespace rubric::cli
