// rubric evaluate chie: systems by CHIE's four aspects.
#include "cli/evaluate/chie.h"

#include <algorithm>
#include <utility>

#include "cli/evaluate/ledger_suites.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "eval/chie/output.h"
#include "eval/chie/suite.h"
#include "eval/report/report.h"
#include "judge/ledger/ledger.h"
#include "rubric/version.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax chie_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate chie --ledger FILE [options]\n"
      "\n"
      "Systems by a judge's verdicts on correctness, helpfulness, irrelevancy and extraneousness\n"
      "(CHIE, Phatthiyaphaibun et al. 2024), from a ledger that `rubric judge` wrote, with F1,\n"
      "exact match and the mean length of answers. The replies are read again, as the paper's "
      "code\n"
      "reads them or by the strict parser, which wants a verdict below each number; replies that\n"
      "the two read differently are listed. With scores, the answers in terciles by BERTScore;\n"
      "with human labels, how well judges and annotators agree with the majority; with other\n"
      "ledgers, how well the judges agree. --format csv prints a value a row.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto list = [](const char* name) {
    return po::value<std::vector<std::string>>()->value_name(name);
  };
  add_ledger_options(syntax);
  syntax.options.add_options()("language", text("CODE"), "only the answers in this language")(
      "scores", text("FILE"), "the ledger scored by `score bertscore`: BERTScore, too")(
      "human-file", text("FILE"),
      "rows (.jsonl, .csv, .tsv), one of each annotator for each answer: id, system, annotator, "
      "C, H, I, E")("annotator", list("NAME"),
                    "an annotator of the majority that is the truth, or several: 1,2,3; may be "
                    "repeated; all when left out")(
      "other-ledger", list("FILE"),
      "another judge's ledger on the same answers, of one judge and prompt, or several: "
      "B.jsonl,C.jsonl; may be repeated")("parser", text("NAME")->default_value("published"),
                                          "what reads verdicts in replies: published, strict")(
      "summary", text("FILE"), "also write the results as JSON")(
      "report", text("FILE"), "also write the tables as one HTML page");
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  syntax.inputs = {"ledger", "scores", "human-file"};
  syntax.input_lists = {"other-ledger"};
  syntax.outputs = {"summary", "report"};
  syntax.prints_results = true;
  syntax.renamed = {
      {"human-labels", "human-file"}, {"humans", "annotator"}, {"against", "other-ledger"}};
  return syntax;
}

namespace {

eval::VerdictParser parser_option(const OptionValues& values) {
  const std::string name = text_option(values, "parser");
  if (name == "published") return eval::VerdictParser::published;
  if (name == "strict") return eval::VerdictParser::strict;
  throw unknown_name("parser", name, {"published", "strict"}, "--parser");
}

struct ChieRequest {
  std::vector<std::string> ledgers;  // the evaluated one, then those of --other-ledger
  judge::LedgerChoice choice;        // of the first ledger
  std::string language, parser_name, scores, labels, summary, report;
  eval::VerdictParser parser;
  std::vector<std::string> humans;
  stats::BootstrapOptions bootstrap;
  eval::OutputFormat format;

