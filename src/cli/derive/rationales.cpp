// rubric derive rationales: published data sets of rationales as rows.
#include "cli/derive/rationales.h"

#include "cli/data/rationale_options.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/rationales/list.h"
#include "data/rationales/rationale_rows.h"
#include "data/rows/rows.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax rationales_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric derive rationales " +
      join(names_of<data::RationaleReader>(data::kRationaleReaders), "|") +
      " FILE… --output FILE [options]\n\n"
      "Rows of rationales from a data set as it was published: \"id\", \"question\" (or\n"
      "\"premise\" and \"hypothesis\"), \"choices\", \"label\", \"gold\" and \"rationale\". cose "
      "joins\n"
      "explanations with --questions. An example that cannot be used (no rationale, no question,\n"
      "a label that is no choice, an id that stood before) is refused, or with --keep-going left\n"
      "out and counted.";
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  syntax.options.add_options()("arguments", po::value<std::vector<std::string>>(),
                               "the data set, then its files");
  add_rationale_options(syntax);
  syntax.options.add_options()("rest", file(), "where the examples that are not drawn go")(
      "keep-going", "leave out, and count, what cannot be used")("output,o", file()->required(),
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

}  // namespace rubric::cli
