// Declared in include/rubric/agreement.h.
#include "rubric/agreement.h"

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "data/rows/rows.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/agreement.h"
#include "eval/report/report.h"
#include "library/scoring.h"
#include "rubric/version.h"

namespace rubric {
namespace {

const char* name_of(AgreementTest test) {
  return test == AgreementTest::williams ? "williams" : "permutation";
}

std::string signature_of(const AgreementRequest& request, int64_t permutations) {
  std::string signature =
      "agreement|input:" + short_sha256_file(request.input.string()) + "|human:" + request.human;
  if (!request.group.empty()) signature += "|group:" + request.group;
  if (!request.system.empty()) signature += "|system:" + request.system;
  signature += std::string("|test:") + name_of(request.options.test) +
               "|resamples:" + std::to_string(request.options.bootstrap.resamples);
  if (request.options.test == AgreementTest::permutation) {
    signature += "|exchanges:" + std::to_string(permutations);
  }
  return signature + "|seed:" + std::to_string(request.options.bootstrap.seed) +
         "|rubric:" + version_with_build();
}

void write_report(const AgreementRequest& request, const Agreement& agreement,
                  const data::ScoredRows& rows) {
  eval::Report report;
  report.title = "Agreement with human labels";
  report.paragraphs = {"Data: " + request.input.string() + ", labels: " + request.human};
  report.tables = eval::agreement_tables(agreement);
  report.plots = eval::agreement_plots(agreement, rows);
  report.signatures = {agreement.signature};
  report.command = request.command;
  report.rows = eval::agreement_rows(rows);
  write_file(request.report, eval::to_html(report));
}

void check_request(const AgreementRequest& request) {
  if (request.human.empty()) {
    throw InputError("--human is empty", "", "name the field of the human labels");
  }
  library::require_distinct_metrics(request.metrics);
  require_no_pipe(request.input);
  stats::require_valid(request.options.bootstrap);
  const std::string where = "--report " + request.report.string();
  require_writable(request.report, where);
  require_replaces_none(request.report, {{request.input}}, where);
}

}  // namespace

Agreement evaluate_agreement(const AgreementRequest& request, const Context& context) {
  const ContextScope scope(context);
  check_request(request);
  const data::ScoredRows rows = data::read_scored_rows(
      request.input,
      data::input_format(request.input_format, request.input, "--input-format", request.delimiter),
      {request.human, request.group, request.system, request.metrics,
       library::other_names(request.metrics)});
  Agreement agreement = eval::evaluate_agreement(rows, request.options);
  agreement.signature = signature_of(request, agreement.permutations);
  if (!request.report.empty()) write_report(request, agreement, rows);
  return agreement;
}

std::string print(const Agreement& agreement, OutputFormat format, bool resampled) {
  if (format == OutputFormat::json) return eval::to_json(agreement, resampled).dump(2) + "\n";
  if (format == OutputFormat::csv) {
    return eval::print_table(eval::agreement_value_table(agreement), format);
  }
  return eval::print_tables(eval::agreement_tables(agreement), format);
}

}  // namespace rubric
