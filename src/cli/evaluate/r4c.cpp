// rubric evaluate r4c: scores derivations by reference derivations.
#include "cli/evaluate/r4c.h"

#include <filesystem>
#include <iostream>

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "eval/r4c/output.h"
#include "eval/r4c/suite.h"
#include "eval/report/report.h"
#include "rubric/version.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax r4c_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate r4c --gold FILE --predictions FILE [options]\n"
      "\n"
      "Derivations judged by reference derivations: precision, recall and F1 of the\n"
      "best alignment with the best reference, by entities, relations and both (R4C,\n"
      "Inoue et al. 2020). The gold file is R4C's, the predictions are HotpotQA's with\n"
      "\"re\": {ID: [[title, sentence, [head, relation, tail]], …]}; \"answer\" and \"sp\"\n"
      "may be missing. --format json has the keys of the official script.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("gold", text("FILE")->required(), "the reference derivations")(
      "predictions", text("FILE")->required(), "the derivations to judge")(
      "hotpotqa", text("FILE"),
      "the questions in HotpotQA's form: also judges answers and supporting facts, and checks that "
      "titles and sentences exist")("ignore-missing",
                                    "leaves out questions without a prediction, else an error")(
      "max-references", po::value<int64_t>()->default_value(0)->value_name("N"),
      "judge by so many references, drawn for each question; 0: by all")(
      "seed", po::value<int64_t>()->default_value(0)->value_name("N"), "of the draw")(
      "per-question", text("FILE"),
      "also write every question's scores and alignment, as JSON lines")(
      "explain", text("ID"), "print the alignment of this question alone")(
      "report", text("FILE"), "also write the tables as one HTML page");
  add_format_option(syntax);
  syntax.inputs = {"gold", "predictions", "hotpotqa"};
  syntax.outputs = {"per-question", "report"};
  syntax.prints_results = true;
  syntax.renamed = {{"references", "max-references"}};
  return syntax;
}

namespace {

struct R4cRequest {
  std::string gold, predictions, hotpotqa, per_question, explain, report, command;
  eval::R4cOptions options;
  eval::OutputFormat format;
};

R4cRequest r4c_request(const OptionValues& values) {
  constexpr int64_t kMostReferences = 1000;
  R4cRequest request;
  request.gold = file_option(values, "gold");
  request.predictions = file_option(values, "predictions");
  request.hotpotqa = file_option(values, "hotpotqa");
  request.options.ignore_missing = values.contains("ignore-missing");
  request.options.references = integer_option(values, "max-references", 0, kMostReferences);
  request.options.seed = static_cast<uint64_t>(integer_option(values, "seed", 0, INT64_MAX));
  if (values.contains("seed") && !values["seed"].defaulted() && request.options.references == 0) {
    throw InputError("--seed is of --max-references, which is not given", "command line",
                     "add --max-references N, or leave --seed out");
  }
  request.explain = text_option(values, "explain");
  if (values.contains("explain") && request.explain.empty()) {
    throw InputError("--explain is empty", "command line", "name a question's id");
  }
  const std::vector<std::string> inputs = {request.gold, request.predictions, request.hotpotqa};
  request.per_question = output_option(values, "per-question");
  check_replaces_none("per-question", request.per_question, inputs);
  request.report = output_option(values, "report");
  check_replaces_none("report", request.report,
                      {request.gold, request.predictions, request.hotpotqa, request.per_question});
  request.format = format_option(values);
  return request;
}

std::string r4c_signature(const R4cRequest& request) {
  std::string signature = "r4c|gold:" + short_sha256_file(request.gold) +
                          "|predictions:" + short_sha256_file(request.predictions);
  if (!request.hotpotqa.empty()) signature += "|hotpotqa:" + short_sha256_file(request.hotpotqa);
  signature += "|references:" + (request.options.references == 0
                                     ? "all"
                                     : std::to_string(request.options.references) +
                                           "|seed:" + std::to_string(request.options.seed));
  if (request.options.ignore_missing) signature += "|missing:ignored";
  return signature + "|rubric:" + version_with_build();
}

const eval::R4cQuestion& find_question(const eval::R4cEvaluation& evaluation,
                                       const std::string& id) {
  for (const eval::R4cQuestion& question : evaluation.questions) {
    if (question.id == id) return question;
  }
  throw InputError("no question that was judged has the id " + json_quote(id), "--explain",
                   "name one of the gold file that has a prediction");
}

void print_r4c(const eval::R4cEvaluation& evaluation, const R4cRequest& request,
               const std::vector<eval::Table>& tables) {
  if (!request.explain.empty()) {
    const eval::R4cQuestion& question = find_question(evaluation, request.explain);
    if (request.format == eval::OutputFormat::json) {
      std::cout << eval::to_json(question).dump(2) << "\n";
    } else if (request.format == eval::OutputFormat::csv) {
      std::cout << eval::print_table(eval::alignment_value_table(question), request.format);
    } else {
      std::cout << eval::print_tables(eval::alignment_tables(question), request.format);
    }
  } else if (request.format == eval::OutputFormat::json) {
    std::cout << eval::to_json(evaluation).dump(2) << "\n";
  } else if (request.format == eval::OutputFormat::csv) {
    for (const std::string& note : eval::r4c_notes(evaluation)) log_info(note);
    std::cout << eval::print_table(eval::r4c_value_table(evaluation), request.format);
  } else {
    std::cout << eval::print_tables(tables, request.format);
  }
}

void write_r4c_report(const R4cRequest& request, const eval::R4cEvaluation& evaluation,
                      const std::vector<eval::Table>& tables) {
  eval::Report report{"Derivations judged by references",
                      {"References: " + request.gold + ", derivations: " + request.predictions},
                      tables,
                      {},
                      {evaluation.signature},
                      request.command,
                      {"rubric " + version_with_build()}};
  if (!request.explain.empty()) {
    const eval::R4cQuestion& question = find_question(evaluation, request.explain);
    for (eval::Table& table : eval::alignment_tables(question))
      report.tables.push_back(std::move(table));
    for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
      report.plots.push_back(eval::alignment_plot(question, scorer));
    }
  }
  write_file(request.report, eval::to_html(report));
}

}  // namespace

int run_evaluate_r4c(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(r4c_syntax(), arguments);
  if (!values) return kDone;
  R4cRequest request = r4c_request(*values);
  request.command = eval::shell_command("rubric evaluate r4c", arguments);
  std::vector<data::HotpotQuestion> hotpotqa;
  if (!request.hotpotqa.empty()) hotpotqa = data::read_hotpotqa(request.hotpotqa);
  const std::vector<data::DerivationQuestion> gold = data::read_r4c(request.gold);
  const data::R4cPredictions predictions = data::read_r4c_predictions(request.predictions);
  eval::R4cEvaluation evaluation = eval::evaluate_r4c(
      gold, predictions, request.hotpotqa.empty() ? nullptr : &hotpotqa, request.options);
  if (!request.explain.empty()) find_question(evaluation, request.explain);  // before any output
  evaluation.signature = r4c_signature(request);
  log_info(evaluation.signature);
  std::vector<eval::Table> tables =
      eval::r4c_tables(evaluation, std::filesystem::path(request.predictions).stem().string());
  if (!request.per_question.empty()) {
    std::string lines;
    for (const eval::R4cQuestion& question : evaluation.questions)
      lines += eval::to_json(question).dump() + "\n";
    write_file(request.per_question, lines);
  }
  if (!request.report.empty()) write_r4c_report(request, evaluation, tables);
  print_r4c(evaluation, request, tables);
  return kDone;
}

}  // namespace rubric::cli
