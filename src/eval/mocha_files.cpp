#include "eval/mocha_files.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "data/predictions.h"

namespace rubric {

void check_files(const MochaFiles& files) {
  const auto fail = [](const char* what, const char* what_to_do) {
    throw InputError(what, "command line", what_to_do);
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
  if ((has_scores && files.scores.empty()) || (has_predictions && files.predictions.empty())) {
    fail("the answers and the pairs must be scored in the same way",
         "give --predictions with --pair-predictions, or --scores with --pair-scores");
  }
}

std::vector<MochaPredictions> read_metrics(const MochaFiles& files,
                                           const std::vector<std::string>& metrics) {
  if (!files.predictions.empty()) {
    MochaPredictions metric{"prediction", read_predictions(files.predictions, "pred_score"), {}};
    if (!files.pair_predictions.empty()) {
      metric.pairs = PairPredictions{read_predictions(files.pair_predictions, "pred_score1"),
                                     read_predictions(files.pair_predictions, "pred_score2")};
    }
    return {metric};
  }
  auto scores = read_scores(files.scores, "scores");
  std::map<std::string, Predictions> better, worse;
  if (!files.pair_scores.empty()) {
    better = read_scores(files.pair_scores, "scores1");
    worse = read_scores(files.pair_scores, "scores2");
  }
  std::vector<std::string> names;
  for (const auto& [name, predictions] : scores) names.push_back(name);
  const std::vector<std::string>& chosen = metrics.empty() ? names : metrics;
  std::vector<MochaPredictions> results;
  for (const std::string& name : chosen) {
    if (!scores.contains(name)) throw unknown_name("metric in the scored file", name, names);
    if (std::count(chosen.begin(), chosen.end(), name) > 1) {
      throw InputError("--metric " + name + " is given twice", "command line", "give it once");
    }
    results.push_back({name, std::move(scores[name]), {}});
    if (better.contains(name)) {
      results.back().pairs = PairPredictions{std::move(better[name]), std::move(worse[name])};
    }
  }
  return results;
}

std::string signature_of(const MochaFiles& files) {
  const std::pair<const char*, const std::string&> named_files[] = {
      {"data", files.data},
      {"predictions", files.predictions},
      {"scores", files.scores},
      {"minimal-pairs", files.minimal_pairs},
      {"pair-predictions", files.pair_predictions},
      {"pair-scores", files.pair_scores}};
  std::vector<std::string> parts;
  for (const auto& [name, file] : named_files) {
    if (file.empty()) continue;
    constexpr size_t kDigits = 12;
    parts.push_back(std::string(name) + ":" + sha256_file(file).substr(0, kDigits));
  }
  return join(parts, "|");
}

}  // namespace rubric