  bool compares() const { return !labels.empty() || ledgers.size() > 1; }
};

std::vector<std::string> ledger_options(const OptionValues& values) {
  std::vector<std::string> ledgers = {file_option(values, "ledger")};
  for (const std::string& file : names_option(values, "other-ledger")) {
    for (const std::string& other : ledgers) {
      if (is_same_file(file, other)) {
        throw InputError("the ledger " + file + " is given twice", "--other-ledger",
                         "name ledgers of other judges");
      }
    }
    ledgers.push_back(file);
  }
  return ledgers;
}

ChieRequest chie_request(const OptionValues& values) {
  ChieRequest request;
  request.ledgers = ledger_options(values);
  request.choice = ledger_choice_option(values);
  request.language = text_option(values, "language");
  request.parser = parser_option(values);
  request.parser_name = text_option(values, "parser");
  request.scores = file_option(values, "scores");
  request.labels = file_option(values, "human-file");
  if (values.contains("annotator")) {
    if (request.labels.empty()) {
      throw InputError("--annotator without --human-file", "command line",
                       "name the file of the annotators' labels");
    }
    request.humans = names_option(values, "annotator");
    require_distinct("annotator", request.humans);
  }
  std::vector<std::string> inputs = request.ledgers;
  inputs.insert(inputs.end(), {request.scores, request.labels});
  request.summary = output_option(values, "summary");
  check_replaces_none("summary", request.summary, inputs);
  inputs.push_back(request.summary);
  request.report = output_option(values, "report");
  check_replaces_none("report", request.report, inputs);
  request.bootstrap = bootstrap_options(values);
  request.format = format_option(values);
  return request;
}

// The judge's name, with the ledger if several have the same judge (with different prompts, say).
std::string judge_name(const std::vector<judge::Ledger>& ledgers, size_t which,
                       const ChieRequest& request) {
  const auto judge = [](const judge::Ledger& ledger) { return ledger.entries.front().judge; };
  const std::string name = judge(ledgers[which]);
  return std::ranges::count(ledgers, name, judge) == 1 ? name
                                                       : name + " (" + request.ledgers[which] + ")";
}

eval::ChieResults evaluate_ledgers(const std::vector<judge::Ledger>& ledgers,
                                   const ChieRequest& request) {
  std::vector<eval::ChieEvaluation> evaluations;
  for (size_t i = 0; i < ledgers.size(); ++i) {
    evaluations.push_back(eval::evaluate_chie(ledgers[i].entries, request.language, request.parser,
                                              request.ledgers[i]));
  }
  eval::ChieAssessments assessments =
      eval::assessments_of(evaluations.front(), judge_name(ledgers, 0, request));
  for (size_t i = 1; i < ledgers.size(); ++i) {
    eval::add_judge(assessments, evaluations[i], judge_name(ledgers, i, request),
                    request.ledgers[i]);
  }
  if (!request.labels.empty()) {
    eval::add_humans(assessments, eval::read_human_labels(request.labels), request.humans);
    const size_t annotators = assessments.majority->annotators.size();
    if (annotators % 2 == 0) {
      log_warning("the majority is of " + std::to_string(annotators) +
                  " annotators, an even number: where they are divided there is none");
    }
  }
  eval::ChieResults results{std::move(evaluations.front()), {}};
  std::vector<eval::ChieSystem>& systems = results.evaluation.systems;
  if (!request.scores.empty()) eval::add_bertscores(systems, request.scores);
  results.words = eval::measure_words(systems);
  if (!request.scores.empty()) {
    results.terciles = eval::bertscore_terciles(
        systems, results.words,
        assessments.majority ? assessments.majority->assessor : assessments.judges.front());
  }
  if (request.compares()) {
    results.agreements = eval::evaluate_agreements(std::move(assessments), request.bootstrap);
  }
  return results;
}

std::string chie_signature(const std::vector<judge::Ledger>& ledgers,
                           const eval::ChieResults& results, const ChieRequest& request) {
  constexpr size_t kShown = 12;
  const judge::LedgerEntry& first = ledgers.front().entries.front();
  std::string signature =
      "chie|ledger:" + ledgers.front().sha256.substr(0, kShown) + "|judge:" + first.judge +
      "|prompt:" + (first.prompt_hash.empty() ? "unknown" : first.prompt_hash.substr(0, kShown)) +
      "|parser:" + request.parser_name + "|words:" + join(results.words.segmenters, ",");
  if (!request.language.empty()) signature += "|language:" + request.language;
  if (!request.scores.empty()) signature += "|scores:" + short_sha256_file(request.scores);
  if (!request.labels.empty()) {
    signature += "|labels:" + short_sha256_file(request.labels) +
                 "|humans:" + join(results.agreements->assessments.majority->annotators, ",");
  }
  for (size_t i = 1; i < ledgers.size(); ++i) {
    signature += "|against:" + ledgers[i].sha256.substr(0, kShown);
  }
  if (request.compares()) {
    signature += "|resamples:" + std::to_string(request.bootstrap.resamples) +
                 "|seed:" + std::to_string(request.bootstrap.seed);
  }
  return signature + "|rubric:" + version_with_build();
}

}  // namespace

int run_evaluate_chie(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(chie_syntax(), arguments);
  if (!values) return kDone;
  const ChieRequest request = chie_request(*values);
  std::vector<judge::Ledger> ledgers;
  for (const std::string& file : request.ledgers) {
    // The choice applies only to the evaluated ledger: each one of --other-ledger has a single
    // judge.
    ledgers.push_back(ledgers.empty() ? read_chosen_ledger(file, request.choice)
                                      : read_chosen_ledger(file));
  }
  const eval::ChieResults results = evaluate_ledgers(ledgers, request);
  const std::string signature = chie_signature(ledgers, results, request);
  write_suite(
      {"Answers by a judge's verdicts (CHIE)",
       eval::shell_command("rubric evaluate chie", arguments), signature, eval::to_json(results),
       eval::chie_tables(results), eval::chie_value_table(results), eval::chie_notes(results)},
      request.summary, request.report, request.format);
  return kDone;
}

}  // namespace rubric::cli
