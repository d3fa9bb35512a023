#include <algorithm>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "eval/chie/chie.h"
#include "eval/resampling.h"
#include "rubric/version.h"

namespace rubric::eval {
namespace {

// The judge's name, with the ledger if several have the same judge (with different prompts, say).
std::string judge_name(std::span<const judge::Ledger> ledgers, size_t which,
                       const ChieRequest& request) {
  const auto judge = [](const judge::Ledger& ledger) { return ledger.entries.front().judge; };
  const std::string name = judge(ledgers[which]);
  return std::ranges::count(ledgers, name, judge) == 1 ? name
                                                       : name + " (" + request.ledgers[which] + ")";
}

}  // namespace

ChieResults evaluate_ledgers(std::span<const judge::Ledger> ledgers, const ChieRequest& request) {
  std::vector<ChieEvaluation> evaluations;
  for (size_t i = 0; i < ledgers.size(); ++i) {
    evaluations.push_back(evaluate_chie(ledgers[i].entries, request.language, request.ledgers[i]));
  }
  ChieAssessments assessments =
      assessments_of(evaluations.front(), judge_name(ledgers, 0, request));
  for (size_t i = 1; i < ledgers.size(); ++i) {
    add_judge(assessments, evaluations[i], judge_name(ledgers, i, request), request.ledgers[i]);
  }
  if (!request.labels.empty()) {
    add_humans(assessments, read_human_labels(request.labels), request.annotators);
    const size_t annotators = assessments.majority->annotators.size();
    if (annotators % 2 == 0) {
      log_warning("the number of annotators is even (" + std::to_string(annotators) +
                  "): where they are divided there is no majority");
    }
  }
  ChieResults results;
  for (const ChieEvaluation& evaluation : evaluations) {
    results.parsers.insert(evaluation.parsers.begin(), evaluation.parsers.end());
  }
  results.evaluation = std::move(evaluations.front());
  std::vector<ChieSystem>& systems = results.evaluation.systems;
  if (!request.scores.empty()) add_bertscores(systems, request.scores);
  results.words = measure_words(systems);
  if (!request.scores.empty()) {
    results.terciles = bertscore_terciles(
        systems, results.words,
        assessments.majority ? assessments.majority->rater : assessments.judges.front());
  }
  if (request.compares()) {
    results.agreements = evaluate_agreements(std::move(assessments), request.bootstrap);
  }
  return results;
}

std::string chie_signature(std::span<const judge::Ledger> ledgers, const ChieResults& results,
                           const ChieRequest& request) {
  constexpr size_t kShown = 12;
  std::string signature = "chie|" + judge::ledger_signature(ledgers.front()) +
                          "|parser:" + join({results.parsers.begin(), results.parsers.end()}, ",") +
                          "|words:" + join(results.words.segmenters, ",");
  if (!request.language.empty()) signature += "|language:" + signature_text(request.language);
  if (!request.scores.empty()) signature += "|scores:" + short_sha256_file(request.scores);
  if (!request.labels.empty()) {
    signature += "|labels:" + short_sha256_file(request.labels) +
                 "|humans:" + signature_texts(results.agreements->assessments.majority->annotators);
  }
  for (size_t i = 1; i < ledgers.size(); ++i) {
    signature += "|against:" + ledgers[i].sha256.substr(0, kShown);
  }
  return signature + (request.compares() ? signature_end(request.bootstrap)
                                         : "|rubric:" + version_with_build());
}

}  // namespace rubric::eval
