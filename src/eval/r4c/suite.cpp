#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/random.h"
#include "eval/r4c/r4c.h"
#include "eval/signature.h"

namespace rubric::eval {
namespace {

PrecisionRecallF1& operator+=(PrecisionRecallF1& sum, const metrics::DerivationScore& score) {
  sum.precision += score.precision;
  sum.recall += score.recall;
  sum.f1 += score.f1;
  return sum;
}

void divide(R4cMeans& sums, size_t count) {
  for (PrecisionRecallF1& sum : sums) {
    for (double* const part : {&sum.precision, &sum.recall, &sum.f1}) {
      *part /= static_cast<double>(count);
    }
  }
}

// The scores by those references that the question is judged by. Which they are depends on its id
// and the seed alone.
std::vector<metrics::DerivationScores> drawn(
    const std::vector<metrics::DerivationScores>& by_reference, const std::string& id,
    const R4cOptions& options) {
  if (options.references == 0) return by_reference;
  const auto size = static_cast<int64_t>(by_reference.size());
  if (options.references > size) {
    throw InputError("the question has " + std::to_string(size) + " references, not " +
                         std::to_string(options.references),
                     json_quote(id), "ask for fewer with --max-references");
  }
  std::vector<int64_t> chosen =
      permutation(size, options.seed.value_or(0), Purpose::references, sha256_bits(id));
  chosen.resize(static_cast<size_t>(options.references));
  std::sort(chosen.begin(), chosen.end());
  std::vector<metrics::DerivationScores> scores;
  for (const int64_t i : chosen) scores.push_back(by_reference[static_cast<size_t>(i)]);
  return scores;
}

// The scorer's scores by decreasing sum; equal ones (see is_larger) by reference.
std::vector<const metrics::DerivationScore*> best_first(
    const std::vector<metrics::DerivationScores>& by_reference, size_t scorer) {
  std::vector<const metrics::DerivationScore*> sorted;
  for (const metrics::DerivationScores& scores : by_reference) sorted.push_back(&scores[scorer]);
  std::ranges::sort(sorted, [](const auto* a, const auto* b) { return a->sum > b->sum; });
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::find_if(begin, sorted.end(), [&](const auto* score) {
      return metrics::is_larger((*begin)->sum, score->sum);
    });
    std::sort(begin, end, [](const auto* a, const auto* b) { return a->reference < b->reference; });
    begin = end;
  }
  return sorted;
}

// Adds, for every n, the scorer's mean over all choices of n references. Sorted by their sums,
// reference i of N is the best in C(N-1-i, n-1) of the C(N, n) choices.
void add_choices(const std::vector<metrics::DerivationScores>& by_reference, size_t scorer,
                 std::vector<R4cMeans>& sums) {
  const std::vector<const metrics::DerivationScore*> sorted = best_first(by_reference, scorer);
  const size_t count = sorted.size();
  for (size_t n = 1; n <= sums.size(); ++n) {
    double share =
        static_cast<double>(n) / static_cast<double>(count);  // of choices whose best is i = 0
    for (size_t i = 0; i + n <= count; ++i) {
      PrecisionRecallF1& sum = sums[n - 1][scorer];
      sum.precision += share * sorted[i]->precision;
      sum.recall += share * sorted[i]->recall;
      sum.f1 += share * sorted[i]->f1;
      if (i + n < count) {
        share *= static_cast<double>(count - i - n) / static_cast<double>(count - 1 - i);
      }
    }
  }
}

std::string place_of(const data::R4cPredictions& predictions, const std::string& id) {
  return predictions.file.string() + ": " + json_quote(id);
}

// Throws when the question does not have an article or sentence that the prediction names.
void check_sentence(const data::HotpotQuestion& question, const std::string& title,
                    int64_t sentence, const std::string& place) {
  const auto article =
      std::find_if(question.articles.begin(), question.articles.end(),
                   [&](const data::Article& candidate) { return candidate.title == title; });
  if (article == question.articles.end()) {
    throw InputError("the question has no article " + json_quote(title), place,
                     "name one of its articles in the HotpotQA file");
  }
  if (sentence >= static_cast<int64_t>(article->sentences.size())) {
    throw InputError("the article " + json_quote(title) + " has no sentence " +
                         std::to_string(sentence) + ", it has " +
                         std::to_string(article->sentences.size()),
                     place, "sentences are numbered from 0");
  }
}

void add(metrics::HotpotScore& sum, const metrics::HotpotScore& score) {
  sum.exact_match += score.exact_match;
  sum.f1 += score.f1;
  sum.precision += score.precision;
  sum.recall += score.recall;
}

void divide(metrics::HotpotScore& sum, double count) {
  for (double* const part : {&sum.exact_match, &sum.f1, &sum.precision, &sum.recall}) {
    *part /= count;
  }
}

// A missing part scores 0.
HotpotScores hotpot_scores(const data::HotpotQuestion& question,
                           const data::R4cPredictions& predictions, HotpotMeans& counts) {
  const auto answer = predictions.answers.find(question.id);
  const auto facts = predictions.supporting_facts.find(question.id);
  const bool has_answer = answer != predictions.answers.end();
  const bool has_facts = facts != predictions.supporting_facts.end();
  counts.without_answer += has_answer ? 0 : 1;
  counts.without_facts += has_facts ? 0 : 1;
  HotpotScores scores;
  if (has_answer) scores.answer = metrics::score_hotpot_answer(question.answer, answer->second);
  if (!has_facts) return scores;
  size_t number = 0;
  for (const data::SupportingFact& fact : facts->second) {
    ++number;
    // Some of HotpotQA's own facts name sentences that do not exist.
    if (std::ranges::find(question.supporting_facts, fact) != question.supporting_facts.end()) {
      continue;
    }
    check_sentence(
        question, fact.title, fact.sentence,
        place_of(predictions, question.id) + ", supporting fact " + std::to_string(number));
  }
  scores.supporting_facts =
      metrics::score_supporting_facts(question.supporting_facts, facts->second);
  if (has_answer) scores.joint = metrics::joint_score(scores.answer, scores.supporting_facts);
  return scores;
}

// Adds its scores to every question.
HotpotMeans evaluate_hotpotqa(std::vector<R4cQuestion>& questions,
                              const data::R4cPredictions& predictions,
                              const std::vector<data::HotpotQuestion>& hotpotqa) {
  std::unordered_map<std::string, const data::HotpotQuestion*> by_id;
  for (const data::HotpotQuestion& question : hotpotqa) by_id.emplace(question.id, &question);
  HotpotMeans means;
  for (R4cQuestion& judged : questions) {
    const auto found = by_id.find(judged.id);
    if (found == by_id.end()) {
      throw InputError("the HotpotQA file lacks a question that has references",
                       json_quote(judged.id), "give the HotpotQA file that R4C was drawn from");
    }
    size_t number = 0;
    for (const data::DerivationStep& step : judged.candidate) {
      check_sentence(*found->second, step.title, step.sentence,
                     place_of(predictions, judged.id) + ", step " + std::to_string(++number));
    }
    judged.hotpotqa = hotpot_scores(*found->second, predictions, means);
    add(means.answer, judged.hotpotqa->answer);
    add(means.supporting_facts, judged.hotpotqa->supporting_facts);
    add(means.joint, judged.hotpotqa->joint);
  }
  const auto count = static_cast<double>(questions.size());
  for (metrics::HotpotScore* const score : {&means.answer, &means.supporting_facts, &means.joint}) {
    divide(*score, count);
  }
  return means;
}

// Counts missing and extra predictions, and throws if missing ones are not allowed.
void check_ids(std::span<const data::DerivationQuestion> gold,
               const data::R4cPredictions& predictions, const R4cOptions& options,
               R4cEvaluation& evaluation) {
  std::vector<std::string> missing;
  for (const data::DerivationQuestion& question : gold) {
    if (!predictions.derivations.contains(question.id)) missing.push_back(question.id);
  }
  evaluation.missing = static_cast<int64_t>(missing.size());
  const size_t found = gold.size() - missing.size();
  evaluation.extra = static_cast<int64_t>(predictions.derivations.size() - found);
  if (found == 0) {
    throw InputError("no prediction belongs to a question that has references",
                     predictions.file.string(), "give files of the same split");
  }
  if (missing.empty() || options.ignore_missing) return;
  for (std::string& id : missing) id = json_quote(id);
  throw InputError("questions without a prediction: " + std::to_string(missing.size()),
                   predictions.file.string() + " lacks " + join_some(missing),
                   "predict them, an empty list at least; or leave them out by --ignore-missing");
}

std::string r4c_signature(const R4cRequest& request) {
  const R4cOptions& options = request.options;
  Signature signature("r4c");
  signature.file("gold", request.gold)
      .file("predictions", request.predictions)
      .file("hotpotqa", request.hotpotqa);
  if (options.references == 0) {
    signature.add("references", "all");
  } else {
    signature.add("references", options.references)
        .add("seed", std::to_string(options.seed.value_or(0)));
  }
  return signature.add("missing", options.ignore_missing ? "ignored" : "").end();
}

}  // namespace

