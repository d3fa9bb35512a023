// Resampling of rows that are not independent: clusters of rows by question, and bootstrap
// intervals over seeds and instances.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// Identifies the question of a row.
using QuestionKey = std::vector<std::string>;
QuestionKey question_of(const data::ScoredRows& rows, size_t row);

// Whether any row has a "question".
bool names_questions(const data::ScoredRows& rows);

// Clusters rows by passage and question. Rows without a question are clustered by record (key_of)
// if they name their systems; else each is its own cluster.
stats::Clusters questions_of(const data::ScoredRows& rows);

// Groups.

// The indices of the records with one name.
struct Group {
  std::string name;
  std::vector<size_t> members;
};

// Groups in the order of their first record; name(i) is that of record i.
template <class Name>
std::vector<Group> group_by(size_t count, Name name) {
  std::vector<Group> groups;
  std::map<std::string, size_t> index;
  for (size_t i = 0; i < count; ++i) {
    const auto [entry, is_new] = index.emplace(name(i), groups.size());
    if (is_new) groups.push_back({entry->first, {}});
    groups[entry->second].members.push_back(i);
  }
  return groups;
}

// Runs with several seeds.

// A value of one run, with its bootstrap over instances ("resampled" beside it in the results;
// empty if there is none). NaN: undefined in that resample.
struct RunValue {
  double value;
  std::vector<double> resampled;
};

// For each resample the mean over seeds of the mean over `statistics[which][seed]`, drawing seeds,
// and instances for each, with replacement. A seed is drawn with all its values: these may come
// from one model (all data sets), whose errors do not average out; if each has its own model (out
// of dataset), the interval is as wide on average as with separate draws. Every `which` has the
// same number of seeds. An element is nothing if a drawn value is undefined; the result is empty
// for one seed without resamples. `options` has the seed of the draws, and their number for values
// without resamples of their own.
std::vector<std::optional<double>> seed_and_instance_means(
    const std::vector<std::vector<RunValue>>& statistics,
    const stats::BootstrapOptions& options = {});

// Their 95% interval; nothing for one seed without resamples.
std::optional<stats::Interval> seed_and_instance_interval(
    const std::vector<std::vector<RunValue>>& statistics);

}  // namespace rubric::eval
