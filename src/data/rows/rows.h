// How a file of rows is written, and what it calls our fields.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rubric {

// Rows of one's own: jsonl, csv, tsv. Published data sets: mocha, evouna, stsb.
enum class InputFormat { jsonl, mocha, csv, tsv, evouna, stsb };

// The names of all formats: jsonl, mocha, ….
const std::vector<std::string>& input_format_names();

// The format by name, or for "" by the file's name: .jsonl, .json (MOCHA's nesting), .csv, .tsv.
// `option` is what the user names it with.
InputFormat input_format(const std::string& name, const std::filesystem::path& file,
                         const std::string& option = "--input-format");

// jsonl, csv or tsv where the file's name says so, else mocha.
InputFormat rows_or_mocha(const std::filesystem::path& file);

// Whether a file of this format is rows with fields that have names: jsonl, csv, tsv.
bool has_rows(InputFormat format);

// Our field names to the file's own, where they differ: {"candidate", "prediction"}.
using FieldNames = std::map<std::string, std::string>;

// The fields of an answer under our names.
const std::vector<std::string>& answer_fields();

// "candidate=prediction" as given on the command line, of `fields` that have names. Throws
// InputError.
FieldNames parse_field_names(const std::vector<std::string>& assignments,
                             const std::vector<std::string>& fields = answer_fields());

// Throws InputError when fields are named for a format whose fields have fixed names.
void check_field_names(InputFormat format, const FieldNames& names);

}  // namespace rubric