R4cEvaluation evaluate_r4c(std::span<const data::DerivationQuestion> gold,
                           const data::R4cPredictions& predictions,
                           const std::vector<data::HotpotQuestion>* hotpotqa,
                           const R4cOptions& options) {
  R4cEvaluation evaluation;
  check_ids(gold, predictions, options, evaluation);
  constexpr size_t kMostRows = 10;
  size_t most = kMostRows;
  for (const data::DerivationQuestion& question : gold) {
    if (predictions.derivations.contains(question.id)) {
      most = std::min(most, question.references.size());
    }
  }
  evaluation.by_references.resize(most);
  for (const data::DerivationQuestion& judged : gold) {
    const auto predicted = predictions.derivations.find(judged.id);
    if (predicted == predictions.derivations.end()) continue;
    R4cQuestion question{judged.id, predicted->second, judged.references, {}, {}};
    const std::vector<metrics::DerivationScores> all =
        metrics::score_derivation(question.candidate, question.references);
    for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
      add_choices(all, scorer, evaluation.by_references);
    }
    question.scores = metrics::best_reference(drawn(all, judged.id, options));
    for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
      evaluation.means[scorer] += question.scores[scorer];
    }
    evaluation.questions.push_back(std::move(question));
  }
  divide(evaluation.means, evaluation.questions.size());
  for (R4cMeans& means : evaluation.by_references) divide(means, evaluation.questions.size());
  if (hotpotqa != nullptr) {
    evaluation.hotpotqa = evaluate_hotpotqa(evaluation.questions, predictions, *hotpotqa);
  }
  return evaluation;
}

R4cEvaluation evaluate_r4c_files(const R4cRequest& request) {
  if (request.options.seed && request.options.references == 0) {
    throw InputError("--seed is only valid with --max-references", "",
                     "add --max-references N, or leave --seed out");
  }
  std::vector<data::HotpotQuestion> hotpotqa;
  if (!request.hotpotqa.empty()) hotpotqa = data::read_hotpotqa(request.hotpotqa);
  const std::vector<data::DerivationQuestion> gold = data::read_r4c(request.gold);
  const data::R4cPredictions predictions = data::read_r4c_predictions(request.predictions);
  R4cEvaluation evaluation = evaluate_r4c(
      gold, predictions, request.hotpotqa.empty() ? nullptr : &hotpotqa, request.options);
  evaluation.signature = r4c_signature(request);
  return evaluation;
}

}  // namespace rubric::eval
