// rubric compare A B [C…] --metric M: whether systems differ, each in its own scored file or named
// by a field of the rows.
#include "eval/compare/compare.h"

#include <filesystem>
#include <iostream>
#include <set>

#include "cli/shared/options.h"
#include "cli/shared/program.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "core/version.h"
#include "data/rows/rows.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

CommandSyntax compare_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric compare FILE FILE [FILE…] --metric NAME [options]\n"
      "       rubric compare FILE… --system FIELD --metric NAME [options]\n\n"
      "Whether systems differ in the mean of one metric over the same records, matched by id (and\n"
      "constituent). Each file holds one system's records as `rubric score` wrote them, or a "
      "table\n"
      "with a column for the metric, and names the system; or --system names the field that tells\n"
      "which system a row is of (constituent, where a data set has systems in that place). Prints\n"
      "means, differences with 95% bootstrap intervals, and p of the paired bootstrap and the\n"
      "paired permutation test with Holm's correction, by --group too. Rows with the same\n"
      "passage and question are resampled and exchanged together. --format csv prints a value a\n"
      "row.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("files", po::value<std::vector<std::string>>(), "scored files")(
      "metric", text("NAME")->required(), "the metric")(
      "system", text("FIELD"),
      "the field that names the system a row is of; else each file is one")(
      "group", text("FIELD"), "a field to report by as well, such as constituent");
  add_input_format_option(syntax);
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  syntax.positional.add("files", -1);
  return syntax;
}

// Each file's name without extension or, if two would be equal, its path.
std::vector<std::string> system_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  std::set<std::string> distinct;
  for (const std::string& file : files) {
    names.push_back(std::filesystem::path(file).stem().string());
    distinct.insert(names.back());
  }
  return distinct.size() == files.size() ? names : files;
}

struct CompareRequest {
  std::vector<std::string> files;
  std::string input_format;
  data::RowFields fields;  // one metric, optionally a group and a system
  stats::BootstrapOptions bootstrap;
  eval::OutputFormat format;
};

CompareRequest compare_request(const OptionValues& values) {
  CompareRequest request;
  request.files = list_option(values, "files");
  request.input_format = text_option(values, "input-format");
  request.fields.metrics = {text_option(values, "metric")};
  request.fields.system = text_option(values, "system");
  request.fields.group = text_option(values, "group");
  request.bootstrap = bootstrap_options(values);
  request.format = format_option(values);
  const std::vector<std::string>& files = request.files;
  if (files.empty() || (files.size() < 2 && request.fields.system.empty())) {
    throw InputError("two systems or more are compared", "command line",
                     "name their scored files: rubric compare A.jsonl B.jsonl --metric f1; or the "
                     "field of one file that names systems: --system FIELD");
  }
  for (size_t a = 0; a < files.size(); ++a) {
    for (size_t b = a + 1; b < files.size(); ++b) {
      if (!is_same_file(files[a], files[b])) continue;
      throw InputError("one file is named twice", files[b], "name each file once");
    }
  }
  return request;
}

data::ScoredRows read_rows(const CompareRequest& request, const std::string& file) {
  return data::read_scored_rows(file, data::input_format(request.input_format, file),
                                request.fields);
}

eval::SystemComparison compare_files(const CompareRequest& request) {
  const std::vector<std::string> names = system_names(request.files);
  std::vector<eval::SystemScores> systems;
  for (size_t i = 0; i < request.files.size(); ++i) {
    systems.push_back(
        eval::whole_file_system(names[i], request.files[i], read_rows(request, request.files[i])));
  }
  eval::require_same_records(systems);
  return eval::compare_systems(systems, request.bootstrap);
}

eval::SystemComparison compare_named(const CompareRequest& request) {
  std::vector<eval::SystemScores> systems;
  for (const std::string& file : request.files) {
    eval::add_named_systems(file, read_rows(request, file), systems);
  }
  if (systems.size() < 2) {
    throw InputError("all rows are of one system, " + systems.front().name,
                     "--system " + request.fields.system, "two systems or more are compared");
  }
  const std::string note = eval::keep_shared_records(systems);
  eval::SystemComparison comparison = eval::compare_systems(systems, request.bootstrap);
  comparison.note = note;
  return comparison;
}

std::string comparison_signature(const CompareRequest& request) {
  const std::vector<std::string> names = system_names(request.files);
  std::string signature = "compare|metric:" + request.fields.metrics[0];
  for (size_t i = 0; i < names.size(); ++i) {
    signature += "|" + names[i] + ":" + short_sha256_file(request.files[i]);
  }
  if (!request.fields.system.empty()) signature += "|system:" + request.fields.system;
  if (!request.fields.group.empty()) signature += "|group:" + request.fields.group;
  return signature + "|resamples:" + std::to_string(request.bootstrap.resamples) +
         "|seed:" + std::to_string(request.bootstrap.seed) + "|rubric:" + version_with_build();
}

}  // namespace

int run_compare(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(compare_syntax(), arguments);
  if (!values) return kDone;
  const CompareRequest request = compare_request(*values);
  eval::SystemComparison comparison =
      request.fields.system.empty() ? compare_files(request) : compare_named(request);
  comparison.metric = request.fields.metrics[0];
  comparison.signature = comparison_signature(request);
  log_info(comparison.signature);
  if (request.format == eval::OutputFormat::json) {
    std::cout << eval::to_json(comparison).dump(2) << "\n";
  } else if (request.format == eval::OutputFormat::csv) {
    if (!comparison.note.empty()) log_info(comparison.note);
    std::cout << eval::print_table(eval::comparison_value_table(comparison), request.format);
  } else {
    std::cout << eval::print_tables(eval::comparison_tables(comparison), request.format);
  }
  return kDone;
}

}  // namespace rubric::cli
