// rubric evaluate r4c: scores derivations by reference derivations.
#include "cli/evaluate/r4c.h"

#include <string>
#include <vector>

#include "cli/evaluate/suites.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "eval/r4c/r4c.h"
#include "eval/report/report.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax r4c_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("gold", text("FILE")->required(), "the reference derivations")(
      "predictions", text("FILE")->required(), "the derivations to judge")(
      "hotpotqa", text("FILE"),
      "the questions in HotpotQA's form: also judges answers and supporting facts, and checks that "
      "titles and sentences exist")("ignore-missing",
                                    "leaves out questions without a prediction, else an error")(
      "max-references", po::value<int64_t>()->default_value(0)->value_name("N"),
      "judge by so many references, drawn for each question; 0: by all")(
      "seed", po::value<int64_t>()->default_value(0)->value_name("N"), "seed of the draw")(
      "per-question", text("FILE"),
      "also write every question's scores and alignment, as JSON lines")(
      "explain", text("ID"),
      "also print the scores and the alignment of this question, which --format csv cannot hold")(
      "report", text("FILE"), "also write the tables as one HTML page");
  add_format_option(syntax, /*several=*/true);
  syntax.inputs = {"gold", "predictions", "hotpotqa"};
  syntax.outputs = {"per-question", "report"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

struct R4cCommand {
  eval::R4cRequest request;
  std::string per_question, report;
  Formats formats;
};

R4cCommand r4c_command(const OptionValues& values) {
  constexpr int64_t kMostReferences = 1000;
  R4cCommand command;
  eval::R4cRequest& request = command.request;
  request.gold = file_option(values, "gold");
  request.predictions = file_option(values, "predictions");
  request.hotpotqa = file_option(values, "hotpotqa");
  request.options.ignore_missing = values.contains("ignore-missing");
  request.options.references = integer_option(values, "max-references", 0, kMostReferences);
  request.options.seed = static_cast<uint64_t>(integer_option(values, "seed", 0, INT64_MAX));
  if (values.contains("seed") && !values["seed"].defaulted() && request.options.references == 0) {
    throw InputError("--seed is only valid with --max-references", "command line",
                     "add --max-references N, or leave --seed out");
  }
  request.explain = text_option(values, "explain");
  if (values.contains("explain") && request.explain.empty()) {
    throw InputError("--explain is empty", "command line", "name a question's id");
  }
  const std::vector<std::string> inputs = {request.gold, request.predictions, request.hotpotqa};
  command.per_question = output_option(values, "per-question");
  check_replaces_none("per-question", command.per_question, inputs);
  command.report = output_option(values, "report");
  check_replaces_none("report", command.report,
                      {request.gold, request.predictions, request.hotpotqa, command.per_question});
  command.formats = formats_option(values);
  if (!request.explain.empty()) {
    require_place_for_records("--explain", command.formats, command.report);
  }
  return command;
}

}  // namespace

int run_evaluate_r4c(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(r4c_syntax(), arguments);
  if (!values) return kDone;
  const R4cCommand command = r4c_command(*values);
  const eval::R4cEvaluation evaluation = eval::evaluate_r4c_files(command.request);
  const Result result = eval::r4c_result(evaluation, command.request);
  if (!command.per_question.empty()) {
    std::string lines;
    for (const eval::R4cQuestion& question : evaluation.questions) {
      lines += eval::to_json(question).dump() + "\n";
    }
    write_file(command.per_question, lines);
  }
  write_result(result, "", command.report, eval::shell_command("rubric evaluate r4c", arguments),
               command.formats);
  return kDone;
}

}  // namespace rubric::cli
