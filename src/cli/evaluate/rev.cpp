// rubric evaluate rev: compares kinds of rationale-label pairs by REV, LAS and RQ.
#include "cli/evaluate/rev.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/evaluate/suites.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "eval/report/report.h"
#include "eval/rev/rev.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax rev_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto list = [](const char* name) {
    return po::value<std::vector<std::string>>()->value_name(name);
  };
  syntax.options.add_options()("pairs", list("KIND=FILE")->required()->multitoken(),
                               "a file of this kind; several, and repeated")(
      "common-rows",
      "leave out, and count, the rows that not all files have or that some lack scores of")(
      "human-file", text("FILE"),
      "judgements (.jsonl, .csv, .tsv), a row for each annotator: id, kind, justifies (yes, no), "
      "amount (none, little, some, enough)")(
      "pointwise", po::value<int64_t>()->default_value(0)->value_name("N"),
      "also print the first N rows of each kind")("show", list("ID"),
                                                  "also print the row of this id; may be repeated")(
      "summary", text("FILE"), "also write the results as JSON")(
      "report", text("FILE"), "also write tables and pictures as one HTML page")(
      "resampled", "in JSON: also the values of each resample");
  add_bootstrap_options(syntax);
  add_format_option(syntax, /*several=*/true);
  syntax.inputs = {"pairs", "human-file"};
  syntax.outputs = {"summary", "report"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

struct RevCommand {
  eval::RevRequest request;
  std::string summary, report;
  Formats formats;
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

RevCommand rev_command(const OptionValues& values) {
  constexpr int64_t kMostRows = 1'000'000;
  RevCommand command;
  eval::RevRequest& request = command.request;
  request.files = rev_files(list_option(values, "pairs"));
  request.rows = values.contains("common-rows") ? eval::RowsWanted::common : eval::RowsWanted::same;
  request.human = file_option(values, "human-file");
  request.pointwise = integer_option(values, "pointwise", 0, kMostRows);
  request.show = list_option(values, "show");
  std::vector<std::string> inputs = {request.human};
  for (const eval::RevFile& file : request.files) inputs.push_back(file.second.string());
  command.summary = output_option(values, "summary");
  check_replaces_none("summary", command.summary, inputs);
  inputs.push_back(command.summary);
  command.report = output_option(values, "report");
  check_replaces_none("report", command.report, inputs);
  request.bootstrap = bootstrap_options(values);
  command.formats = formats_option(values);
  if (request.pointwise > 0)
    require_place_for_records("--pointwise", command.formats, command.report);
  if (!request.show.empty()) require_place_for_records("--show", command.formats, command.report);
  request.resampled = values.contains("resampled");
  if (request.resampled && std::ranges::count(command.formats, eval::OutputFormat::json) == 0 &&
      command.summary.empty()) {
    throw InputError("--resampled without JSON", "command line",
                     "add --format json or --summary FILE");
  }
  return command;
}

}  // namespace

int run_evaluate_rev(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(rev_syntax(), arguments);
  if (!values) return kDone;
  const RevCommand command = rev_command(*values);
  write_result(eval::evaluate_rev_files(command.request), command.summary, command.report,
               eval::shell_command("rubric evaluate rev", arguments), command.formats);
  return kDone;
}

}  // namespace rubric::cli
