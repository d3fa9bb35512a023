// rubric describe FORMAT FILE…: the statistics that papers give of their data.
#include "cli/data/describe.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/data/rationale_options.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "data/derivations/readers.h"
#include "data/rationales/list.h"
#include "data/rationales/rationale_rows.h"
#include "eval/describe/describe.h"
#include "eval/mocha/mocha.h"

namespace rubric::cli {

namespace po = boost::program_options;

CommandSyntax describe_syntax() {
  CommandSyntax syntax;
  syntax.listed["readers"] = join(names_of<data::RationaleReader>(data::kRationaleReaders), "|");
  syntax.options.add_options()("arguments", po::value<std::vector<std::string>>()->value_name("X"),
                               "the format, then the files");
  syntax.positional.add("arguments", -1);
  add_rationale_options(syntax);
  syntax.options.add_options()("rest-name", po::value<std::string>()->value_name("NAME"),
                               "the name of the split of examples that are not drawn");
  add_format_option(syntax, /*several=*/true);
  syntax.inputs = {"arguments", "questions"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

struct Description {
  std::string format;              // of the data
  std::vector<std::string> files;  // as given
  const OptionValues& values;
  Formats output;
};

void describe_mocha(const Description& description) {
  const std::vector<std::string> names = eval::split_names(description.files);
  std::vector<eval::SplitStatistics> splits;
  for (size_t i = 0; i < names.size(); ++i) {
    splits.push_back(
        {names[i], data::mocha_statistics(eval::read_mocha_instances(description.files[i]))});
  }
  print_result(eval::mocha_description(splits), description.output);
}

void describe_r4c(const Description& description) {
  const std::vector<std::string> names = eval::split_names(description.files);
  std::vector<eval::DerivationCounts> splits;
  for (size_t i = 0; i < names.size(); ++i) {
    splits.push_back(eval::count_derivations(names[i], data::read_r4c(description.files[i])));
  }
  print_result(eval::r4c_description(splits), description.output);
}

// Describes published data sets of rationales.
void describe_rationale_source(const Description& description) {
  const SampleOptions sample = sample_options(description.values, "rest-name");
  const std::vector<eval::SplitFiles> splits = eval::split_files(description.files);
  if (std::ranges::count(splits, sample.rest, &eval::SplitFiles::name) > 0) {
    throw InputError("a split is called " + sample.rest + " already", "--rest-name",
                     "give the rest a name of its own");
  }
  std::vector<eval::RationaleCounts> counts;
  for (const eval::SplitFiles& split : splits) {
    const data::RationaleSet set = data::read_rationale_source(
        rationale_source(description.values, description.format, split.files));
    const bool is_sampled = counts.empty() && sample.share > 0;
    std::vector<eval::RationaleCounts> own =
        is_sampled
            ? eval::count_sample(split.name, sample.rest, set.records, sample.share, sample.seed)
            : std::vector{eval::count_rationales(split.name, set.records)};
    own.front().unusable = data::list_problems(set);
    std::ranges::move(own, std::back_inserter(counts));
  }
  print_result(eval::rationale_description(counts), description.output);
}

// Describes rows of rationales from anywhere.
void describe_rationale_rows(const Description& description) {
  std::vector<eval::RationaleCounts> counts;
  for (const eval::SplitFiles& split : eval::split_files(description.files)) {
    std::vector<data::Rationale> records;
    for (const std::string& file : split.files) {
      for (data::Rationale& record : data::read_rationales(file).records)
        records.push_back(std::move(record));
    }
    counts.push_back(eval::count_rationales(split.name, records));
  }
  print_result(eval::rationale_description(counts), description.output);
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

}  // namespace

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
    format.describe({name, files, *values, formats_option(*values)});
    return kDone;
  }
  throw unknown_name("format of data", name, names);
}

}  // namespace rubric::cli
