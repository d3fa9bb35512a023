// rubric evaluate chie: systems by CHIE's four aspects.
#include "cli/evaluate/chie.h"

#include <string>
#include <vector>

#include "cli/evaluate/suites.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "eval/chie/chie.h"
#include "eval/report/report.h"
#include "judge/ledger/ledger.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax chie_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto list = [](const char* name) {
    return po::value<std::vector<std::string>>()->value_name(name);
  };
  add_ledger_options(syntax);
  add_parser_option(syntax);
  syntax.options.add_options()("language", text("CODE"), "only the answers in this language")(
      "scores", text("FILE"), "the ledger scored by `score bertscore`: BERTScore, too")(
      "human-file", text("FILE"),
      "rows (.jsonl, .csv, .tsv), one for each annotator and answer: id, system, annotator, "
      "C, H, I, E")("annotator", list("NAME"),
                    "an annotator whose majority is the reference, or several: 1,2,3; may be "
                    "repeated; all when left out")(
      "other-ledger", list("FILE"),
      "another judge's ledger on the same answers, of one judge and prompt, or several: "
      "B.jsonl,C.jsonl; may be repeated")("summary", text("FILE"),
                                          "also write the results as JSON")(
      "report", text("FILE"), "also write the tables as one HTML page");
  add_bootstrap_options(syntax);
  add_format_option(syntax, /*several=*/true);
  syntax.inputs = {"ledger", "scores", "human-file"};
  syntax.input_lists = {"other-ledger"};
  syntax.outputs = {"summary", "report"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

struct ChieCommand {
  eval::ChieRequest request;
  JudgeChoice choice;  // of the first ledger
  std::string summary, report;
  Formats formats;
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

ChieCommand chie_command(const OptionValues& values) {
  ChieCommand command;
  eval::ChieRequest& request = command.request;
  request.ledgers = ledger_options(values);
  command.choice = ledger_choice_option(values);
  request.language = text_option(values, "language");
  request.scores = file_option(values, "scores");
  request.labels = file_option(values, "human-file");
  if (values.contains("annotator")) {
    if (request.labels.empty()) {
      throw InputError("--annotator without --human-file", "command line",
                       "name the file of the annotators' labels");
    }
    request.annotators = names_option(values, "annotator");
    require_distinct("annotator", request.annotators);
  }
  std::vector<std::string> inputs = request.ledgers;
  inputs.insert(inputs.end(), {request.scores, request.labels});
  command.summary = output_option(values, "summary");
  check_replaces_none("summary", command.summary, inputs);
  inputs.push_back(command.summary);
  command.report = output_option(values, "report");
  check_replaces_none("report", command.report, inputs);
  request.bootstrap = bootstrap_options(values);
  command.formats = formats_option(values);
  return command;
}

}  // namespace

int run_evaluate_chie(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(chie_syntax(), arguments);
  if (!values) return kDone;
  const ChieCommand command = chie_command(*values);
  const eval::ChieRequest& request = command.request;
  std::vector<judge::Ledger> ledgers;
  for (const std::string& file : request.ledgers) {
    // Each ledger of --other-ledger has a single judge: of the choice, only the parser applies.
    ledgers.push_back(judge::read_chosen_ledger(
        file, ledgers.empty() ? command.choice : JudgeChoice{.parser = command.choice.parser}));
  }
  const eval::ChieResults results = eval::evaluate_ledgers(ledgers, request);
  Result result = eval::chie_result(results);
  result.signature = eval::chie_signature(ledgers, results, request);
  result.inputs = request.ledgers;
  for (const std::string& file : {request.scores, request.labels}) {
    if (!file.empty()) result.inputs.push_back(file);
  }
  write_result(result, command.summary, command.report,
               eval::shell_command("rubric evaluate chie", arguments), command.formats);
  return kDone;
}

}  // namespace rubric::cli
