// rubric describe FORMAT FILE…: the statistics that papers give of their data.
#include "cli/data/describe.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "cli/data/rationale_options.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/json/json.h"
#include "data/derivations/readers.h"
#include "data/rationales/list.h"
#include "data/rationales/rationale_rows.h"
#include "eval/describe/describe.h"
#include "eval/mocha/mocha.h"

namespace rubric::cli {

struct Description {
  std::string format;              // of the data
  std::vector<std::string> files;  // as given
  const OptionValues& values;
  eval::OutputFormat output;
};

// The names of the splits: the files' names without directory and extension. Throws InputError when
// two are equal.
std::vector<std::string> split_names_of(const std::vector<std::string>& files);

// Prints JSON, a value a row for CSV, or tables.
void print_description(const Json& json, const eval::Table& statistics,
                       const std::vector<eval::Table>& tables, eval::OutputFormat format);

// Describes published data sets of rationales, or rows of rationales from anywhere.
void describe_rationale_source(const Description& description);
void describe_rationale_rows(const Description& description);

namespace po = boost::program_options;

CommandSyntax describe_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric describe mocha|r4c FILE… [--format NAME]\n"
      "       rubric describe " +
      join(names_of<data::RationaleReader>(data::kRationaleReaders), "|") +
      "|rationales [NAME=]FILE… [--format NAME]\n\n"
      "mocha: the sizes of MOCHA's files (a split each, called as the file; rows of your own in\n"
      ".jsonl, .csv or .tsv with a constituent each do, too), the mean lengths of what the first\n"
      "file's candidates come with, and how many candidates have each human score, by constituent\n"
      "and by source. r4c: how many derivations of R4C's files have 2, 3 and more steps. The "
      "others\n"
      "are data sets of rationales as published, or (rationales) as `derive` writes them: "
      "examples,\n"
      "questions, choices, mean lengths, rationales that hold the label, and the labels. Files of\n"
      "one NAME are one split. cose without --questions counts explanations. --sample draws from\n"
      "the first split. --format csv prints a value a row.";
  syntax.options.add_options()("arguments", po::value<std::vector<std::string>>()->value_name("X"),
                               "the format, then the files");
  syntax.positional.add("arguments", -1);
  add_rationale_options(syntax);
  syntax.options.add_options()("rest-name", po::value<std::string>()->value_name("NAME"),
                               "what the examples that are not drawn are called");
  add_format_option(syntax);
  syntax.inputs = {"arguments", "questions"};
  syntax.prints_results = true;
  syntax.renamed = {{"rest", "rest-name"}};
  return syntax;
}

