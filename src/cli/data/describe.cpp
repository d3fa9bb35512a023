// rubric describe FORMAT FILE…: the statistics that papers give of their data.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/shared/commands.h"
#include "cli/data/describe_kinds.h"
#include "cli/data/rationale_options.h"
#include "core/error.h"
#include "data/derivations/readers.h"
#include "eval/describe/describe.h"
#include "eval/mocha/mocha_files.h"
#include "eval/describe/r4c_description.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric describe mocha|r4c FILE… [--format NAME]\n"
      "       rubric describe ecqa|cose|las|quartz|esnli|rationales [NAME=]FILE… [--format "
      "NAME]\n\n"
      "mocha: the sizes of MOCHA's files (a split each, called as the file; rows of your own in\n"
      ".jsonl, .csv or .tsv with a constituent each do, too), the mean lengths of what the first\n"
      "file's candidates come with, and how many candidates have each human score, by constituent\n"
      "and by source. r4c: how many derivations of R4C's files have 2, 3 and more steps. The "
      "others\n"
      "are data sets of rationales as published, or (rationales) as `derive` writes them: "
      "examples,\n"
      "questions, choices, mean lengths, rationales that hold the label, and the labels. Files of\n"
      "one NAME are one split. cose without --questions counts explanations. --sample draws from\n"
      "the first split. --format csv prints a figure a row.";
  syntax.options.add_options()("arguments", po::value<std::vector<std::string>>()->value_name("X"),
                               "the format, then the files");
  syntax.positional.add("arguments", -1);
  add_rationale_options(syntax, "NAME", "what the examples that are not drawn are called");
  add_format_option(syntax);
  return syntax;
}

void describe_mocha(const Description& description) {
  const std::vector<std::string> names = split_names_of(description.files);
  std::vector<SplitStatistics> splits;
  for (size_t i = 0; i < names.size(); ++i) {
    splits.push_back({names[i], mocha_statistics(read_mocha_instances(description.files[i]))});
  }
  print_description(to_json(splits), description_figures(splits), description_tables(splits),
                    description.output);
}

void describe_r4c(const Description& description) {
  const std::vector<std::string> names = split_names_of(description.files);
  std::vector<DerivationCounts> splits;
  for (size_t i = 0; i < names.size(); ++i) {
    splits.push_back(count_derivations(names[i], read_r4c(description.files[i])));
  }
  print_description(to_json(splits), r4c_description_figures(splits),
                    {r4c_description_table(splits)}, description.output);
}

struct Format {
  const char* name;
  void (*describe)(const Description& description);
  bool is_published_rationales = false;
};
constexpr Format kFormats[] = {{"mocha", describe_mocha},
                               {"r4c", describe_r4c},
                               {"ecqa", describe_rationale_source, true},
                               {"cose", describe_rationale_source, true},
                               {"las", describe_rationale_source, true},
                               {"quartz", describe_rationale_source, true},
                               {"esnli", describe_rationale_source, true},
                               {"rationales", describe_rationale_rows}};

// Throws InputError for an option that the format does not have.
void check_options(const Format& format, const OptionValues& values) {
  if (format.is_published_rationales) return;
  for (const std::string& option : rationale_options()) {
    if (!is_given(values, option)) continue;
    throw InputError("--" + option + " does not go with " + format.name, "rubric describe",
                     "it is an option of published data sets of rationales");
  }
}

}  // namespace

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

void print_description(const Json& json, const Table& figures, const std::vector<Table>& tables,
                       OutputFormat format) {
  if (format == OutputFormat::json) {
    std::cout << json.dump(2) << "\n";
  } else if (format == OutputFormat::csv) {
    std::cout << print_table(figures, format);
  } else {
    std::cout << print_tables(tables, format);
  }
}

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
    check_options(format, *values);
    format.describe({name, files, *values, format_option(*values)});
    return kDone;
  }
  throw unknown_name("format of data", name, names);
}

}  // namespace rubric
