// rubric derive rationale-pairs: the outputs of REV's task models as pairs of label and rationale.
#include "cli/derive/rationale_pairs.h"

#include <array>

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/rationales/rationale_rows.h"
#include "data/rationales/task_outputs.h"
#include "data/rows/rows.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax rationale_pairs_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric derive rationale-pairs xy_r|x_yr|x_ry|vacuous --input FILE --output FILE\n\n"
      "Rows of rationales from what a task model of REV (Chen et al. 2022) wrote for others: xy_r\n"
      "RATIONALE, x_yr LABEL [rationale] RATIONALE, x_ry RATIONALE [answer] LABEL, whose label is\n"
      "left to `rubric generate --candidates`; vacuous takes the vacuous rationale of\n"
      "`derive vacuous-rationales` for the rationale. What is no such text, or whose label is no\n"
      "choice, is refused, or with --keep-going left out and counted. REV's authors' own outputs\n"
      "have no ids: --ids takes them from the rationale rows of the same questions.";
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  syntax.options.add_options()("kind", po::value<std::vector<std::string>>(), "the kind of pairs")(
      "input,i", file()->required(), "rationale rows with what a model wrote")(
      "text", po::value<std::string>()->default_value("generated")->value_name("FIELD"),
      "the field that holds the text")(
      "ids", file(), "outputs as published: the rationale rows whose questions' ids they get")(
      "keep-going", "leave out, and count, what cannot be used")("output,o", file()->required(),
                                                                 "the rows, as JSON lines");
  syntax.positional.add("kind", -1);
  syntax.inputs = {"input", "ids"};
  syntax.outputs = {"output"};
  return syntax;
}

namespace {

constexpr std::array<std::pair<const char*, data::OutputKind>, 4> kKinds = {
    {{"xy_r", data::OutputKind::xy_r},
     {"x_yr", data::OutputKind::x_yr},
     {"x_ry", data::OutputKind::x_ry},
     {"vacuous", data::OutputKind::vacuous}}};

data::OutputKind output_kind(const OptionValues& values) {
  const std::string where = "rubric derive rationale-pairs";
  const std::vector<std::string> named = list_option(values, "kind");
  std::vector<std::string> names;
  for (const auto& [name, kind] : kKinds) names.emplace_back(name);
  if (named.size() != 1) {
    throw InputError("expected one kind of pairs, found " + std::to_string(named.size()), where,
                     "name one of " + join(names));
  }
  for (const auto& [name, kind] : kKinds) {
    if (named.front() == name) return kind;
  }
  throw unknown_name("kind of pairs", named.front(), names, where);
}

}  // namespace

int run_derive_rationale_pairs(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(rationale_pairs_syntax(), arguments);
  if (!values) return kDone;
  const std::string input = file_option(*values, "input"), ids = file_option(*values, "ids");
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output, {input, ids});
  const data::OutputKind kind = output_kind(*values);
  if (kind == data::OutputKind::vacuous && is_given(*values, "text")) {
    throw InputError("--text does not go with vacuous: its rationales are the rows' baselines",
                     "rubric derive rationale-pairs", "leave --text out");
  }
  check_json_lines_name(output);
  const data::TaskOutputs outputs = data::read_task_outputs(
      input, kind, text_option(*values, "text"),
      ids.empty() ? std::nullopt : std::optional(data::read_input_ids(ids)));
  const std::vector<data::RationaleExample>& unusable = outputs.set.unusable;
  if (!unusable.empty() && !values->contains("keep-going")) throw data::unusable_error(outputs.set);
  if (outputs.rows.empty()) throw InputError("no row can be used", input);
  if (!unusable.empty()) {
    log_warning(std::to_string(unusable.size()) + " of " +
                std::to_string(unusable.size() + outputs.rows.size()) +
                " rows are left out: " + join(data::list_problems(outputs.set), "; "));
  }
  if (!outputs.truncated.empty()) {
    log_warning(std::to_string(outputs.truncated.size()) +
                " rationales go on behind a mark that is no end, and are cut there: " +
                join_some(outputs.truncated));
  }
  data::write_rows(output, outputs.rows);
  log_info(std::to_string(outputs.rows.size()) + " rows in " + output);
  return kDone;
}

}  // namespace rubric::cli
