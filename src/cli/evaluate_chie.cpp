// rubric evaluate chie: systems by the four aspects of CHIE.
#include <iostream>

#include "cli/evaluate_suites.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/version.h"
#include "eval/chie_scores.h"
#include "eval/chie_suite.h"
#include "eval/chie_tables.h"
#include "eval/chie_words.h"
#include "eval/report.h"
#include "judge/ledger.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate chie --ledger FILE [options]\n"
      "\n"
      "Systems by a judge's verdicts on correctness, helpfulness, irrelevancy and extraneousness\n"
      "(CHIE, Phatthiyaphaibun et al. 2024), from a ledger that `rubric judge` wrote, with F1,\n"
      "exact match and the mean length of answers. The replies are read again, as the paper's "
      "code\n"
      "reads them or by the strict parser, which wants a verdict below each number; replies that\n"
      "the two read differently are listed. --format csv prints a figure a row.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("ledger", text("FILE")->required(), "the judge's replies")(
      "language", text("CODE"), "only the answers in this language")(
      "scores", text("FILE"), "the ledger scored by `score bertscore`: BERTScore, too")(
      "parser", text("NAME")->default_value("published"),
      "what reads verdicts in replies: published, strict")("summary", text("FILE"),
                                                           "also write the figures as JSON")(
      "report", text("FILE"), "also write the tables as one HTML page");
  add_format_option(syntax);
  return syntax;
}

VerdictParser parser_option(const OptionValues& values) {
  const std::string name = text_option(values, "parser");
  if (name == "published") return VerdictParser::published;
  if (name == "strict") return VerdictParser::strict;
  throw unknown_name("parser", name, {"published", "strict"}, "--parser");
}

std::string signature_of(const std::string& file, const LedgerEntry& first,
                         const ChieWordFigures& words, const OptionValues& values) {
  constexpr size_t kShown = 12;
  std::string signature =
      "chie|ledger:" + short_sha256_file(file) + "|judge:" + first.judge +
      "|prompt:" + (first.prompt_hash.empty() ? "unknown" : first.prompt_hash.substr(0, kShown)) +
      "|parser:" + text_option(values, "parser") + "|words:" + join(words.segmenters, ",");
  const std::string language = text_option(values, "language");
  if (!language.empty()) signature += "|language:" + language;
  const std::string scores = text_option(values, "scores");
  if (!scores.empty()) signature += "|scores:" + short_sha256_file(scores);
  return signature + "|rubric:" + kVersion;
}

}  // namespace

int run_evaluate_chie(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  const std::string file = file_option(*values, "ledger");
  const VerdictParser parser = parser_option(*values);
  const std::string scores = file_option(*values, "scores");
  const std::string summary = output_option(*values, "summary");
  check_replaces_none("summary", summary, {file, scores});
  const std::string report = output_option(*values, "report");
  check_replaces_none("report", report, {file, scores, summary});
  const OutputFormat format = format_option(*values);

  const Ledger ledger = read_ledger(file);
  if (ledger.torn_bytes > 0) {
    log_warning(file + ": the last line is torn and left out (" +
                std::to_string(ledger.torn_bytes) + " bytes)");
  }
  ChieEvaluation evaluation =
      evaluate_chie(ledger.entries, text_option(*values, "language"), parser, file);
  if (!scores.empty()) add_bertscores(evaluation.systems, scores);
  const ChieWordFigures words = measure_words(evaluation.systems);
  const std::string signature = signature_of(file, ledger.entries.front(), words, *values);
  log_info(signature);
  Json json = to_json(evaluation, words);
  json["signature"] = signature;
  const std::vector<Table> tables = chie_tables(evaluation, words);
  if (!summary.empty()) write_file(summary, json.dump(2) + "\n");
  if (!report.empty()) {
    const Report page{"Answers by a judge's verdicts (CHIE)",
                      {},
                      tables,
                      {},
                      {signature},
                      shell_command("rubric evaluate chie", arguments),
                      {std::string("rubric ") + kVersion}};
    write_file(report, to_html(page));
  }
  if (format == OutputFormat::json) {
    std::cout << json.dump(2) << "\n";
  } else if (format == OutputFormat::csv) {
    for (const std::string& note : chie_notes(evaluation, words)) log_info(note);
    std::cout << print_table(chie_figure_list(evaluation, words), format);
  } else {
    std::cout << print_tables(tables, format);
  }
  return kDone;
}

}  // namespace rubric
