#include <algorithm>
#include <set>
#include <utility>

#include "core/error.h"
#include "data/answers/answer_rows.h"
#include "data/rows/rows.h"
#include "data/scored_files/scored_files.h"
#include "data/tokens/tokenized_answers.h"
#include "eval/mocha/mocha.h"

namespace rubric::eval {
namespace {

// The requested metrics of the scored file, or all of them.
std::vector<MochaPredictions> read_answer_scores(const std::string& file,
                                                 const std::vector<std::string>& metrics) {
  auto scores = data::read_scores(file, "scores");
  std::vector<std::string> names;
  for (const auto& [name, predictions] : scores) names.push_back(name);
  const std::vector<std::string>& chosen = metrics.empty() ? names : metrics;
  std::vector<MochaPredictions> results;
  for (const std::string& name : chosen) {
    if (!scores.contains(name)) throw unknown_name("metric in the scored file", name, names);
    results.push_back({name, std::move(scores[name]), {}});
  }
  return results;
}

// Adds the pair scores to the metrics that have them.
void add_pair_scores(const std::string& file, std::vector<MochaPredictions>& metrics) {
  auto better = data::read_scores(file, "scores1"), worse = data::read_scores(file, "scores2");
  bool is_any_scored = false;
  std::vector<std::string> names;
  for (MochaPredictions& metric : metrics) {
    names.push_back(metric.metric);
    if (!better.contains(metric.metric) && !worse.contains(metric.metric)) continue;
    metric.pairs = {std::move(better[metric.metric]), std::move(worse[metric.metric])};
    is_any_scored = true;
  }
  if (is_any_scored) return;
  throw InputError("no minimal pair is scored by " + join_some(names), "--pair-scores " + file,
                   "score the pairs with the metrics that you evaluate");
}

void add_pair_predictions(const std::string& file, std::vector<MochaPredictions>& metrics) {
  if (metrics.size() > 1) {
    std::vector<std::string> names;
    for (const MochaPredictions& metric : metrics) names.push_back(metric.metric);
    throw InputError("the pairs are predicted by one metric, which may be " + join_some(names),
                     "--pair-predictions " + file, "name one with --metric");
  }
  metrics.front().pairs = {data::read_predictions(file, "pred_score1"),
                           data::read_predictions(file, "pred_score2")};
}

void require_instance_key(const data::Answer& answer, const std::filesystem::path& file,
                          std::set<data::InstanceKey>& keys) {
  if (answer.constituent.empty()) {
    throw InputError("the row names no constituent", data::record_place(file.string(), answer),
                     "give every row the data set it is from as its \"constituent\"");
  }
  if (!keys.emplace(answer.constituent, answer.id).second) {
    throw InputError("two instances have this id", data::record_place(file.string(), answer),
                     "give each row of a constituent its own id");
  }
}

}  // namespace

void check_files(const MochaFiles& files) {
  const auto fail = [](const char* what, const char* what_to_do) {
    throw InputError(what, "", what_to_do);
  };
  if (files.predictions.empty() == files.scores.empty()) {
    fail("what to evaluate is not clear", "give either --predictions or --scores");
  }
  const bool has_predictions = !files.pair_predictions.empty();
  const bool has_scores = !files.pair_scores.empty();
  if (files.minimal_pairs.empty() == (has_predictions || has_scores) ||
      (has_predictions && has_scores)) {
    fail("minimal pairs need two files",
         "give --minimal-pairs with either --pair-predictions or --pair-scores");
  }
  if (has_scores && files.scores.empty()) {
    fail("the answers have no metric's name, the pairs do",
         "give --predictions with --pair-predictions, or --scores with --pair-scores");
  }
}

std::vector<MochaPredictions> read_metrics(const MochaFiles& files,
                                           const std::vector<std::string>& metrics) {
  std::vector<MochaPredictions> results;
  if (files.predictions.empty()) {
    results = read_answer_scores(files.scores, metrics);
  } else {
    results.push_back({"prediction", data::read_predictions(files.predictions, "pred_score"), {}});
  }
  if (!files.pair_scores.empty()) add_pair_scores(files.pair_scores, results);
  if (!files.pair_predictions.empty()) add_pair_predictions(files.pair_predictions, results);
  return results;
}

std::vector<data::Answer> read_mocha_instances(const std::filesystem::path& file) {
  const data::InputFormat format = data::rows_or_mocha(file);
  std::vector<data::Answer> answers = data::read_answers(file, format);
  if (format != data::InputFormat::kMocha) {
    size_t i = 0;  // rows may have ratings as MOCHA's instances do
    data::visit_rows(file, format, [&](const Json& row, const std::string& where) {
      answers[i++].ratings = data::mocha_ratings(row, where);
      return true;
    });
  }
  std::set<data::InstanceKey> keys;
  for (const data::Answer& answer : answers) require_instance_key(answer, file, keys);
  data::warn_of_stray_scores(answers, [&](size_t) { return file.string(); });
  return answers;
}

std::vector<data::AnswerPair> read_mocha_minimal_pairs(const std::filesystem::path& file) {
  std::vector<data::AnswerPair> pairs = data::read_minimal_pairs(file);
  std::set<data::InstanceKey> keys;
  for (const data::AnswerPair& pair : pairs) require_instance_key(pair.better, file, keys);
  return pairs;
}

}  // namespace rubric::eval