namespace {

void describe_mocha(const Description& description) {
  const std::vector<std::string> names = split_names_of(description.files);
  std::vector<eval::SplitStatistics> splits;
  for (size_t i = 0; i < names.size(); ++i) {
    splits.push_back(
        {names[i], data::mocha_statistics(eval::read_mocha_instances(description.files[i]))});
  }
  print_description(eval::to_json(splits), eval::mocha_description_value_table(splits),
                    eval::mocha_description_tables(splits), description.output);
}

void describe_r4c(const Description& description) {
  const std::vector<std::string> names = split_names_of(description.files);
  std::vector<eval::DerivationCounts> splits;
  for (size_t i = 0; i < names.size(); ++i) {
    splits.push_back(eval::count_derivations(names[i], data::read_r4c(description.files[i])));
  }
  print_description(eval::to_json(splits), eval::r4c_description_value_table(splits),
                    {eval::r4c_description_table(splits)}, description.output);
}

struct Format {
  std::string name;
  void (*describe)(const Description& description);
  bool is_published_rationales = false;
};

std::vector<Format> formats() {
  std::vector<Format> all = {{"mocha", describe_mocha}, {"r4c", describe_r4c}};
  for (const data::RationaleReader* const reader : data::kRationaleReaders) {
    all.push_back({std::string(reader->name), describe_rationale_source, true});
  }
  all.push_back({"rationales", describe_rationale_rows});
  return all;
}

// Throws InputError for an option that the format does not have.
void check_format_options(const Format& format, const OptionValues& values) {
  if (format.is_published_rationales) return;
  for (const std::string option : {"questions", "explanation", "sample", "seed", "rest-name"}) {
    if (!is_given(values, option)) continue;
    throw InputError("--" + option + " does not go with " + format.name, "rubric describe",
                     "it is an option of published data sets of rationales");
  }
}

struct SplitFiles {
  std::string name;
  std::vector<std::string> files;
};

// FILE, named after itself, or NAME=FILE; files with one name form one split.
std::vector<SplitFiles> splits_of(const std::vector<std::string>& arguments) {
  std::vector<SplitFiles> splits;
  std::vector<std::string> unnamed;
  for (const std::string& argument : arguments) {
    const size_t equals = argument.find('=');
    const bool is_named = equals != std::string::npos && equals > 0 && argument.find('/') > equals;
    std::string name = argument.substr(0, equals), file = argument;
    if (is_named) {
      file = argument.substr(equals + 1);
    } else {
      unnamed.push_back(argument);
      name = split_names_of(unnamed).back();
    }
    const auto same = std::ranges::find(splits, name, &SplitFiles::name);
    if (same == splits.end()) {
      splits.push_back({name, {file}});
    } else if (is_named) {
      same->files.push_back(file);
    } else {
      throw InputError("two files are called " + name, file, "name it: NAME=" + file);
    }
  }
  return splits;
}

void print(const std::vector<eval::RationaleCounts>& splits, eval::OutputFormat format) {
  print_description(eval::to_json(splits), eval::rationale_description_value_table(splits),
                    eval::rationale_description_tables(splits), format);
}

// Adds the counts of a split's sample, and of the rest if it is to have a name.
void add_sampled(std::vector<eval::RationaleCounts>& counts, const std::string& name,
                 const std::vector<data::Rationale>& records, const SampleOptions& sample) {
  const data::RationaleSample parts = data::draw_rationales(records, sample.share, sample.seed);
  counts.push_back(eval::count_rationales(name, parts.drawn));
  if (!sample.rest.empty()) counts.push_back(eval::count_rationales(sample.rest, parts.rest));
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

void print_description(const Json& json, const eval::Table& statistics,
                       const std::vector<eval::Table>& tables, eval::OutputFormat format) {
  if (format == eval::OutputFormat::json) {
    std::cout << json.dump(2) << "\n";
  } else if (format == eval::OutputFormat::csv) {
    std::cout << eval::print_table(statistics, format);
  } else {
    std::cout << eval::print_tables(tables, format);
  }
}

int run_describe(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(describe_syntax(), arguments);
  if (!values) return kDone;
  std::vector<std::string> files = list_option(*values, "arguments");
  std::vector<std::string> names;
  for (const Format& format : formats()) names.push_back(format.name);
  if (files.empty()) {
    throw InputError("no format is named", "rubric describe", "name one of " + join(names));
  }
  const std::string name = files.front();
  files.erase(files.begin());
  for (const Format& format : formats()) {
    if (name != format.name) continue;
    if (files.empty()) {
      throw InputError("no file is named", "rubric describe " + name,
                       "name the splits' files, such as train.json dev.json");
    }
    check_format_options(format, *values);
    format.describe({name, files, *values, format_option(*values)});
    return kDone;
  }
  throw unknown_name("format of data", name, names);
}

void describe_rationale_source(const Description& description) {
  const SampleOptions sample = sample_options(description.values, "rest-name");
  const std::vector<SplitFiles> splits = splits_of(description.files);
  if (std::ranges::count(splits, sample.rest, &SplitFiles::name) > 0) {
    throw InputError("a split is called " + sample.rest + " already", "--rest-name",
                     "give the rest a name of its own");
  }
  std::vector<eval::RationaleCounts> counts;
  for (const SplitFiles& split : splits) {
    const data::RationaleSet set = data::read_rationale_source(
        rationale_source(description.values, description.format, split.files));
    const bool is_sampled = counts.empty() && sample.share > 0;
    const size_t first = counts.size();
    if (is_sampled) {
      add_sampled(counts, split.name, set.records, sample);
    } else {
      counts.push_back(eval::count_rationales(split.name, set.records));
    }
    counts[first].unusable = data::list_problems(set);
  }
  print(counts, description.output);
}

void describe_rationale_rows(const Description& description) {
  std::vector<eval::RationaleCounts> counts;
  for (const SplitFiles& split : splits_of(description.files)) {
    std::vector<data::Rationale> records;
    for (const std::string& file : split.files) {
      for (data::Rationale& record : data::read_rationales(file).records)
        records.push_back(std::move(record));
    }
    counts.push_back(eval::count_rationales(split.name, records));
  }
  print(counts, description.output);
}

}  // namespace rubric::cli
