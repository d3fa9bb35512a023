// rubric evaluate rev: compares kinds of rationale-label pairs by REV, LAS and RQ.
#include "cli/evaluate/rev.h"

#include <iostream>

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "eval/report/report.h"
#include "eval/rev/output.h"
#include "rubric/version.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax rev_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate rev --pairs KIND=FILE… [options]\n"
      "\n"
      "Kinds of rationale-label pairs (gold, x_yr, …: any names) compared by REV (Chen et al.\n"
      "2022), LAS and RQ, with 95% bootstrap intervals; several files of one kind are its seeds.\n"
      "Files are JSON lines: id, question (or premise and hypothesis), choices, label, gold,\n"
      "rationale, what `rubric score rev` adds, and the simulators' choices sim_x, sim_r, sim_xr.\n"
      "All files hold the same ids in the same order, or --common-rows takes those that all have.\n"
      "A metric whose fields a file lacks is not scored. --format csv prints a value a row, or\n"
      "the rows asked for.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto list = [](const char* name) {
    return po::value<std::vector<std::string>>()->value_name(name);
  };
  syntax.options.add_options()("pairs", list("KIND=FILE")->required()->multitoken(),
                               "a file of this kind; several, and repeated")(
      "common-rows",
      "leave out, and count, the rows that not all files have or that some lack scores of")(
      "human-file", text("FILE"),
      "judgements (.jsonl, .csv, .tsv), a row of each annotator: id, kind, justifies (yes, no), "
      "amount (none, little, some, enough)")(
      "pointwise", po::value<int64_t>()->default_value(0)->value_name("N"),
      "also print the first N rows of each kind")("show", list("ID"),
                                                  "also print the row of this id; may be repeated")(
      "summary", text("FILE"), "also write the results as JSON")(
      "report", text("FILE"), "also write tables and pictures as one HTML page")(
      "resampled", "in JSON: also the values of each resample");
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  syntax.inputs = {"pairs", "human-file"};
  syntax.outputs = {"summary", "report"};
  syntax.prints_results = true;
  syntax.renamed = {{"human", "human-file"}};
  return syntax;
}

namespace {

struct RevRequest {
  std::vector<eval::RevFile> files;
  eval::RowsWanted rows;
  std::string human;
  int64_t pointwise;
  std::vector<std::string> show;
  std::string summary, report;
  bool resampled;
  stats::BootstrapOptions bootstrap;
  eval::OutputFormat format;

  bool shows_rows() const { return pointwise > 0 || !show.empty(); }
};

std::vector<eval::RevFile> rev_files(const std::vector<std::string>& assignments) {
  std::vector<eval::RevFile> files;
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == assignment.size()) {
      throw InputError("expected KIND=FILE, found " + json_quote(assignment), "--pairs",
                       "name the kind before the file: gold=gold.jsonl");
    }
    eval::RevFile file{assignment.substr(0, equals), assignment.substr(equals + 1)};
    for (const eval::RevFile& other : files) {
      if (!is_same_file(other.second.string(), file.second.string())) continue;
      throw InputError("a file is named twice: " + file.second.string(), "--pairs",
                       "give each kind and seed its own file");
    }
    files.push_back(std::move(file));
  }
  return files;
}

RevRequest rev_request(const OptionValues& values) {
  constexpr int64_t kMostRows = 1'000'000;
  RevRequest request;
  request.files = rev_files(list_option(values, "pairs"));
  request.rows = values.contains("common-rows") ? eval::RowsWanted::common : eval::RowsWanted::same;
  request.human = file_option(values, "human-file");
  request.pointwise = integer_option(values, "pointwise", 0, kMostRows);
  request.show = list_option(values, "show");
  std::vector<std::string> inputs = {request.human};
  for (const eval::RevFile& file : request.files) inputs.push_back(file.second.string());
  request.summary = output_option(values, "summary");
  check_replaces_none("summary", request.summary, inputs);
  inputs.push_back(request.summary);
  request.report = output_option(values, "report");
  check_replaces_none("report", request.report, inputs);
  request.bootstrap = bootstrap_options(values);
  request.format = format_option(values);
  request.resampled = values.contains("resampled");
  if (request.resampled && request.format != eval::OutputFormat::json && request.summary.empty()) {
    throw InputError("--resampled without JSON", "command line",
                     "add --format json or --summary FILE");
  }
  return request;
}

