// rubric compare A B [C…] --metric M: whether systems differ, each in a scored file of its own.
#include <filesystem>
#include <iostream>
#include <set>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/version.h"
#include "data/input_format.h"
#include "eval/compare_systems.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric compare FILE FILE [FILE…] --metric NAME [options]\n\n"
      "Whether systems differ in the mean of one metric: each file holds one system's records as\n"
      "`rubric score` wrote them (or a table with a column for the metric), matched by id; the\n"
      "file's name is the system's. Prints means, differences with 95% bootstrap intervals, and p\n"
      "of the paired bootstrap and the paired permutation test with Holm's correction. Rows with\n"
      "the same passage and question are resampled and exchanged together. --format csv prints a\n"
      "figure a row.";
  syntax.options.add_options()("files", po::value<std::vector<std::string>>(), "scored files")(
      "metric", po::value<std::string>()->required()->value_name("NAME"), "the metric")(
      "input-format", po::value<std::string>()->value_name("FORMAT"),
      (join(input_format_names()) + "; else by the files' names").c_str());
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  syntax.positional.add("files", -1);
  return syntax;
}

// Each file's name without its end or, where two would be the same, its path.
std::vector<std::string> system_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  std::set<std::string> distinct;
  for (const std::string& file : files) {
    names.push_back(std::filesystem::path(file).stem().string());
    distinct.insert(names.back());
  }
  return distinct.size() == files.size() ? names : files;
}

std::vector<SystemScores> read_systems(const OptionValues& values) {
  const std::vector<std::string> files = list_option(values, "files");
  if (files.size() < 2) {
    throw InputError("two systems or more are compared", "command line",
                     "name their scored files: rubric compare A.jsonl B.jsonl --metric f1");
  }
  for (size_t a = 0; a < files.size(); ++a) {
    for (size_t b = a + 1; b < files.size(); ++b) {
      if (!is_same_file(files[a], files[b])) continue;
      throw InputError("one file is named twice", files[b], "name each system's file once");
    }
  }
  const std::vector<std::string> names = system_names(files);
  RowFields fields;
  fields.metrics = {text_option(values, "metric")};
  std::vector<SystemScores> systems;
  for (size_t i = 0; i < files.size(); ++i) {
    const InputFormat format = input_format(text_option(values, "input-format"), files[i]);
    systems.push_back({names[i], files[i], read_scored_rows(files[i], format, fields)});
  }
  return systems;
}

std::string signature_of(const SystemComparison& comparison,
                         const std::vector<SystemScores>& systems,
                         const BootstrapOptions& bootstrap) {
  constexpr size_t kDigits = 12;
  std::string signature = "compare|metric:" + comparison.metric;
  for (const SystemScores& system : systems) {
    signature += "|" + system.name + ":" + sha256_file(system.file).substr(0, kDigits);
  }
  return signature + "|resamples:" + std::to_string(bootstrap.resamples) +
         "|seed:" + std::to_string(bootstrap.seed) + "|rubric:" + kVersion;
}

}  // namespace

int run_compare(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  const OutputFormat format = format_option(*values);
  const BootstrapOptions bootstrap = bootstrap_options(*values);
  const std::vector<SystemScores> systems = read_systems(*values);
  SystemComparison comparison = compare_systems(systems, bootstrap);
  comparison.signature = signature_of(comparison, systems, bootstrap);
  log_info(comparison.signature);
  if (format == OutputFormat::json) {
    std::cout << to_json(comparison).dump(2) << "\n";
  } else if (format == OutputFormat::csv) {
    std::cout << print_table(comparison_figures(comparison), format);
  } else {
    std::cout << print_tables(comparison_tables(comparison), format);
  }
  return kDone;
}

}  // namespace rubric
