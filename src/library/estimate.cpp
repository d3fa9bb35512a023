// Declared in include/rubric/estimate.h.
#include "rubric/estimate.h"

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "data/scored_files/scored_files.h"
#include "eval/estimate/estimate.h"
#include "eval/report/report.h"
#include "eval/resampling.h"
#include "library/scoring.h"
#include "stats/bootstrap.h"

namespace rubric {
namespace {

const std::filesystem::path& label_file(const EstimateRequest& request) {
  return request.labels.empty() ? request.all : request.labels;
}

void check_fields(const EstimateRequest& request) {
  if (request.human.empty()) {
    throw InputError("no field of labels is named", "", "name it, such as --human verdict");
  }
  for (const std::string& metric : request.metrics) {
    if (metric != request.human) continue;
    throw InputError("the label " + request.human + " is also named as a metric", "--metric",
                     "name other metrics: labels are what these help to estimate");
  }
  library::require_group_beside_system(request.group, request.system);
  if (!request.probability.empty() && !request.strata.empty()) {
    throw InputError("both --probability and --strata are given", "",
                     "give the one by which labels were drawn");
  }
  if (request.scale && !(request.scale->low < request.scale->high)) {
    throw InputError("the low end is not below the high one", "--scale", "such as --scale 1:5");
  }
}

void check_estimate_request(const EstimateRequest& request) {
  stats::require_valid(request.bootstrap);
  check_fields(request);
  if (request.all.empty()) {
    throw InputError("no file of scored rows is named", "", "name it: --all scored.jsonl");
  }
  require_no_pipe(request.all);  // read again for the signature
  require_no_pipe(label_file(request));
  library::require_distinct_metrics(request.metrics);
  const std::string where = "--report " + request.report.string();
  require_writable(request.report, where);
  const std::filesystem::path files[] = {request.all, label_file(request)};
  require_replaces_none(request.report, files, where);
}

data::InputFormat format_of_file(const EstimateRequest& request,
                                 const std::filesystem::path& file) {
  return data::input_format(request.input_format, file, "--input-format", request.delimiter);
}

// In a table without named metrics: the columns of numbers that are nothing else.
std::vector<std::string> metrics_of(const EstimateRequest& request, const data::ScoredSource& all) {
  if (!request.metrics.empty() || !all.is_table()) return request.metrics;
  const std::vector<std::string> metrics = data::number_columns(
      all, {request.human, request.group, request.system, request.probability, request.strata});
  if (!metrics.empty()) return metrics;
  throw InputError("no column holds the scores of a metric", all.file.string(),
                   "score the file with `rubric score`, or name columns with --metric a,b");
}

eval::LabelledAnswers read_answers(const EstimateRequest& request) {
  data::ScoredSource all =
      data::read_scored_source(request.all, format_of_file(request, request.all));
  const std::vector<std::string> metrics = metrics_of(request, all);
  data::ScoredRows rows = data::read_scored_rows(
      std::move(all), {"", request.group, request.system, metrics, library::other_names(metrics)});
  if (request.labels.empty()) return eval::join_labels(request, std::move(rows), nullptr);
  const data::ScoredSource labels =
      data::read_scored_source(request.labels, format_of_file(request, request.labels));
  return eval::join_labels(request, std::move(rows), &labels);
}

std::string signature_of_estimate(const EstimateRequest& request, const EstimateResult& result) {
  std::string signature = "estimate|human:" + request.human +
                          "|metric:" + join(result.metrics, ",") +
                          "|all:" + short_sha256_file(request.all.string());
  if (!request.labels.empty()) {
    signature += "|labels:" + short_sha256_file(request.labels.string());
  }
  for (const auto& [name, field] : {std::pair("system", &request.system),
                                    {"group", &request.group},
                                    {"probability", &request.probability},
                                    {"strata", &request.strata}}) {
    if (!field->empty()) signature += std::string("|") + name + ":" + *field;
  }
  return signature + (request.average ? "|average" : "") + eval::signature_end(request.bootstrap);
}

void write_estimate_report(const EstimateRequest& request, const EstimateResult& result) {
  eval::Report report = eval::estimate_report(result);
  report.paragraphs.push_back("Data: " + request.all.string() +
                              (request.labels.empty() ? "" : ", " + request.labels.string()));
  report.command = request.command;
  write_file(request.report, eval::to_html(report));
}

}  // namespace

EstimateResult estimate(const EstimateRequest& request, const Context& context) {
  const ContextScope scope(context);
  check_estimate_request(request);
  EstimateResult result = eval::estimate(read_answers(request), request.human, request.bootstrap);
  result.signature = signature_of_estimate(request, result);
  if (!request.report.empty()) write_estimate_report(request, result);
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
