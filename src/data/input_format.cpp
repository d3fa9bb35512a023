#include "data/input_format.h"

#include <algorithm>

#include "core/error.h"

namespace rubric {
namespace {

const std::vector<std::string> kFields = {"id",       "constituent", "source",   "passage",
                                          "question", "reference",   "candidate"};

}  // namespace

InputFormat input_format(const std::string& name, const std::filesystem::path& file) {
  const std::string given = name.empty() ? file.extension().string() : name;
  if (given == "jsonl" || given == ".jsonl") return InputFormat::jsonl;
  if (given == "mocha" || given == ".json") return InputFormat::mocha;
  if (given == "csv" || given == ".csv") return InputFormat::csv;
  if (given == "tsv" || given == ".tsv") return InputFormat::tsv;
  if (name.empty()) {
    throw InputError("the file's name does not tell its format", file.string(),
                     "add --input-format jsonl, mocha, csv or tsv");
  }
  throw InputError("unknown input format \"" + name + "\"", "--input-format",
                   "choose jsonl, mocha, csv or tsv");
}

FieldNames parse_field_names(const std::vector<std::string>& assignments) {
  FieldNames names;
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    const std::string ours = assignment.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == assignment.size()) {
      throw InputError("expected ours=theirs, found \"" + assignment + "\"", "--field",
                       "for example --field candidate=prediction");
    }
    if (std::find(kFields.begin(), kFields.end(), ours) == kFields.end()) {
      throw InputError("there is no field \"" + ours + "\"", "--field " + assignment,
                       "the fields are " + join(kFields));
    }
    if (!names.emplace(ours, assignment.substr(equals + 1)).second) {
      throw InputError("the field \"" + ours + "\" is named twice", "--field " + assignment);
    }
  }
  return names;
}

}  // namespace rubric