// "|baselines:rules=2194" over all kinds' rows; "" if there are none.
std::string baselines_part(const eval::RevEvaluation& evaluation) {
  eval::BaselineCounts all;
  for (const eval::RevKind& kind : evaluation.kinds) {
    for (const auto& [maker, rows] : kind.baselines) all[maker] += rows;
  }
  std::vector<std::string> counts;
  for (const auto& [maker, rows] : all) counts.push_back(maker + "=" + std::to_string(rows));
  return counts.empty() ? "" : "|baselines:" + join(counts, ",");
}

std::string rev_signature(const RevRequest& request, const eval::RevEvaluation& evaluation) {
  std::string signature = "rev";
  for (const auto& [kind, file] : request.files) {
    signature += "|" + kind + ":" + short_sha256_file(file);
  }
  signature += baselines_part(evaluation);
  if (request.rows == eval::RowsWanted::common) {
    signature += "|common:" + std::to_string(evaluation.n) + "/" +
                 std::to_string(evaluation.n + std::ssize(evaluation.left_out));
  }
  if (!request.human.empty()) signature += "|human:" + short_sha256_file(request.human);
  return signature + "|resamples:" + std::to_string(request.bootstrap.resamples) +
         "|seed:" + std::to_string(request.bootstrap.seed) + "|rubric:" + version_with_build();
}

}  // namespace

int run_evaluate_rev(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(rev_syntax(), arguments);
  if (!values) return kDone;
  const RevRequest request = rev_request(*values);
  const std::vector<eval::RevPairs> pairs = eval::read_rev_pairs(request.files, request.rows);
  const std::vector<size_t> shown =
      eval::choose_rows(pairs.front().seeds.front(), request.pointwise, request.show);
  std::vector<data::RationaleJudgement> judgements;
  if (!request.human.empty()) judgements = data::read_rationale_judgements(request.human);
  const eval::RevEvaluation evaluation = eval::evaluate_rev(pairs, request.bootstrap);
  std::optional<eval::RevHumans> humans;
  if (!judgements.empty()) humans = eval::evaluate_rev_humans(judgements, pairs, evaluation);

  const std::string signature = rev_signature(request, evaluation);
  log_info(signature);
  std::vector<eval::Table> tables = eval::rev_tables(evaluation, humans);
  if (request.shows_rows()) tables.push_back(eval::rev_row_table(evaluation, pairs, shown));
  Json json = eval::to_json(evaluation, humans, request.resampled);
  if (request.shows_rows()) json["pointwise"] = eval::rev_row_json(evaluation, pairs, shown);
  json["signature"] = signature;
  if (!request.summary.empty()) write_file(request.summary, json.dump(2) + "\n");
  if (!request.report.empty()) {
    const eval::Report report{"Rationales by REV, LAS and RQ",
                              {},
                              tables,
                              eval::rev_plots(evaluation, humans),
                              {signature},
                              eval::shell_command("rubric evaluate rev", arguments),
                              {"rubric " + version_with_build()}};
    write_file(request.report, eval::to_html(report));
  }
  if (request.format == eval::OutputFormat::json) {
    std::cout << json.dump(2) << "\n";
  } else if (request.format == eval::OutputFormat::csv) {
    for (const std::string& note : eval::rev_notes(evaluation, humans)) log_info(note);
    std::cout << eval::print_table(
        request.shows_rows() ? tables.back() : eval::rev_value_table(evaluation, humans),
        request.format);
  } else {
    std::cout << eval::print_tables(tables, request.format);
  }
  return kDone;
}

}  // namespace rubric::cli
