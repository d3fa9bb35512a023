// Declared in include/rubric/compare.h.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "data/rows/rows.h"
#include "data/rows/seen_rows.h"
#include "data/tasks/label_scale.h"
#include "eval/compare/compare.h"
#include "eval/resampling.h"
#include "eval/score/answer_series.h"
#include "eval/signature.h"
#include "metrics/list.h"
#include "rubric/compare.h"
#include "stats/bootstrap.h"

namespace rubric {
namespace {

constexpr int64_t kMostRows = 1000;

// The names that are given, else each file's name without extension or, if two would be equal, its
// path.
std::vector<std::string> file_names(const CompareRequest& request) {
  if (!request.names.empty()) return request.names;
  std::vector<std::string> names, paths;
  std::set<std::string> distinct;
  for (const std::filesystem::path& file : request.files) {
    paths.push_back(file.string());
    names.push_back(without_gz(file).stem().string());
    distinct.insert(names.back());
  }
  return distinct.size() == paths.size() ? names : paths;
}

data::ScoredSource read_source(const CompareRequest& request, const std::filesystem::path& file) {
  return data::read_scored_source(file, data::input_format(request.row_format, file),
                                  request.row_format.fields, nullptr, request.first_number);
}

std::string system_option(const CompareRequest& request) {
  const std::string field =
      request.files.empty() ? "" : data::likely_system(read_source(request, request.files.front()));
  return "--system " + (field.empty() ? "FIELD" : shell_word(field));
}

void check_files(const CompareRequest& request) {
  const auto& files = request.files;
  if (files.empty() || (files.size() < 2 && request.system.empty())) {
    throw InputError("fewer than two systems are given", "",
                     "name their scored files: rubric compare A.jsonl B.jsonl --metric f1; or the "
                     "field of one file that names systems: " +
                         system_option(request));
  }
  eval::require_group_beside_system(request.group, request.system);
  const std::set<std::string> names(request.names.begin(), request.names.end());
  const bool are_distinct = names.size() == files.size() && request.names.size() == files.size();
  if (!names.empty() && (!are_distinct || names.contains("") || !request.system.empty())) {
    throw InputError(
        counted(std::ssize(files), "file") + ", and the names are " + join(request.names), "",
        "give each file a name of its own, and none with a field of names");
  }
  for (size_t a = 0; a < files.size(); ++a) {
    for (size_t b = a + 1; b < files.size(); ++b) {
      if (!is_same_file(files[a], files[b])) continue;
      throw InputError("one file is named twice", files[b].string(), "name each file once");
    }
  }
}

// Human labels may be compared as scores are: codes of missing values among whole numbers.
void warn_of_codes(const data::ScoredRows& rows) {
  for (size_t metric = 0; metric < rows.metrics.size(); ++metric) {
    const std::vector<double>& scores = rows.scores[metric];
    if (!std::ranges::all_of(scores, [](double score) { return score == std::floor(score); })) {
      continue;
    }
    for (const data::StrayLabels& strays : data::stray_labels(scores)) {
      if (!strays.are_codes) continue;
      log_warning(rows.metrics[metric] + ": " +
                  data::stray_text(
                      strays, scores, [&](size_t row) { return data::ids_text({rows.ids[row]}); },
                      [&](size_t row) { return rows.places[row]; }));
    }
  }
}

// Adds the rows of a file, which come after `before` others.
void add_seen(const data::ScoredRows& rows, size_t before,
              std::map<std::string, data::SeenRows>& seen) {
  for (size_t row = 0; row < rows.rows.size(); ++row) {
    for (const std::string& metric : rows.metrics) {
      const auto is_seen = [&](const char* how) {
        return data::is_seen(rows.rows[row], metric, how);
      };
      if (is_seen(data::kSeenTrained)) seen[metric].trained.push_back(before + row);
      if (is_seen(data::kSeenTuned)) seen[metric].tuned.push_back(before + row);
    }
  }
}

data::ScoredRows read_rows(const CompareRequest& request, const std::filesystem::path& file) {
  data::ScoredRows rows = data::read_scored_rows(
      read_source(request, file), {.human = "",
                                   .group = request.group,
                                   .system = request.system,
                                   .metrics = request.metrics,
                                   .other_names = metrics::other_names(request.metrics),
                                   .missing = request.missing,
                                   .averages_rows = true,
                                   .fields = request.row_format.fields});
  warn_of_codes(rows);
  return rows;
}

void check_request(const CompareRequest& request) {
  stats::require_valid(request.bootstrap);
  check_files(request);
  for (const std::filesystem::path& file : request.files) require_no_pipe(file);
  metrics::require_distinct_metrics(request.metrics);
  if (request.rows && (*request.rows < 0 || *request.rows > kMostRows)) {
    throw InputError("--rows is " + std::to_string(*request.rows), "",
                     "give a whole number from 0 to " + std::to_string(kMostRows));
  }
  if (!request.metrics.empty()) return;
  const std::filesystem::path& file = request.files.front();
  throw InputError("no metric is named", "",
                   "name one or several, such as --metric f1,em; " + file.string() + " has " +
                       join_some(read_rows(request, file).metrics));
}

eval::MatchedSystems match_systems(const CompareRequest& request) {
  const std::vector<std::string> names = file_names(request);
  std::vector<eval::SystemRows> systems;
  std::map<std::string, data::SeenRows> seen;  // by metric
  size_t count = 0;
  for (size_t i = 0; i < request.files.size(); ++i) {
    const data::ScoredRows rows = read_rows(request, request.files[i]);
    add_seen(rows, count, seen);
    count += rows.rows.size();
    if (request.system.empty()) {
      eval::add_file_system(names[i], request.files[i].string(), rows, systems);
    } else {
      eval::add_named_systems(rows, systems);
    }
  }
  for (const auto& [metric, of_rows] : seen) {
    eval::warn_of_seen(metric, of_rows, static_cast<int64_t>(count));
  }
  if (systems.size() < 2) {
    throw InputError("all rows belong to one system, " + systems.front().name,
                     "--system " + request.system, "give rows of two systems or more");
  }
  if (!request.system.empty()) return eval::match_named(std::move(systems));
  eval::MatchedSystems matched =
      eval::match_files(std::move(systems), request.missing == Missing::drop);
  if (!request.names.empty()) matched.names = request.names;  // also where a constituent is one
  return matched;
}

std::string signature_of(const CompareRequest& request, const eval::MatchedSystems& systems) {
  const std::vector<std::string> names =
      request.system.empty() ? systems.names : file_names(request);
  eval::Signature signature("compare");
  signature.texts("metric", request.metrics);
  for (size_t i = 0; i < names.size(); ++i) {
    signature.file(signature_text(names[i]), request.files[i]);
  }
  return signature.text("system", request.system)
      .text("group", request.group)
      .fields(request.row_format.fields)
      .add("missing", request.missing == Missing::drop ? "drop" : "")
      .add("resamples", request.bootstrap.resamples)
      .add("permutations",
           eval::permutations_of(systems, request.metrics.size(), request.bootstrap))
      .add("seed", std::to_string(request.bootstrap.seed))
      .end();
}

}  // namespace

Result compare_systems(const CompareRequest& request, const Context& context) {
  constexpr int64_t kRows = 10;
  const ContextScope scope(context);
  check_request(request);
  const eval::MatchedSystems systems = match_systems(request);
  Result result = eval::compare_systems(systems, request.metrics, request.bootstrap,
                                        request.rows.value_or(kRows), request.rows.has_value());
  result.signature = signature_of(request, systems);
  for (const std::filesystem::path& file : request.files) result.inputs.push_back(file.string());
  return result;
}

}  // namespace rubric
