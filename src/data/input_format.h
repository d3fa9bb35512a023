// How a file of rows is written, and what it calls our fields.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rubric {

enum class InputFormat { jsonl, mocha, csv, tsv };

// The format by name, or for "" by the file's name: .jsonl, .json (MOCHA's nesting), .csv, .tsv.
InputFormat input_format(const std::string& name, const std::filesystem::path& file);

// Our field names to the file's own, where they differ: {"candidate", "prediction"}.
using FieldNames = std::map<std::string, std::string>;

// "candidate=prediction" as given on the command line. Throws InputError.
FieldNames parse_field_names(const std::vector<std::string>& assignments);

}  // namespace rubric
