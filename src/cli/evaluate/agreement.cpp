// rubric evaluate agreement: which of several metrics agrees best with human labels, on any rows.
#include <iostream>

#include "cli/evaluate/suites.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "core/version.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/output.h"
#include "eval/agreement/suite.h"
#include "eval/report/report.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

// In the order of AgreementTest.
const std::vector<std::string> kTests = {"williams", "permutation"};

CommandSyntax agreement_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate agreement --input FILE [options]\n\n"
      "Which metric agrees best with human labels: correlations with 95% bootstrap intervals, and\n"
      "tests between all pairs of metrics, Holm-corrected; by group, and over systems' means. "
      "Rows\n"
      "with the same passage and question are resampled and exchanged together.\n"
      "Reads what `rubric score` writes (JSON lines or MOCHA's JSON with \"scores\") and tables\n"
      "(CSV, TSV) with a column for each metric. Labels are numbers, or true and false; rows\n"
      "without one are counted and left out. --format csv prints a value a row.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("input", text("FILE")->required(), "the scored rows")(
      "human", text("FIELD")->default_value("score"), "the field of the human label")(
      "metrics", text("NAMES"), "metrics as a,b; all when left out")(
      "group", text("FIELD"), "a field to report by as well")(
      "system", text("FIELD"), "the field that names the system a row is of")(
      "test", text("NAME")->default_value("williams"),
      "between two metrics: williams, or permutation (paired)")(
      "resampled", "with --format json: also Pearson's r of each resample")(
      "report", text("FILE"), "also write tables and pictures as one HTML page");
  add_input_format_option(syntax);
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  return syntax;
}

struct AgreementRequest {
  std::string input;
  data::InputFormat input_format;
  data::RowFields fields;
  std::string test;
  eval::AgreementOptions options;
  std::string report;  // a file to write; "": none
  eval::OutputFormat format;
  bool resampled;
};

AgreementRequest agreement_request(const OptionValues& values) {
  AgreementRequest request;
  request.input = file_option(values, "input");
  request.input_format = input_format_option(values, request.input);
  request.fields = {text_option(values, "human"),
                    text_option(values, "group"),
                    text_option(values, "system"),
                    {}};
  if (request.fields.human.empty()) {
    throw InputError("--human is empty", "command line", "name the field of the human labels");
  }
  if (values.contains("metrics")) {
    request.fields.metrics = distinct_names("metric", text_option(values, "metrics"));
  }
  request.test = text_option(values, "test");
  if (request.test != kTests[0] && request.test != kTests[1]) {
    throw unknown_name("test", request.test, kTests);
  }
  request.options = {bootstrap_options(values), request.test == kTests[0]
                                                    ? eval::AgreementTest::williams
                                                    : eval::AgreementTest::permutation};
  request.report = output_option(values, "report");
  check_replaces_none("report", request.report, {request.input});
  request.format = format_option(values);
  request.resampled = values.contains("resampled");
  if (request.resampled && request.format != eval::OutputFormat::json) {
    throw InputError("--resampled without --format json", "command line", "add --format json");
  }
  return request;
}

std::string agreement_signature(const AgreementRequest& request) {
  std::string signature =
      "agreement|input:" + short_sha256_file(request.input) + "|human:" + request.fields.human;
  if (!request.fields.group.empty()) signature += "|group:" + request.fields.group;
  if (!request.fields.system.empty()) signature += "|system:" + request.fields.system;
  return signature + "|test:" + request.test +
         "|resamples:" + std::to_string(request.options.bootstrap.resamples) +
         "|seed:" + std::to_string(request.options.bootstrap.seed) +
         "|rubric:" + version_with_build();
}

void print_agreement(const eval::Agreement& agreement, const AgreementRequest& request) {
  const eval::OutputFormat format = request.format;
  if (format == eval::OutputFormat::json) {
    std::cout << eval::to_json(agreement, request.resampled).dump(2) << "\n";
  } else if (format == eval::OutputFormat::csv) {
    for (const std::string& note : eval::agreement_notes(agreement)) log_info(note);
    std::cout << eval::print_table(eval::agreement_value_table(agreement), format);
  } else {
    std::cout << eval::print_tables(eval::agreement_tables(agreement), format);
  }
}

}  // namespace

int run_evaluate_agreement(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(agreement_syntax(), arguments);
  if (!values) return kDone;
  const AgreementRequest request = agreement_request(*values);
  const data::ScoredRows rows =
      data::read_scored_rows(request.input, request.input_format, request.fields);
  eval::Agreement agreement = eval::evaluate_agreement(rows, request.options);
  agreement.signature = agreement_signature(request);
  log_info(agreement.signature);
  if (!request.report.empty()) {
    const eval::Report report{"Agreement with human labels",
                              {"Data: " + request.input + ", labels: " + request.fields.human},
                              eval::agreement_tables(agreement),
                              eval::agreement_plots(agreement, rows),
                              {agreement.signature},
                              eval::shell_command("rubric evaluate agreement", arguments),
                              {"rubric " + version_with_build()}};
    write_file(request.report, eval::to_html(report));
  }
  print_agreement(agreement, request);
  return kDone;
}

}  // namespace rubric::cli
