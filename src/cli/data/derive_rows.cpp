#include "cli/data/derive_kinds.h"
#include "cli/data/rationale_options.h"
#include "core/system/log.h"
#include "data/rationales/rationale_rows.h"
#include "data/rationales/rationale_sample.h"
#include "data/rows/rows_part.h"

namespace rubric {
namespace {

// The data set and its files.
RationaleSource source_option(const OptionValues& values) {
  const std::string where = "rubric derive rationales";
  std::vector<std::string> files = list_option(values, "arguments");
  if (files.empty()) {
    throw InputError("no data set is named", where, "name one of " + join(rationale_kinds()));
  }
  const std::string kind = files.front();
  files.erase(files.begin());
  if (std::ranges::find(rationale_kinds(), kind) == rationale_kinds().end()) {
    throw unknown_name("data set of rationales", kind, rationale_kinds());
  }
  if (files.empty()) throw InputError("no file is named", where + " " + kind, "name its files");
  RationaleSource source = rationale_source(values, kind, files);
  if (kind == "cose" && source.questions.empty()) {
    throw InputError(
        "--questions is missing", where + " " + kind,
        "CoS-E has explanations alone: name CommonsenseQA's files of the same version");
  }
  return source;
}

// What can be used. The rest is refused or, with --keep-going, counted.
std::vector<Rationale> usable_records(const RationaleSource& source, bool keeps_going) {
  RationaleSet set = read_rationale_source(source);
  if (set.unusable.empty()) return std::move(set.records);
  if (!keeps_going) throw unusable_error(set);
  if (set.records.empty()) throw InputError("no example can be used", source.files.front());
  log_warning(std::to_string(set.unusable.size()) +
              " examples are left out: " + join(list_problems(set), "; "));
  return std::move(set.records);
}

void write_rationales(const std::string& file, const std::vector<Rationale>& records) {
  std::vector<Json> rows;
  for (const Rationale& record : records) rows.push_back(rationale_row(record));
  write_rows(file, rows);
  log_info(std::to_string(rows.size()) + " rows in " + file);
}

}  // namespace

void derive_rationales(const OptionValues& values, const std::string& output) {
  const RationaleSource source = source_option(values);
  const SampleOptions sample = sample_options(values);
  const std::string rest = output_option(values, "rest");
  std::vector<std::string> inputs = source.files;
  inputs.insert(inputs.end(), source.questions.begin(), source.questions.end());
  check_replaces_none("output", output, inputs);
  inputs.push_back(output);
  check_replaces_none("rest", rest, inputs);
  check_json_lines_name(output);

  const std::vector<Rationale> records = usable_records(source, values.contains("keep-going"));
  if (sample.share == 0) return write_rationales(output, records);
  const RationaleSample parts = draw_rationales(records, sample.share, sample.seed);
  if (parts.drawn.empty()) {
    throw InputError("the sample of " + std::to_string(records.size()) + " examples is empty",
                     "--sample " + text_option(values, "sample"), "take a larger share");
  }
  write_rationales(output, parts.drawn);
  if (!rest.empty()) write_rationales(rest, parts.rest);
}

}  // namespace rubric
