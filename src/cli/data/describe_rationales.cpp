#include <filesystem>

#include "cli/data/describe_kinds.h"
#include "cli/data/rationale_options.h"
#include "data/rationales/rationale_rows.h"
#include "data/rationales/rationale_sample.h"
#include "eval/describe/rationale_description.h"

namespace rubric {
namespace {

struct SplitFiles {
  std::string name;
  std::vector<std::string> files;
};

// FILE, called as it, or NAME=FILE; files that are given one name make one split.
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

void print(const std::vector<RationaleCounts>& splits, OutputFormat format) {
  print_description(to_json(splits), rationale_description_figures(splits),
                    rationale_description_tables(splits), format);
}

// The counts of what was drawn of a split, and of the others when they are to have a name.
void add_sampled(std::vector<RationaleCounts>& counts, const std::string& name,
                 const std::vector<Rationale>& records, const SampleOptions& sample) {
  const RationaleSample parts = draw_rationales(records, sample.share, sample.seed);
  counts.push_back(count_rationales(name, parts.drawn));
  if (!sample.rest.empty()) counts.push_back(count_rationales(sample.rest, parts.rest));
}

}  // namespace

void describe_rationale_source(const Description& description) {
  const SampleOptions sample = sample_options(description.values);
  const std::vector<SplitFiles> splits = splits_of(description.files);
  if (std::ranges::count(splits, sample.rest, &SplitFiles::name) > 0) {
    throw InputError("a split is called " + sample.rest + " already", "--rest",
                     "give the rest a name of its own");
  }
  std::vector<RationaleCounts> counts;
  for (const SplitFiles& split : splits) {
    const RationaleSet set = read_rationale_source(
        rationale_source(description.values, description.format, split.files));
    const bool is_sampled = counts.empty() && sample.share > 0;
    const size_t first = counts.size();
    if (is_sampled) {
      add_sampled(counts, split.name, set.records, sample);
    } else {
      counts.push_back(count_rationales(split.name, set.records));
    }
    counts[first].unusable = list_problems(set);
  }
  print(counts, description.output);
}

void describe_rationale_rows(const Description& description) {
  std::vector<RationaleCounts> counts;
  for (const SplitFiles& split : splits_of(description.files)) {
    std::vector<Rationale> records;
    for (const std::string& file : split.files) {
      for (Rationale& record : read_rationales(file).records) records.push_back(std::move(record));
    }
    counts.push_back(count_rationales(split.name, records));
  }
  print(counts, description.output);
}

}  // namespace rubric
