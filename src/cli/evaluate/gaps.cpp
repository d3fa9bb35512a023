// rubric evaluate gaps: lists the rows on which a metric and the human label, or two metrics,
// differ most, to be categorised by hand, and counts the categories of a filled list.
#include "cli/evaluate/gaps.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/rows/rows.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/agreement.h"
#include "eval/agreement/gaps.h"
#include "eval/report/report.h"
#include "metrics/neural/lerc_kind.h"
#include "stats/bootstrap.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax gaps_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("input,i", text("FILE"), "the scored rows")(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME"),
      "the metric, or two: a,b, or repeated; one is compared with the human label")(
      "human", text("FIELD")->default_value("score"), "the field of the human label")(
      "group", text("FIELD"), "the field to take rows by; in MOCHA's files constituent")(
      "scale", po::value<std::vector<std::string>>()->value_name("NAME=LOW:HIGH"),
      "what a metric or the label can be, such as lerc=1:5; may be repeated")(
      "most", po::value<int64_t>()->default_value(10)->value_name("N"), "rows of each group")(
      "output,o", text("FILE"), "the list to fill in")("report", text("FILE"), "the list as HTML")(
      "tally", text("FILE"), "a filled list (.jsonl or .csv), whose categories are counted");
  add_input_format_option(syntax);
  add_field_option(syntax);
  add_missing_option(syntax);
  add_format_option(syntax);
  syntax.inputs = {"input", "tally"};
  syntax.outputs = {"output", "report"};
  return syntax;
}

namespace {

struct GapsRequest {
  // An empty `against` means the human label.
  std::string input, metric, against, human, output, report;
  data::InputFormat input_format = data::InputFormat::kJsonl;
  data::FieldNames fields;
  std::string group;
  Missing missing = Missing::automatic;
  std::map<std::string, eval::Scale> scales;
  int64_t most = 10;

