#include <algorithm>
#include <set>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "eval/chie/chie.h"
#include "eval/signature.h"

namespace rubric::eval {
namespace {

// The judge's name, with the ledger if several have the same judge (with different prompts, say).
std::string judge_name(std::span<const judge::Ledger> ledgers, size_t which,
                       const std::vector<std::string>& files) {
  const auto judge = [](const judge::Ledger& ledger) { return ledger.entries.front().judge; };
  const std::string name = judge(ledgers[which]);
  return std::ranges::count(ledgers, name, judge) == 1 ? name : name + " (" + files[which] + ")";
}

// The evaluated one first.
std::vector<std::string> ledger_files(const ChieRequest& request) {
  std::vector<std::string> files = {request.ledger};
  files.insert(files.end(), request.other_ledgers.begin(), request.other_ledgers.end());
  return files;
}

void check_chie_request(const ChieRequest& request) {
  const std::vector<std::string> files = ledger_files(request);
  for (size_t a = 0; a < files.size(); ++a) {
    for (size_t b = a + 1; b < files.size(); ++b) {
      if (!is_same_file(files[a], files[b])) continue;
      throw InputError("the ledger " + files[b] + " is given twice", "--other-ledger",
                       "name ledgers of other judges");
    }
  }
  if (request.annotators.empty() || !request.labels.empty()) return;
  throw InputError("--annotator without --human-file", "",
                   "name the file of the annotators' labels");
}

}  // namespace

ChieResults evaluate_ledgers(std::span<const judge::Ledger> ledgers, const ChieRequest& request) {
  const std::vector<std::string> files = ledger_files(request);
  std::vector<ChieEvaluation> evaluations;
  for (size_t i = 0; i < ledgers.size(); ++i) {
    evaluations.push_back(evaluate_chie(ledgers[i].entries, request.language, files[i]));
  }
  ChieAssessments assessments = assessments_of(evaluations.front(), judge_name(ledgers, 0, files));
  for (size_t i = 1; i < ledgers.size(); ++i) {
    add_judge(assessments, evaluations[i], judge_name(ledgers, i, files), files[i]);
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
    const auto& majority = assessments.majority;
    results.terciles = bertscore_terciles(systems, results.words,
                                          majority ? majority->rater : assessments.judges.front(),
                                          majority ? kMajority : "");
  }
  if (request.compares()) {
    results.agreements = evaluate_agreements(assessments, request.bootstrap);
    results.assessments = std::move(assessments);
    results.bootstrap = request.bootstrap;
  }
  return results;
}

std::string chie_signature(std::span<const judge::Ledger> ledgers, const ChieResults& results,
                           const ChieRequest& request) {
  constexpr size_t kShown = 12;
  Signature signature("chie|" + judge::ledger_signature(ledgers.front()));
  signature.add("parser", join({results.parsers.begin(), results.parsers.end()}, ","))
      .add("words", join(results.words.segmenters, ","))
      .text("language", request.language)
      .file("scores", request.scores)
      .file("labels", request.labels);
  if (!request.labels.empty()) {
    signature.texts("humans", results.assessments->majority->annotators);
  }
  for (const judge::Ledger& other : ledgers.subspan(1)) {
    signature.add("against", other.sha256.substr(0, kShown));
  }
  return request.compares() ? signature.end(request.bootstrap) : signature.end();
}

Result evaluate_chie_files(const ChieRequest& request, const Context& context) {
  const ContextScope scope(context);
  check_chie_request(request);
  std::vector<judge::Ledger> ledgers;
  for (const std::string& file : ledger_files(request)) {
    // Each ledger of --other-ledger has a single judge: of the choice, only the parser applies.
    ledgers.push_back(judge::read_chosen_ledger(
        file, ledgers.empty() ? request.judge : JudgeChoice{.parser = request.judge.parser}));
  }
  const ChieResults results = evaluate_ledgers(ledgers, request);
  Result result = chie_result(results);
  result.signature = chie_signature(ledgers, results, request);
  result.inputs = ledger_files(request);
  for (const std::string& file : {request.scores, request.labels}) {
    if (!file.empty()) result.inputs.push_back(file);
  }
  return result;
}

}  // namespace rubric::eval
