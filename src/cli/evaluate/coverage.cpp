// rubric evaluate coverage: how often intervals of `estimate` hold the truth.
#include "cli/evaluate/coverage.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/evaluate/suites.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/scored_files/scored_files.h"
#include "eval/estimate/coverage.h"
#include "eval/estimate/estimate.h"
#include "eval/resampling.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax coverage_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [](int64_t value) {
    return po::value<int64_t>()->default_value(value)->value_name("N");
  };
  syntax.options.add_options()("input,i", text("FILE"), "the scored rows, all with a label")(
      "human", text("FIELD")->default_value("score"), "the field of the human label")(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME"),
      "the metrics, such as lerc,f1; may be repeated; without it all")(
      "system", text("FIELD"), "the field that names the system of a row; else all are of one")(
      "sizes", text("N,N")->default_value("50,100,200,500"),
      "how many labels are drawn of each system; sizes of all its answers or more are left out")(
      "draws", number(2000), "of each size")("resamples", number(1000), "bootstrap resamples")(
      "seed", number(0), "another one, other draws")(
      "other-ledger", po::value<std::vector<std::string>>()->value_name("FILE"),
      "the ledger of the judge who stands for people")("summary", text("FILE"),
                                                       "also write the results as JSON")(
      "report", text("FILE"), "also write the tables as one HTML page");
  add_ledger_options(syntax, /*is_required=*/false);
  add_parser_option(syntax);
  add_input_format_option(syntax);
  add_format_option(syntax, /*several=*/true);
  syntax.inputs = {"input", "ledger"};
  syntax.input_lists = {"other-ledger"};
  syntax.outputs = {"summary", "report"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

std::vector<int64_t> sizes_option(const OptionValues& values) {
  constexpr double kMost = 1'000'000;
  std::vector<int64_t> sizes;
  for (const std::string& text : split_names(text_option(values, "sizes"))) {
    const std::optional<double> size = parse_number(text);
    if (!size || *size != static_cast<double>(static_cast<int64_t>(*size)) ||
        *size < eval::kFewestLabels || *size > kMost) {
      throw InputError("\"" + text + "\" is no number of labels", "--sizes",
                       "give whole numbers of 10 or more, such as 50,100");
    }
    sizes.push_back(static_cast<int64_t>(*size));
    if (std::ranges::count(sizes, sizes.back()) > 1) {
      throw InputError("the size " + text + " is named twice", "--sizes", "name it once");
    }
  }
  return sizes;
}

// Rows to draw labels of, and those to leave out().
struct DrawnFrom {
  data::ScoredRows rows;
  std::vector<bool> is_left_out = {};  // by row; empty: none
};

// The rows of the first judge, with the other's verdicts as labels; without those of which either
// reply holds no verdicts. Answers must be the same.
DrawnFrom judged_by_both(const OptionValues& values, const std::string& other) {
  const std::string file = file_option(values, "ledger"), aspect = text_option(values, "human");
  std::vector<std::string> notes;
  const JudgeChoice choice = ledger_choice_option(values);
  const judge::Ledger ledger = judge::read_chosen_ledger(file, choice);
  const judge::Ledger labels = judge::read_chosen_ledger(other, {.parser = choice.parser});
  const std::string judge = labels.entries.front().judge;
  eval::JudgedSource judged = eval::judged_source(ledger, aspect, file, notes);
  const eval::JudgedSource truth = eval::judged_source(labels, aspect, other, notes);
  // As a list: "m" with "x/1" is not "m/x" with "1".
  const auto name = [](const Json& row) {
    return Json(Json::Array{*row.find("system"), *row.find("id")}).dump();
  };
  std::map<std::string, size_t> truths;  // by name
  for (size_t i = 0; i < truth.source.rows.size(); ++i) truths[name(truth.source.rows[i])] = i;
  std::vector<bool> is_left_out = judged.is_unread;
  for (size_t i = 0; i < judged.source.rows.size(); ++i) {
    Json& row = judged.source.rows[i];
    row["id"] = judged.source.ids[i] = name(row);
    const auto found = truths.find(judged.source.ids[i]);
    if (found == truths.end()) continue;
    row[aspect] = *truth.source.rows[found->second].find("scores")->find(judge);
    is_left_out[i] = is_left_out[i] || truth.is_unread[found->second];
  }
  for (const std::string& note : notes) log_info(note);
  return {data::read_scored_rows(
              std::move(judged.source),
              {"", "", text_option(values, "system"), {ledger.entries.front().judge}}),
          std::move(is_left_out)};
}

DrawnFrom rows_to_draw_from(const OptionValues& values) {
  const std::vector<std::string> others = names_option(values, "other-ledger");
  if (values.contains("ledger") || !others.empty()) {
    if (values.contains("ledger") && others.size() == 1 && !values.contains("input")) {
      return judged_by_both(values, others.front());
    }
    throw InputError("two ledgers, --ledger and --other-ledger, go alone", "command line",
                     "name these two, or --input");
  }
  if (!values.contains("input")) {
    throw InputError("--input is missing", "command line", "name the scored rows");
  }
  const std::string file = input_option(values, "input");
  data::RowFields fields;
  fields.system = text_option(values, "system");
  fields.metrics = names_option(values, "metric");
  fields.no_metrics = {text_option(values, "human")};
  return {data::read_scored_rows(file, input_format_option(values, file), fields)};
}

}  // namespace

int run_evaluate_coverage(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(coverage_syntax(), arguments);
  if (!values) return kDone;
  eval::CoverageOptions options;
  options.sizes = sizes_option(*values);
  options.draws = integer_option(*values, "draws", 10, 1'000'000);
  options.bootstrap = {integer_option(*values, "resamples", 1, stats::kMostResamples),
                       static_cast<uint64_t>(integer_option(*values, "seed", 0, INT64_MAX))};
  const std::string summary = output_option(*values, "summary");
  const std::string report = output_option(*values, "report");
  const Formats formats = formats_option(*values);
  eval::EstimateRequest request;
  request.human = text_option(*values, "human");
  request.system = text_option(*values, "system");
  DrawnFrom from = rows_to_draw_from(*values);
  const std::string file = from.rows.file.string();
  for (const std::string& written : {summary, report}) {
    check_replaces_none(written == summary ? "summary" : "report", written, {file});
  }
  eval::LabelledAnswers answers = eval::join_labels(request, std::move(from.rows), nullptr);
  eval::leave_out(from.is_left_out, answers);
  eval::CoverageResult coverage = eval::evaluate_coverage(answers, request.human, options);
  coverage.signature =
      "coverage|human:" + signature_text(request.human) +
      "|metric:" + signature_texts(answers.metrics) + "|all:" + short_sha256_file(file) +
      "|draws:" + std::to_string(options.draws) + eval::signature_end(options.bootstrap);
  write_result(eval::coverage_result(coverage), summary, report,
               eval::shell_command("rubric evaluate coverage", arguments), formats);
  return kDone;
}

}  // namespace rubric::cli
