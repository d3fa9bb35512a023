// rubric describe FORMAT FILE…: the statistics that papers give of their data.
#include "cli/data/describe.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/context.h"
#include "core/error.h"
#include "data/derivations/readers.h"
#include "data/rationales/list.h"
#include "data/rationales/rationale_rows.h"
#include "eval/describe/describe.h"
#include "eval/mocha/mocha.h"

namespace rubric::cli {

namespace {

Result describe_mocha(const std::vector<std::string>& files) {
  const std::vector<std::string> names = eval::split_names(files);
  std::vector<eval::SplitStatistics> splits;
  for (size_t i = 0; i < names.size(); ++i) {
    splits.push_back({names[i], data::mocha_statistics(eval::read_mocha_instances(files[i]))});
  }
  return eval::mocha_description(splits);
}

Result describe_r4c(const std::vector<std::string>& files) {
  const std::vector<std::string> names = eval::split_names(files);
  std::vector<eval::DerivationCounts> splits;
  for (size_t i = 0; i < names.size(); ++i) {
    splits.push_back(eval::count_derivations(names[i], data::read_r4c(files[i])));
  }
  return eval::r4c_description(splits);
}

// Describes published data sets of rationales.
Result describe_rationale_source(const DescribeRequest& request) {
  check_sample(request.source, "rest-name", !request.rest_name.empty());
  const std::vector<eval::SplitFiles> splits = eval::split_files(request.source.files);
  if (std::ranges::count(splits, request.rest_name, &eval::SplitFiles::name) > 0) {
    throw InputError("a split is called " + request.rest_name + " already", "--rest-name",
                     "give the rest a name of its own");
  }
  std::vector<eval::RationaleCounts> counts;
  for (const eval::SplitFiles& split : splits) {
    RationaleSourceRequest of_split = request.source;
    of_split.files = split.files;
    const data::RationaleSet set = data::read_rationale_source(rationale_source(of_split));
    const bool is_sampled = counts.empty() && request.source.sample;
    std::vector<eval::RationaleCounts> own =
        is_sampled ? eval::count_sample(split.name, request.rest_name, set.records,
                                        *request.source.sample, request.source.seed.value_or(0))
                   : std::vector{eval::count_rationales(split.name, set.records)};
    own.front().unusable = data::list_problems(set);
    std::ranges::move(own, std::back_inserter(counts));
  }
  return eval::rationale_description(counts);
}

// Describes rows of rationales from anywhere.
Result describe_rationale_rows(const std::vector<std::string>& files) {
  std::vector<eval::RationaleCounts> counts;
  for (const eval::SplitFiles& split : eval::split_files(files)) {
    std::vector<data::Rationale> records;
    for (const std::string& file : split.files) {
      for (data::Rationale& record : data::read_rationales(file).records) {
        records.push_back(std::move(record));
      }
    }
    counts.push_back(eval::count_rationales(split.name, records));
  }
  return eval::rationale_description(counts);
}

struct Kind {
  std::string_view name;
  Result (*describe)(const std::vector<std::string>& files);
};
constexpr Kind kKindsOfFiles[] = {
    {"mocha", describe_mocha}, {"r4c", describe_r4c}, {"rationales", describe_rationale_rows}};

// Throws InputError for a field that only published data sets of rationales have.
void check_has_files_alone(const DescribeRequest& request) {
  const RationaleSourceRequest& source = request.source;
  for (const auto& [option, is_given] : {std::pair("questions", !source.questions.empty()),
                                         {"explanation", source.explanation.has_value()},
                                         {"sample", source.sample.has_value()},
                                         {"seed", source.seed.has_value()},
                                         {"rest-name", !request.rest_name.empty()}}) {
    if (!is_given) continue;
    throw InputError(std::string("--") + option + " does not go with " + source.kind,
                     "rubric describe", "it is an option of published data sets of rationales");
  }
}

}  // namespace

std::map<std::string, std::string> listed_readers() {
  return {{"readers", join(names_of<data::RationaleReader>(data::kRationaleReaders), "|")}};
}

Result describe_data(const DescribeRequest& request, const Context& context) {
  const ContextScope scope(context);
  const std::string& kind = request.source.kind;
  const auto of_files = std::ranges::find(kKindsOfFiles, kind, &Kind::name);
  const bool has_files_alone = of_files != std::end(kKindsOfFiles);
  if (!has_files_alone && find<data::RationaleReader>(data::kRationaleReaders, kind) == nullptr) {
    std::vector<std::string> names = names_of<data::RationaleReader>(data::kRationaleReaders);
    for (const Kind& each : kKindsOfFiles) names.emplace_back(each.name);
    throw unknown_name("format of data", kind, names);
  }
  if (request.source.files.empty()) {
    throw InputError("no file is named", "rubric describe " + kind,
                     "name the splits' files, such as train.json dev.json");
  }
  if (has_files_alone) check_has_files_alone(request);
  Result result = has_files_alone ? of_files->describe(request.source.files)
                                  : describe_rationale_source(request);
  result.inputs = request.source.files;
  return result;
}

}  // namespace rubric::cli
