// Declared in include/rubric/estimate.h.
#include "rubric/estimate.h"

#include "core/beside.h"
#include "core/context.h"
#include "core/files/files.h"
#include "eval/estimate/estimate.h"
#include "eval/report/report.h"
#include "eval/resampling.h"
#include "library/labelled_answers.h"

namespace rubric {
namespace {

void write_estimate_report(const EstimateRequest& request, const EstimateResult& result) {
  eval::Report report = eval::estimate_report(result);
  report.paragraphs.push_back("Data: " + library::files_of(request));
  report.command = request.command;
  write_file(request.report, eval::to_html(report));
}

}  // namespace

EstimateResult estimate(const EstimateRequest& request, const Context& context) {
  const ContextScope scope(context);
  library::check_labelled_request(request);
  EstimateRequest resolved = request;
  // A large file is hashed while it is read. An error of reading waits for it: half a second a GB.
  auto hashes = beside([request] { return library::hashes_of_files(request); });
  EstimateResult result =
      eval::estimate(library::read_labelled_answers(resolved), resolved.human, resolved.bootstrap);
  result.signature = "estimate|" +
                     library::labelled_signature(resolved, result.metrics, hashes.get()) +
                     eval::signature_end(resolved.bootstrap);
  if (!resolved.report.empty()) write_estimate_report(resolved, result);
  return result;
}

std::string print(const EstimateResult& result, OutputFormat format) {
  if (format == OutputFormat::json) return eval::to_json(result).dump(2) + "\n";
  if (format == OutputFormat::csv) {
    return eval::print_table(eval::estimate_value_table(result), format);
  }
  return eval::print_tables(eval::estimate_tables(result), format);
}

}  // namespace rubric
