// rubric derive rationales, rationale-pairs: published data sets of rationales as rows, and the
// outputs of REV's task models as pairs of label and rationale.
#include "cli/derive/rationales.h"

#include <array>

#include "cli/data/rationale_options.h"
#include "cli/derive/rationale_pairs.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/rationales/list.h"
#include "data/rationales/rationale_rows.h"
#include "data/rationales/task_outputs.h"
#include "data/rows/rows.h"

namespace rubric::cli {

namespace po = boost::program_options;

CommandSyntax rationales_syntax() {
  CommandSyntax syntax;
  syntax.listed["readers"] = join(names_of<data::RationaleReader>(data::kRationaleReaders), "|");
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  syntax.options.add_options()("arguments", po::value<std::vector<std::string>>(),
                               "the data set, then its files");
  add_rationale_options(syntax);
  syntax.options.add_options()("rest", file(), "the file for the examples that are not drawn")(
      "keep-going", "leave out and count rows that cannot be used")("output,o", file()->required(),
                                                                    "the rows, as JSON lines");
  syntax.positional.add("arguments", -1);
  syntax.inputs = {"arguments", "questions"};
  syntax.outputs = {"output", "rest"};
  return syntax;
}

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
                     "its files hold only explanations: name " + std::string(reader.questions) +
                         " of the same version");
  }
  return source;
}

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

void write_rationales(const std::string& file, const std::vector<data::Rationale>& records) {
  std::vector<Json> rows;
  for (const data::Rationale& record : records) rows.push_back(data::rationale_row(record));
  data::write_rows(file, rows);
  log_info(std::to_string(rows.size()) + " rows in " + file);
}

}  // namespace

int run_derive_rationales(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(rationales_syntax(), arguments);
  if (!values) return kDone;
  const std::string output = output_option(*values, "output");
  const data::RationaleSource source = source_option(*values);
  const SampleOptions sample = sample_options(*values, "rest");
  const std::string rest = output_option(*values, "rest");
  std::vector<std::string> inputs = source.files;
  inputs.insert(inputs.end(), source.questions.begin(), source.questions.end());
  check_replaces_none("output", output, inputs);
  inputs.push_back(output);
  check_replaces_none("rest", rest, inputs);
  check_json_lines_name(output);

  const std::vector<data::Rationale> records =
      usable_records(source, values->contains("keep-going"));
  if (sample.share == 0) {
    write_rationales(output, records);
    return kDone;
  }
  const data::RationaleSample parts = data::draw_rationales(records, sample.share, sample.seed);
  if (parts.drawn.empty()) {
    throw InputError("the sample of " + std::to_string(records.size()) + " examples is empty",
                     "--sample " + text_option(*values, "sample"), "take a larger share");
  }
  write_rationales(output, parts.drawn);
  if (!rest.empty()) write_rationales(rest, parts.rest);
  return kDone;
}

CommandSyntax rationale_pairs_syntax() {
  CommandSyntax syntax;
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  syntax.options.add_options()("kind", po::value<std::vector<std::string>>(), "the kind of pairs")(
      "input,i", file()->required(), "rationale rows with what a model wrote")(
      "text", po::value<std::string>()->default_value("generated")->value_name("FIELD"),
      "the field that holds the text")(
      "ids", file(), "for published outputs: the rationale rows whose ids they get")(
      "keep-going", "leave out and count rows that cannot be used")("output,o", file()->required(),
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
  if (outputs.rows.empty())
    throw InputError("no row can be used", input,
                     "leave --keep-going out, which names what they lack");
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
  data::write_rows(output, outputs.rows);
  log_info(std::to_string(outputs.rows.size()) + " rows in " + output);
  return kDone;
}

}  // namespace rubric::cli
