// Resampling of rows that are not independent: clusters of rows by question, and bootstrap
// intervals over seeds and instances. Rows with the same passage and question answer one question;
// so do rows without a question that have the same id and constituent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/records.h"
#include "data/scored_files/scored_files.h"
#include "rubric/row_format.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// 128 bits of a question's texts: no two questions have the same but by a chance that no number of
// rows makes likely, unless somebody has made them to collide.
using QuestionHash = data::QuestionHash;

// Of a question that is not empty.
QuestionHash question_hash(std::string_view question, std::string_view passage);
QuestionHash question_hash(const Json& row);  // of scored rows

// The hash of the question that a row answers: of its passage and question; of its constituent and
// id where it has no question; of its texts and how many rows before it had the same where it has
// no id either, so that each such row is a question. `more`: what else tells such rows apart. Keeps
// no text.
class QuestionHashes {
 public:
  QuestionHash add(const data::Answer& answer, std::string_view more = "");

 private:
  std::map<QuestionHash, uint64_t> rows_without_id_;
};

// The questions of rows that come one after another.
class AnswerQuestions {
 public:
  uint32_t number(const data::Answer& answer);  // in the order of their first answers
  std::vector<uint32_t> order() const;          // the numbers, in the order of the hashes

 private:
  struct First {
    size_t operator()(const QuestionHash& hash) const { return hash.first; }
  };

  QuestionHashes hashes_;
  std::unordered_map<QuestionHash, uint32_t, First> numbers_;
};

// The questions that scored rows answer. The constituent is none where it names the system.
class RowQuestions {
 public:
  explicit RowQuestions(const data::ScoredRows& rows);  // which must outlive it

  const QuestionHash& hash(size_t row) const { return hashes_[row]; }
  bool has(size_t row) const;  // whether the row has a question
  bool any() const;            // whether any row has one
  stats::Clusters clusters() const { return stats::clusters_by(hashes_); }

 private:
  const data::ScoredRows& rows_;
  std::vector<QuestionHash> hashes_;
};

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

// All records as a group without a name, then those with each name but "".
template <class Name>
std::vector<Group> all_and_groups(size_t count, Name name) {
  std::vector<Group> groups = group_by(count, name);
  std::erase_if(groups, [](const Group& group) { return group.name.empty(); });
  groups.insert(groups.begin(), Group{"", std::vector<size_t>(count)});
  std::iota(groups.front().members.begin(), groups.front().members.end(), size_t{0});
  return groups;
}

// The unweighted mean; nullopt when a value is undefined or there are no values.
std::optional<double> mean_if_all(std::span<const std::optional<double>> values);

// Of fewer questions a percentile interval of the bootstrap is too narrow, and Student's t may be.
inline constexpr int64_t kFewQuestions = 30;

// Rows with a name, and how many questions they have.
struct CountedQuestions {
  std::string name = {};  // "": there are no others
  int64_t questions = 0;
};

// "few questions (all rows: 12): a bootstrap interval of fewer than 30 is too narrow"; "" where
// none have few. Those of one question have no interval.
std::string few_questions_note(std::span<const CountedQuestions> parts);

// Runs with several seeds.

// A value of one run, with its bootstrap over instances ("resampled" beside it in the results;
// empty without them). NaN: undefined in that resample.
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

// Their 95% interval; nullopt for one seed without resamples.
std::optional<stats::Interval> seed_and_instance_interval(
    const std::vector<std::vector<RunValue>>& statistics);

// Throws InputError when --group and --system name one field.
void require_group_beside_system(const std::string& group, const std::string& system);

}  // namespace rubric::eval
