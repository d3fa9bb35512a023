// How the fields of a request become the options of a command, and these set the fields; how its
// result is printed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "config/request.h"
#include "rubric/output.h"
#include "rubric/result.h"

namespace rubric::cli {

void visit_threads(auto& field, int64_t& threads) {
  field("threads", threads, "0: one for each core").range(0, 4096);
}

// In the order of OutputFormat.
inline const std::vector<std::string> kFormats = {"text", "json",  "markdown",
                                                  "csv",  "latex", "html"};

// What every command that has a result prints and writes of it.
struct ResultOutput {
  std::vector<OutputFormat> formats;  // empty: text
  std::string records;
  std::filesystem::path report, summary;
  int64_t threads = 0;

  void visit_fields(auto& field) {
    field("report", report, "also write tables and pictures as one HTML page").output();
    field("summary", summary, "also write the results as JSON").output();
    visit_threads(field, threads);
    field(
        "format", formats,
        "text (the default), json, markdown, csv, latex or html; several, such as text,json, come "
        "as an object of JSON")
        .choices(kFormats)
        .names();
    field(
        "records", records,
        "print this table of the result's records as CSV, with whole texts; JSON has their names");
  }
};

// Adds an option for each field, and what `reproduce` must know of the fields.
void add_options(const config::RequestFields& fields, CommandSyntax& syntax);

// Sets the fields whose options were given. Throws InputError for a value that a field cannot have.
void set_given(const OptionValues& values, config::RequestFields& fields);

// Throws InputError for options that ask for what the output has no place for, and where a table of
// records and a format are both asked for.
void check_output(const OptionValues& values, const config::RequestFields& fields,
                  const ResultOutput& output);

// Throws InputError where a result with tables of records of these names lacks the one that is
// asked for: before anything of it is written.
void require_records(const std::vector<std::string>& names, const std::string& name);
std::vector<std::string> names_of_records(const Result& result);

// Logs the result's signature, and its notes where they are not printed, and prints the result, or
// its table of records, which is there; of several formats an object of JSON with each by name.
void print_result(const Result& result, const ResultOutput& output);

}  // namespace rubric::cli
