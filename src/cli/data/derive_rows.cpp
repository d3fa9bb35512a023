#include <array>

#include "cli/data/derive_kinds.h"
#include "cli/data/rationale_options.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/derivations/derivations.h"
#include "data/derivations/readers.h"
#include "data/rationales/list.h"
#include "data/rationales/rationale_rows.h"
#include "data/rationales/task_outputs.h"
#include "data/rows/rows.h"

namespace rubric::cli {

namespace {

// The data set named by the options, and its files.
data::RationaleSource source_option(const OptionValues& values) {
  const std::string where = "rubric derive rationales";
  std::vector<std::string> files = list_option(values, "arguments");
  if (files.empty()) {
    throw InputError(
        "no data set is named", where,
        "name one of " + join(names_of<data::RationaleReader>(data::kRationaleReaders)));
  }
  const std::string kind = files.front();
  files.erase(files.begin());
  const data::RationaleReader& reader = data::require_rationale_reader(kind);
  if (files.empty()) throw InputError("no file is named", where + " " + kind, "name its files");
  data::RationaleSource source = rationale_source(values, kind, files);
  if (reader.add_questions != nullptr && source.questions.empty()) {
    throw InputError("--questions is missing", where + " " + kind,
                     "it has explanations alone: name " + std::string(reader.questions) +
                         " of the same version");
  }
  return source;
}

// The usable examples. Others are refused or, with --keep-going, counted.
std::vector<data::Rationale> usable_records(const data::RationaleSource& source, bool keeps_going) {
  data::RationaleSet set = data::read_rationale_source(source);
  if (set.unusable.empty()) return std::move(set.records);
  if (!keeps_going) throw data::unusable_error(set);
  if (set.records.empty()) throw InputError("no example can be used", source.files.front());
  log_warning(std::to_string(set.unusable.size()) +
              " examples are left out: " + join(data::list_problems(set), "; "));
  return std::move(set.records);
}

void write_rationales(const std::string& file, const std::vector<data::Rationale>& records) {
  std::vector<Json> rows;
  for (const data::Rationale& record : records) rows.push_back(data::rationale_row(record));
  data::write_rows(file, rows);
  log_info(std::to_string(rows.size()) + " rows in " + file);
}

constexpr std::array<std::pair<const char*, data::OutputKind>, 4> kKinds = {
    {{"xy_r", data::OutputKind::xy_r},
     {"x_yr", data::OutputKind::x_yr},
     {"x_ry", data::OutputKind::x_ry},
     {"vacuous", data::OutputKind::vacuous}}};

data::OutputKind output_kind(const OptionValues& values) {
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

data::DerivationPairs read_pairs(const OptionValues& values) {
  constexpr int64_t kMostReferences = 1000;
  const std::string derivations = file_option(values, "derivations");
  const int64_t references = integer_option(values, "references", 0, kMostReferences);
  if (derivations.empty() && references > 0) {
    throw InputError("--references is of --derivations, which is not given", "rubric derive pairs",
                     "add --derivations FILE, or leave --references out");
  }
  const std::vector<data::HotpotQuestion> questions =
      data::read_hotpotqa(file_option(values, "hotpotqa"));
  return derivations.empty()
             ? data::derivation_sources(questions)
             : data::derivation_pairs(questions, data::read_r4c(derivations), references);
}

}  // namespace

void derive_rationales(const OptionValues& values, const std::string& output) {
  const data::RationaleSource source = source_option(values);
  const SampleOptions sample = sample_options(values);
  const std::string rest = output_option(values, "rest");
  std::vector<std::string> inputs = source.files;
  inputs.insert(inputs.end(), source.questions.begin(), source.questions.end());
  check_replaces_none("output", output, inputs);
  inputs.push_back(output);
  check_replaces_none("rest", rest, inputs);
  check_json_lines_name(output);

  const std::vector<data::Rationale> records =
      usable_records(source, values.contains("keep-going"));
  if (sample.share == 0) return write_rationales(output, records);
  const data::RationaleSample parts = data::draw_rationales(records, sample.share, sample.seed);
  if (parts.drawn.empty()) {
    throw InputError("the sample of " + std::to_string(records.size()) + " examples is empty",
                     "--sample " + text_option(values, "sample"), "take a larger share");
  }
  write_rationales(output, parts.drawn);
  if (!rest.empty()) write_rationales(rest, parts.rest);
}

// derive outputs: the outputs of REV's task models as pairs of label and rationale.
void derive_outputs(const OptionValues& values, const std::string& output) {
  const std::string input = file_option(values, "input");
  const data::OutputKind kind = output_kind(values);
  if (kind == data::OutputKind::vacuous && is_given(values, "text")) {
    throw InputError("--text does not go with vacuous: its rationales are the rows' baselines",
                     "rubric derive outputs", "leave --text out");
  }
  check_json_lines_name(output);
  const std::string field = text_option(values, "text");
  const std::string ids = file_option(values, "ids");
  const data::TaskOutputs outputs = data::read_task_outputs(
      input, kind, field.empty() ? "generated" : field,
      ids.empty() ? std::nullopt : std::optional(data::read_input_ids(ids)));
  const std::vector<data::RationaleExample>& unusable = outputs.set.unusable;
  if (!unusable.empty() && !values.contains("keep-going")) throw data::unusable_error(outputs.set);
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
}

void derive_pairs(const OptionValues& values, const std::string& output) {
  const data::DerivationPairs pairs = read_pairs(values);
  std::vector<Json> rows;
  for (const data::SourceTarget& pair : pairs.rows) {
    Json row = Json::Object{{"id", pair.id}, {"source", pair.source}};
    if (!pair.target.empty()) row["target"] = pair.target;
    rows.push_back(std::move(row));
  }
  data::write_rows(output, rows);
  if (!pairs.skipped.empty()) {
    log_warning(std::to_string(pairs.skipped.size()) +
                " supporting facts are of sentences that do not exist and are passed over: " +
                join_some(pairs.skipped));
  }
  log_info(std::to_string(rows.size()) + " rows in " + output);
}

}  // namespace rubric::cli
