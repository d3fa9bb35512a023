// rubric evaluate agreement: which of several metrics agrees best with human labels, on any rows.
#include "cli/evaluate/agreement.h"

#include <algorithm>

#include "cli/evaluate/suites.h"
#include "cli/shared/options.h"
#include "core/context.h"
#include "core/error.h"
#include "eval/report/report.h"
#include "rubric/agreement.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

// In the order of AgreementTest.
const std::vector<std::string> kTests = {"auto", "williams", "permutation"};

}  // namespace

CommandSyntax agreement_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate agreement --input FILE [options]\n\n"
      "Tells which metric agrees best with human labels. Prints each metric's correlation with "
      "the\n"
      "labels, with 95% bootstrap intervals, and a test between every two metrics, with Holm's\n"
      "correction. --group and --system add results by group and over systems. Rows with the same\n"
      "passage and question are resampled and exchanged together.\n"
      "Reads what `rubric score` writes (JSON lines, or MOCHA's JSON with \"scores\") and tables\n"
      "(CSV, TSV) with a column for each metric. A label is a number or a word: true or false, "
      "yes\n"
      "or no, right or wrong, correct or incorrect. A row without a label is an error, or "
      "with\n"
      "--missing drop left out and counted.\n"
      "Where there are only two labels it also prints ROC AUC, accuracy, F1 and calibration "
      "error.\n"
      "Accuracy and F1 need a threshold on the metric. Without --dev the questions are divided\n"
      "into halves, and each half is measured with the threshold that is best on the other. With\n"
      "--dev all rows are measured with the threshold that is best on the rows of that file.\n"
      "With --ledger a judge's verdicts on these answers are metrics, too: JUDGE:C (correct), "
      "JUDGE:H\n"
      "(helpful), JUDGE:I (irrelevant) and JUDGE:E (extraneous), found by id and system.\n"
      "--format csv prints a measurement a row.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("input,i", text("FILE")->required(), "the scored rows")(
      "dev", text("FILE"),
      "other rows with labels and the same scores, on which the thresholds are chosen")(
      "human", text("FIELD")->default_value("score"), "the field of the human label")(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME"),
      "a metric, or several: a,b; may be repeated; all when left out")(
      "group", text("FIELD"),
      "a field, such as dataset: also prints results for the rows of each of its values (in tables "
      "of the first 50)")(
      "system", text("FIELD"),
      "the field that names the system which gave the row's answer: also compares the systems' "
      "means")("test", text("NAME")->default_value("auto"),
               "between two metrics: williams, which takes rows as independent, or permutation "
               "(paired, by question); auto: permutation where rows share questions")(
      "resampled", "with --format json: also Pearson's r of each resample")(
      "report", text("FILE"), "also write tables and pictures as one HTML page");
  add_input_format_option(syntax);
  add_field_option(syntax);
  add_ledger_options(syntax, /*is_required=*/false);
  add_parser_option(syntax);
  add_missing_option(syntax);
  add_bootstrap_options(syntax, /*has_permutations=*/true);
  add_format_option(syntax);
  syntax.inputs = {"input", "dev", "ledger"};
  syntax.outputs = {"report"};
  syntax.prints_results = true;
  syntax.renamed = {{"metrics", "metric"}};
  return syntax;
}

namespace {

AgreementRequest agreement_request(const OptionValues& values) {
  AgreementRequest request;
  request.input = input_option(values, "input");
  request.dev = file_option(values, "dev");
  request.input_format = text_option(values, "input-format");
  request.delimiter = delimiter_option(values);
  request.fields = field_option(values);
  request.ledger = file_option(values, "ledger");
  request.judge = ledger_choice_option(values);
  request.missing = missing_option(values);
  request.human = text_option(values, "human");
  request.group = text_option(values, "group");
  request.system = text_option(values, "system");
  request.metrics = names_option(values, "metric");
  const std::string test = text_option(values, "test");
  const auto found = std::ranges::find(kTests, test);
  if (found == kTests.end()) throw unknown_name("test", test, kTests);
  request.options = {bootstrap_options(values), static_cast<AgreementTest>(found - kTests.begin())};
  request.report = file_option(values, "report");
  request.resampled = values.contains("resampled");
  if (request.resampled && format_option(values) != OutputFormat::json) {
    throw InputError("--resampled without --format json", "command line", "add --format json");
  }
  return request;
}

}  // namespace

int run_evaluate_agreement(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(agreement_syntax(), arguments);
  if (!values) return kDone;
  AgreementRequest request = agreement_request(*values);
  request.command = eval::shell_command("rubric evaluate agreement", arguments);
  print_result(evaluate_agreement(request, current_context()), {format_option(*values)});
  return kDone;
}

}  // namespace rubric::cli
