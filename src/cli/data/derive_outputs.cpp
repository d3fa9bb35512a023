// derive outputs: what task models wrote as pairs of label and rationale, REV's.
#include <array>

#include "cli/data/derive_kinds.h"
#include "cli/data/rationale_options.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/rows/rows_part.h"
#include "data/rationales/task_outputs_part.h"

namespace rubric {
namespace {

constexpr std::array<std::pair<const char*, OutputKind>, 4> kKinds = {
    {{"xy_r", OutputKind::xy_r},
     {"x_yr", OutputKind::x_yr},
     {"x_ry", OutputKind::x_ry},
     {"vacuous", OutputKind::vacuous}}};

OutputKind output_kind(const OptionValues& values) {
  const std::string where = "rubric derive outputs";
  const std::vector<std::string> arguments = list_option(values, "arguments");
  std::vector<std::string> names;
  for (const auto& [name, kind] : kKinds) names.emplace_back(name);
  if (arguments.size() != 1) {
    throw InputError("expected one kind of pairs, found " + std::to_string(arguments.size()), where,
                     "name one of " + join(names));
  }
  for (const auto& [name, kind] : kKinds) {
    if (arguments.front() == name) return kind;
  }
  throw unknown_name("kind of pairs", arguments.front(), names, where);
}

}  // namespace

void derive_outputs(const OptionValues& values, const std::string& output) {
  const std::string input = file_option(values, "input");
  const OutputKind kind = output_kind(values);
  if (kind == OutputKind::vacuous && is_given(values, "text")) {
    throw InputError("--text does not go with vacuous: its rationales are the rows' baselines",
                     "rubric derive outputs", "leave --text out");
  }
  check_json_lines_name(output);
  const std::string field = text_option(values, "text");
  const std::string ids = file_option(values, "ids");
  const TaskOutputs outputs =
      read_task_outputs(input, kind, field.empty() ? "generated" : field,
                        ids.empty() ? std::nullopt : std::optional(read_asked_ids(ids)));
  const std::vector<FoundRationale>& unusable = outputs.set.unusable;
  if (!unusable.empty() && !values.contains("keep-going")) throw unusable_error(outputs.set);
  if (outputs.rows.empty()) throw InputError("no row can be used", input);
  if (!unusable.empty()) {
    log_warning(std::to_string(unusable.size()) + " of " +
                std::to_string(unusable.size() + outputs.rows.size()) +
                " rows are left out: " + join(list_problems(outputs.set), "; "));
  }
  if (!outputs.cut.empty()) {
    log_warning(std::to_string(outputs.cut.size()) +
                " rationales go on behind a mark that is no end, and are cut there: " +
                join_some(outputs.cut));
  }
  write_rows(output, outputs.rows);
  log_info(std::to_string(outputs.rows.size()) + " rows in " + output);
}

}  // namespace rubric
