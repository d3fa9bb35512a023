// rubric describe FORMAT FILE…: the statistics that papers give of their data.
#include <filesystem>
#include <iostream>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "eval/mocha_description.h"
#include "eval/mocha_files.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric describe mocha FILE… [--format NAME]\n\n"
      "The sizes of MOCHA's files (a split each, called as the file; rows of your own in .jsonl,\n"
      ".csv or .tsv with a constituent each do, too), the mean lengths of what the first file's\n"
      "candidates come with, and how many candidates have each human score, by constituent and by\n"
      "source. --format csv prints a figure a row.";
  syntax.options.add_options()("arguments", po::value<std::vector<std::string>>()->value_name("X"),
                               "the format, then the files");
  syntax.positional.add("arguments", -1);
  add_format_option(syntax);
  return syntax;
}

std::vector<SplitStatistics> read_splits(const std::vector<std::string>& files) {
  std::vector<SplitStatistics> splits;
  for (const std::string& file : files) {
    const std::string name = std::filesystem::path(file).stem().string();
    for (const SplitStatistics& split : splits) {
      if (split.name == name) {
        throw InputError("two files are called " + name, file, "give each split a name of its own");
      }
    }
    splits.push_back({name, mocha_statistics(read_mocha_instances(file))});
  }
  return splits;
}

}  // namespace

int run_describe(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  std::vector<std::string> files = list_option(*values, "arguments");
  const std::vector<std::string> formats = {"mocha"};
  if (files.empty()) {
    throw InputError("no format is named", "rubric describe", "name one of " + join(formats));
  }
  if (files.front() != "mocha") throw unknown_name("format of data", files.front(), formats);
  files.erase(files.begin());
  if (files.empty()) {
    throw InputError("no file is named", "rubric describe mocha",
                     "name MOCHA's files: train.json dev.json");
  }
  const OutputFormat format = format_option(*values);
  const std::vector<SplitStatistics> splits = read_splits(files);
  if (format == OutputFormat::json) {
    std::cout << to_json(splits).dump(2) << "\n";
    return kDone;
  }
  if (format == OutputFormat::csv) {
    std::cout << print_table(description_figures(splits), format);
    return kDone;
  }
  bool is_first = true;
  for (const Table& table : description_tables(splits)) {
    std::cout << (is_first ? "" : "\n") << print_table(table, format);
    is_first = false;
  }
  return kDone;
}

}  // namespace rubric
