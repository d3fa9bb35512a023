// rubric choose --input FILE --budget N --output FILE: which answers people should label.
#include "cli/estimate/choose.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/system/log.h"
#include "eval/report/report.h"
#include "library/choose.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax choose_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric choose --input FILE --budget N --output FILE [options]\n\n"
      "Draws the answers that people should label. --output is a sheet to fill in: *.csv, or "
      "*.html\n"
      "for a browser, which saves it as CSV. The sheet's last columns say how each row was drawn;\n"
      "the `rubric estimate` command that reads them is printed.\n"
      "--method random draws all alike and needs no scores; score draws from up to five strata of\n"
      "a metric's scores, more from those where labels so far vary more about the metric (Neyman\n"
      "allocation); disagreement draws more where metrics disagree. With --system all answers to "
      "a\n"
      "question are drawn together. With --labels, an earlier sheet, the new sheet has its rows "
      "and\n"
      "new ones up to the budget. --human names the column to fill in: verdict by default here, "
      "and\n"
      "score by default in `estimate` and `plan`, which must be told --human verdict.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("input,i", text("FILE"), "the scored rows of all answers")(
      "budget", po::value<int64_t>()->default_value(100)->value_name("N"),
      "rows of the sheet, with those of an earlier one; about so many with --system")(
      "method", text("NAME")->default_value("random"), "random, score or disagreement")(
      "labels", text("FILE"), "an earlier sheet, filled in or in part")(
      "human", text("FIELD")->default_value("verdict"), "the field of the human label")(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME"),
      "the metrics, such as lerc,f1; may be repeated; without it all")(
      "system", text("FIELD"), "the field that names the system of a row; else all are of one")(
      "seed", po::value<int64_t>()->default_value(0)->value_name("N"),
      "another one, other answers")("output,o", text("FILE"), "the sheet");
  add_input_format_option(syntax);
  add_field_option(syntax);
  add_format_option(syntax);
  syntax.inputs = {"input", "labels"};
  syntax.outputs = {"output"};
  return syntax;
}

namespace {

ChooseMethod method_option(const OptionValues& values) {
  const std::string given = text_option(values, "method");
  const std::vector<std::string> names(std::begin(kChooseMethods), std::end(kChooseMethods));
  const auto found = std::ranges::find(names, given);
  if (found != names.end()) return static_cast<ChooseMethod>(found - names.begin());
  throw unknown_name("method", given, names, "--method");
}

// The command that reads the sheet when it is filled in.
std::string next_command(const ChooseRequest& request, bool from_ledger) {
  std::filesystem::path sheet = request.output;
  std::vector<std::string> command = {from_ledger ? "--ledger" : "--all",
                                      request.input.string(),
                                      "--labels",
                                      sheet.replace_extension(".csv").string(),
                                      "--human",
                                      request.human};
  if (!request.system.empty()) command.insert(command.end(), {"--system", request.system});
  if (!request.metrics.empty() && !from_ledger) {
    command.insert(command.end(), {"--metric", join(request.metrics, ",")});
  }
  for (const auto& [field, name] : request.fields) {
    command.insert(command.end(), {"--field", field + "=" + name});
  }
  return eval::shell_command("rubric estimate", command);
}

}  // namespace

int run_choose(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(choose_syntax(), arguments);
  if (!values) return kDone;
  ChooseRequest request;
  request.input = file_option(*values, "input");
  constexpr int64_t kMost = 1'000'000'000;
  request.budget = integer_option(*values, "budget", 1, kMost);
  request.method = method_option(*values);
  request.labels = file_option(*values, "labels");
  request.human = text_option(*values, "human");
  request.metrics = names_option(*values, "metric");
  request.system = text_option(*values, "system");
  request.seed = static_cast<uint64_t>(integer_option(*values, "seed", 0, INT64_MAX));
  request.output = output_option(*values, "output");
  if (request.output.empty()) {
    throw InputError("no sheet is named", "command line", "name it: --output sheet.csv");
  }
  request.input_format = text_option(*values, "input-format");
  request.delimiter = delimiter_option(*values);
  request.fields = field_option(*values);
  const OutputFormat format = format_option(*values);
  const eval::Chosen chosen = library::choose_answers(request);
  print_result(eval::choose_result(chosen), {format});
  const bool is_random = request.method == ChooseMethod::random;
  log_info(std::string("when the sheet is filled in") +
           (is_random ? " and all answers have scores" : "") + ": " +
           next_command(request, chosen.is_of_ledger));
  return kDone;
}

}  // namespace rubric::cli
