// Declared in include/rubric/compare.h.
#include "rubric/compare.h"

#include <set>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "data/rows/rows.h"
#include "eval/compare/compare.h"
#include "rubric/version.h"
#include "stats/bootstrap.h"

namespace rubric {
namespace {

// Each file's name without extension or, if two would be equal, its path.
std::vector<std::string> system_names(const CompareRequest& request) {
  std::vector<std::string> names, paths;
  std::set<std::string> distinct;
  for (const std::filesystem::path& file : request.files) {
    paths.push_back(file.string());
    names.push_back(file.stem().string());
    distinct.insert(names.back());
  }
  return distinct.size() == paths.size() ? names : paths;
}

void check_request(const CompareRequest& request) {
  stats::require_valid(request.bootstrap);
  const auto& files = request.files;
  if (files.empty() || (files.size() < 2 && request.system.empty())) {
    throw InputError("two systems or more are compared", "command line",
                     "name their scored files: rubric compare A.jsonl B.jsonl --metric f1; or the "
                     "field of one file that names systems: --system FIELD");
  }
  for (size_t a = 0; a < files.size(); ++a) {
    for (size_t b = a + 1; b < files.size(); ++b) {
      if (!is_same_file(files[a], files[b])) continue;
      throw InputError("one file is named twice", files[b].string(), "name each file once");
    }
  }
}

data::ScoredRows read_rows(const CompareRequest& request, const std::filesystem::path& file) {
  return data::read_scored_rows(
      file, data::input_format(request.input_format, file, "--input-format", request.delimiter),
      {"", request.group, request.system, {request.metric}});
}

SystemComparison compare_files(const CompareRequest& request) {
  const std::vector<std::string> names = system_names(request);
  std::vector<eval::SystemScores> systems;
  for (size_t i = 0; i < request.files.size(); ++i) {
    const std::filesystem::path& file = request.files[i];
    systems.push_back(eval::whole_file_system(names[i], file.string(), read_rows(request, file)));
  }
  eval::require_same_records(systems);
  return eval::compare_systems(systems, request.bootstrap);
}

SystemComparison compare_named(const CompareRequest& request) {
  std::vector<eval::SystemScores> systems;
  for (const std::filesystem::path& file : request.files) {
    eval::add_named_systems(file.string(), read_rows(request, file), systems);
  }
  if (systems.size() < 2) {
    throw InputError("all rows are of one system, " + systems.front().name,
                     "--system " + request.system, "two systems or more are compared");
  }
  const std::string note = eval::keep_shared_records(systems);
  SystemComparison comparison = eval::compare_systems(systems, request.bootstrap);
  comparison.note = note;
  return comparison;
}

std::string signature_of(const CompareRequest& request) {
  const std::vector<std::string> names = system_names(request);
  std::string signature = "compare|metric:" + request.metric;
  for (size_t i = 0; i < names.size(); ++i) {
    signature += "|" + names[i] + ":" + short_sha256_file(request.files[i].string());
  }
  if (!request.system.empty()) signature += "|system:" + request.system;
  if (!request.group.empty()) signature += "|group:" + request.group;
  return signature + "|resamples:" + std::to_string(request.bootstrap.resamples) +
         "|seed:" + std::to_string(request.bootstrap.seed) + "|rubric:" + version_with_build();
}

}  // namespace

SystemComparison compare_systems(const CompareRequest& request, const Context& context) {
  const ContextScope scope(context);
  check_request(request);
  SystemComparison comparison =
      request.system.empty() ? compare_files(request) : compare_named(request);
  comparison.metric = request.metric;
  comparison.signature = signature_of(request);
  return comparison;
}

std::string print(const SystemComparison& comparison, OutputFormat format) {
  if (format == OutputFormat::json) return eval::to_json(comparison).dump(2) + "\n";
  if (format == OutputFormat::csv) {
    return eval::print_table(eval::comparison_value_table(comparison), format);
  }
  return eval::print_tables(eval::comparison_tables(comparison), format);
}

}  // namespace rubric
