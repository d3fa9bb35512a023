// Rows that are no independent observations.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// What says which question a row is about.
using QuestionKey = std::vector<std::string>;
QuestionKey question_of(const data::ScoredRows& rows, size_t row);

// Whether any row has a "question".
bool names_questions(const data::ScoredRows& rows);

// The rows of one passage and question together. Of rows without a question those of one record
// (key_of), where they name their systems; else each by itself.
stats::Clusters questions_of(const data::ScoredRows& rows);

// Records by name.

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

// Figures of several runs that differ in their seed, resampled over seeds and instances.

// A figure as one run gave it, with its bootstrap over instances ("resampled" beside it in the
// results; empty: there is none). nan: undefined for that resample.
struct RunValue {
  double value;
  std::vector<double> resampled;
};

// Of each resample the mean over seeds of the mean over `figures[which][seed]`, drawing seeds, and
// for each the instances, with replacement. A seed is drawn with all its figures: they may be of
// one model (all data sets), and their errors then do not average out; where each has a model of
// its own (out of dataset), the interval is as wide on average as with draws for each. As many
// seeds for each `which`. Nothing where a figure drawn is undefined; none for one seed without
// resamples. `options` has the seed of the draws, and how many there are of figures without
// resamples of their own.
std::vector<std::optional<double>> seed_and_instance_means(
    const std::vector<std::vector<RunValue>>& figures, const stats::BootstrapOptions& options = {});

// Their 95% interval; nothing for one seed without resamples.
std::optional<stats::Interval> seed_and_instance_interval(
    const std::vector<std::vector<RunValue>>& figures);

}  // namespace rubric::eval
