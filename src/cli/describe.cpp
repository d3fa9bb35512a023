// rubric describe FORMAT FILE…: the statistics that papers give of their data.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "data/r4c.h"
#include "eval/mocha_description.h"
#include "eval/mocha_files.h"
#include "eval/r4c_description.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric describe mocha|r4c FILE… [--format NAME]\n\n"
      "mocha: the sizes of MOCHA's files (a split each, called as the file; rows of your own in\n"
      ".jsonl, .csv or .tsv with a constituent each do, too), the mean lengths of what the first\n"
      "file's candidates come with, and how many candidates have each human score, by constituent\n"
      "and by source. r4c: how many derivations of R4C's files have 2, 3 and more steps. --format\n"
      "csv prints a figure a row.";
  syntax.options.add_options()("arguments", po::value<std::vector<std::string>>()->value_name("X"),
                               "the format, then the files");
  syntax.positional.add("arguments", -1);
  add_format_option(syntax);
  return syntax;
}

// The files' names without folder and ending: what their splits are called.
std::vector<std::string> split_names_of(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) {
    names.push_back(std::filesystem::path(file).stem().string());
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      throw InputError("two files are called " + names.back(), file,
                       "give each split a name of its own");
    }
  }
  return names;
}

void print(const Json& json, const Table& figures, const std::vector<Table>& tables,
           OutputFormat format) {
  if (format == OutputFormat::json) {
    std::cout << json.dump(2) << "\n";
  } else if (format == OutputFormat::csv) {
    std::cout << print_table(figures, format);
  } else {
    std::cout << print_tables(tables, format);
  }
}

void describe_mocha(const std::vector<std::string>& files, OutputFormat format) {
  const std::vector<std::string> names = split_names_of(files);
  std::vector<SplitStatistics> splits;
  for (size_t i = 0; i < files.size(); ++i) {
    splits.push_back({names[i], mocha_statistics(read_mocha_instances(files[i]))});
  }
  print(to_json(splits), description_figures(splits), description_tables(splits), format);
}

void describe_r4c(const std::vector<std::string>& files, OutputFormat format) {
  const std::vector<std::string> names = split_names_of(files);
  std::vector<DerivationCounts> splits;
  for (size_t i = 0; i < files.size(); ++i) {
    splits.push_back(count_derivations(names[i], read_r4c(files[i])));
  }
  print(to_json(splits), r4c_description_figures(splits), {r4c_description_table(splits)}, format);
}

struct Format {
  const char* name;
  void (*describe)(const std::vector<std::string>& files, OutputFormat format);
};
constexpr Format kFormats[] = {{"mocha", describe_mocha}, {"r4c", describe_r4c}};

}  // namespace

int run_describe(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  std::vector<std::string> files = list_option(*values, "arguments");
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  if (files.empty()) {
    throw InputError("no format is named", "rubric describe", "name one of " + join(names));
  }
  const std::string name = files.front();
  files.erase(files.begin());
  for (const Format& format : kFormats) {
    if (name != format.name) continue;
    if (files.empty()) {
      throw InputError("no file is named", "rubric describe " + name,
                       "name the splits' files, such as train.json dev.json");
    }
    format.describe(files, format_option(*values));
    return kDone;
  }
  throw unknown_name("format of data", name, names);
}

}  // namespace rubric
