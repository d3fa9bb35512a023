// How the fields of a request become the options of a command, and these set the fields.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "cli/shared/options.h"
#include "config/request.h"
#include "rubric/output.h"

namespace rubric::cli {

void visit_threads(auto& field, int64_t& threads) {
  field("threads", threads, "0: one for each core").range(0, 4096);
}

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
        .choices({"text", "json", "markdown", "csv", "latex", "html"})
        .names();
    field("records", records, kRecordsHelp);
  }
};

// Adds an option for each field, and what `reproduce` must know of the fields.
void add_options(const config::RequestFields& fields, CommandSyntax& syntax);

// Sets the fields whose options were given. Throws InputError for a value that a field cannot have.
void set_given(const OptionValues& values, config::RequestFields& fields);

// Throws InputError for options that ask for what the output has no place for.
void check_output(const OptionValues& values, const config::RequestFields& fields,
                  const ResultOutput& output);

}  // namespace rubric::cli
