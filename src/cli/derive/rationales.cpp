// rubric derive rationales, rationale-pairs: published data sets of rationales as rows, and the
// outputs of REV's task models as pairs of label and rationale.
#include "cli/derive/list.h"
#include "core/context.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/rationales/list.h"
#include "data/rationales/rationale_rows.h"
#include "data/rationales/task_outputs.h"
#include "data/rows/rows.h"

namespace rubric::cli {

namespace {

// The usable examples. Others are refused or, with --keep-going, counted.
std::vector<data::Rationale> usable_records(const data::RationaleSource& source, bool keeps_going) {
  data::RationaleSet set = data::read_rationale_source(source);
  if (set.unusable.empty()) return std::move(set.records);
  if (!keeps_going) throw data::unusable_error(set);
  if (set.records.empty())
    throw InputError("no example can be used", source.files.front(),
                     "leave --keep-going out, which names what they lack");
  log_warning(std::to_string(set.unusable.size()) +
              " examples are left out: " + join(data::list_problems(set), "; "));
  return std::move(set.records);
}

void write_rationales(const std::filesystem::path& file,
                      const std::vector<data::Rationale>& records) {
  std::vector<Json> rows;
  for (const data::Rationale& record : records) rows.push_back(data::rationale_row(record));
  data::write_rows(file, rows);
  log_info(std::to_string(rows.size()) + " rows in " + file.string());
}

}  // namespace

void derive_rationales(const RationalesRequest& request, const Context& context) {
  const ContextScope scope(context);
  const data::RationaleSource source = rationale_source(request.source);
  const data::RationaleReader& reader = data::require_rationale_reader(source.kind);
  if (reader.add_questions != nullptr && source.questions.empty()) {
    throw InputError("--questions is missing", "rubric derive rationales " + source.kind,
                     "its files hold only explanations: name " + std::string(reader.questions) +
                         " of the same version");
  }
  check_sample(request.source, "rest", !request.rest.empty());
  const std::vector<data::Rationale> records = usable_records(source, request.keep_going);
  if (!request.source.sample) return write_rationales(request.output, records);
  const data::RationaleSample parts =
      data::draw_rationales(records, *request.source.sample, request.source.seed.value_or(0));
  if (parts.drawn.empty()) {
    throw InputError("the sample of " + std::to_string(records.size()) + " examples is empty",
                     "--sample", "take a larger share");
  }
  write_rationales(request.output, parts.drawn);
  if (!request.rest.empty()) write_rationales(request.rest, parts.rest);
}

void derive_rationale_pairs(const RationalePairsRequest& request, const Context& context) {
  const ContextScope scope(context);
  if (request.kind == data::OutputKind::vacuous && request.text) {
    throw InputError("--text does not go with vacuous: its rationales are the rows' baselines",
                     "rubric derive rationale-pairs", "leave --text out");
  }
  const data::TaskOutputs outputs = data::read_task_outputs(
      request.input, request.kind, request.text.value_or("generated"),
      request.ids.empty() ? std::nullopt : std::optional(data::read_input_ids(request.ids)));
  const std::vector<data::RationaleExample>& unusable = outputs.set.unusable;
  if (!unusable.empty() && !request.keep_going) throw data::unusable_error(outputs.set);
  if (outputs.rows.empty()) {
    throw InputError("no row can be used", request.input.string(),
                     "leave --keep-going out, which names what they lack");
  }
  if (!unusable.empty()) {
    log_warning(std::to_string(unusable.size()) + " of " +
                std::to_string(unusable.size() + outputs.rows.size()) +
                " rows are left out: " + join(data::list_problems(outputs.set), "; "));
  }
  if (!outputs.truncated.empty()) {
    log_warning(std::to_string(outputs.truncated.size()) +
                " rationales contain a mark that does not end them, and are cut there: " +
                join_some(outputs.truncated));
  }
  data::write_rows(request.output, outputs.rows);
  log_info(std::to_string(outputs.rows.size()) + " rows in " + request.output.string());
}

}  // namespace rubric::cli