  const std::string& second() const { return against.empty() ? human : against; }
};

double parse_end(const std::string& text, const std::string& where) {
  if (const std::optional<double> value = parse_number(text)) {
    return data::require_computable(*value, "an end of the scale", where);
  }
  throw InputError("expected NAME=LOW:HIGH, \"" + text + "\" is not a number", where,
                   "for example --scale lerc=1:5");
}

std::map<std::string, eval::Scale> parse_scales(const std::vector<std::string>& texts) {
  std::map<std::string, eval::Scale> scales;
  for (const std::string& text : texts) {
    const std::string where = "--scale " + text;
    const size_t equals = text.find('='), colon = text.find(':', equals + 1);
    if (equals == std::string::npos || colon == std::string::npos) {
      throw InputError("expected NAME=LOW:HIGH", where, "for example --scale lerc=1:5");
    }
    const eval::Scale scale{text.substr(0, equals),
                            parse_end(text.substr(equals + 1, colon - equals - 1), where),
                            parse_end(text.substr(colon + 1), where)};
    if (!(scale.low < scale.high)) {
      throw InputError("the low end is not below the high one", where,
                       "write the lower one first, such as 1:5");
    }
    if (!scales.emplace(scale.name, scale).second) {
      throw InputError("the scale of " + scale.name + " is given twice", where, "name it once");
    }
  }
  return scales;
}

GapsRequest gaps_request(const OptionValues& values) {
  for (const char* name : {"input", "metric", "output"}) {
    if (values.contains(name)) continue;
    throw InputError("--" + std::string(name) + " is missing", "command line",
                     "name --input, --metric and --output; or --tally alone");
  }
  GapsRequest request;
  request.input = input_option(values, "input");
  request.input_format = input_format_option(values, request.input);
  request.fields = field_option(values);
  const std::vector<std::string> metrics = names_option(values, "metric");
  if (metrics.size() > 2) {
    throw InputError(std::to_string(metrics.size()) + " metrics are named", "--metric",
                     "name one, to compare with the human label, or two");
  }
  request.metric = metrics.front();
  if (metrics.size() == 2) request.against = metrics.back();
  request.human = text_option(values, "human");
  if (request.metric == request.second()) {
    throw InputError("the metric is compared with itself", "command line", "name two");
  }
  request.group = text_option(values, "group");
  if (request.group.empty() && request.input_format == data::InputFormat::kMocha) {
    request.group = "constituent";
  }
  request.missing = missing_option(values);
  request.scales = parse_scales(list_option(values, "scale"));
  for (const auto& [name, scale] : request.scales) {
    if (name != request.metric && name != request.second()) {
      throw unknown_name("metric to scale", name, {request.metric, request.second()});
    }
  }
  constexpr int64_t kMost = 1'000'000;
  request.most = integer_option(values, "most", 1, kMost);
  request.output = output_option(values, "output");
  if (std::filesystem::path(request.output).extension() == ".tsv") {
    throw InputError("the list is JSON lines or comma-separated, its name says tsv",
                     "--output " + request.output, "name it .jsonl or .csv");
  }
  request.report = output_option(values, "report");
  check_replaces_none("output", request.output, {request.input});
  if (std::filesystem::is_regular_file(request.output)) {
    throw InputError("there is a list already, perhaps with categories filled in", request.output,
                     "name another --output, or remove the file");
  }
  check_replaces_none("report", request.report, {request.input, request.output});
  return request;
}

bool is_label(const GapsRequest& request, const std::string& name) {
  return request.against.empty() && name == request.human;
}

// The scale that is given, or that `name` has by default, on which the values are.
eval::Scale scale_of(const GapsRequest& request, const std::string& name,
                     const std::vector<double>& values) {
  const auto given = request.scales.find(name);
  const bool is_mocha = request.input_format == data::InputFormat::kMocha;
  const bool has_shipped_range = std::ranges::all_of(values, [](double value) {
    return stats::is_on_scale(value, {1, 5});
  });
  const bool is_rating = name == metrics::kLerc.name ? is_mocha || has_shipped_range
                                                     : is_mocha && is_label(request, name);
  const eval::Scale scale = given != request.scales.end()
                                ? given->second
                                : eval::default_scale(name, is_rating, values, request.input);
  eval::check_scale(scale, is_label(request, name), values);
  return scale;
}

int list_gaps(const GapsRequest& request, const Formats& formats, const std::string& command) {
  data::RowFields fields;
  fields.fields = request.fields;
  fields.sources_tell_apart = true;
  fields.missing = request.missing;
  fields.group = request.group;
  fields.metrics = {request.metric};
  if (request.against.empty()) {
    fields.human = request.human;
  } else {
    fields.metrics.push_back(request.against);
  }
  const data::ScoredRows rows = data::read_scored_rows(request.input, request.input_format, fields);
  const std::vector<double>& first = rows.scores[0];
  const std::vector<double>& second = request.against.empty() ? rows.human : rows.scores[1];
  const eval::Scale first_scale = scale_of(request, request.metric, first);
  const eval::Scale second_scale = scale_of(request, request.second(), second);
  const std::vector<eval::Gap> gaps =
      eval::largest_gaps(rows, first, first_scale, second, second_scale, request.most);
  const std::vector<Json> list = eval::gap_rows(rows, gaps, request.metric, request.second());
  const auto range = [](const eval::Scale& scale) {
    return scale.name + " from " + Json(scale.low).dump() + " to " + Json(scale.high).dump();
  };
  const std::string scales =
      "Scales, mapped to [0, 1]: " + range(first_scale) + ", " + range(second_scale) + ".";
  if (rows.unlabelled > 0) {
    log_warning(eval::unlabelled_note(rows.unlabelled));
  }
  const bool is_table = std::filesystem::path(request.output).extension() == ".csv";
  write_file(request.output, is_table ? eval::gap_csv(list) : eval::gap_lines(list));
  Result result = eval::gaps_result(list, request.metric, request.second());
  result.notes = {scales};
  if (!request.report.empty()) write_report(result, request.report, command);
  log_info(counted(std::ssize(list), "row") + " in " + request.output);
  print_result(result, formats);
  return kDone;
}

}  // namespace

int run_evaluate_gaps(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(gaps_syntax(), arguments);
  if (!values) return kDone;
  const Formats formats = formats_option(*values);
  const std::string filled = file_option(*values, "tally");
  if (filled.empty()) {
    return list_gaps(gaps_request(*values), formats,
                     eval::shell_command("rubric evaluate gaps", arguments));
  }
  if (values->contains("input") || values->contains("output")) {
    throw InputError("--tally goes alone", "command line", "leave --input and --output out");
  }
  print_result(eval::tally_categories(filled), formats);
  return kDone;
}

}  // namespace rubric::cli
