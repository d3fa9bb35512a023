#include "data/rows/rows.h"

#include <algorithm>

#include "core/error.h"

namespace rubric {
namespace {

const std::vector<std::string> kFields = {"id",       "constituent", "source",    "passage",
                                          "question", "reference",   "candidate", "score"};

// In the order of InputFormat.
const std::vector<std::string> kFormats = {"jsonl", "mocha", "csv", "tsv", "evouna", "stsb"};

}  // namespace

const std::vector<std::string>& input_format_names() {
  return kFormats;
}

const std::vector<std::string>& answer_fields() {
  return kFields;
}

InputFormat input_format(const std::string& name, const std::filesystem::path& file,
                         const std::string& option) {
  if (name.empty()) {
    const std::string extension = file.extension().string();
    if (extension == ".jsonl") return InputFormat::jsonl;
    if (extension == ".json") return InputFormat::mocha;
    if (extension == ".csv") return InputFormat::csv;
    if (extension == ".tsv") return InputFormat::tsv;
    throw InputError("the file's name does not tell its format", file.string(),
                     "name it with " + option + ": " + join(kFormats));
  }
  const auto found = std::find(kFormats.begin(), kFormats.end(), name);
  if (found != kFormats.end()) return static_cast<InputFormat>(found - kFormats.begin());
  throw InputError("unknown input format \"" + name + "\"", option, "choose " + join(kFormats));
}

InputFormat rows_or_mocha(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  const bool is_rows = extension == ".jsonl" || extension == ".csv" || extension == ".tsv";
  return is_rows ? input_format("", file) : InputFormat::mocha;
}

bool has_rows(InputFormat format) {
  return format == InputFormat::jsonl || format == InputFormat::csv || format == InputFormat::tsv;
}

void check_field_names(InputFormat format, const FieldNames& names) {
  if (names.empty() || has_rows(format)) return;
  throw InputError("the format " + kFormats[static_cast<size_t>(format)] + " has fixed field names",
                   "--field", "leave --field out");
}

FieldNames parse_field_names(const std::vector<std::string>& assignments,
                             const std::vector<std::string>& fields) {
  FieldNames names;
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    const std::string ours = assignment.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == assignment.size()) {
      throw InputError("expected ours=theirs, found \"" + assignment + "\"", "--field",
                       "for example --field " + fields.back() + "=prediction");
    }
    if (std::find(fields.begin(), fields.end(), ours) == fields.end()) {
      throw InputError("there is no field \"" + ours + "\"", "--field " + assignment,
                       "the fields are " + join(fields));
    }
    if (!names.emplace(ours, assignment.substr(equals + 1)).second) {
      throw InputError("the field \"" + ours + "\" is named twice", "--field " + assignment);
    }
  }
  return names;
}

}  // namespace rubric
