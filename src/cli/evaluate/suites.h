// What suites share: the options of a judge's ledger, and output.
#pragma once

#include <string>

#include "cli/shared/options.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "judge/ledger/ledger.h"

namespace rubric::cli {

// Ledgers.

// Adds --ledger, which must be given if it `is_required`, and, to choose from a mixed ledger,
// --judge, --prompt-hash and --parameters.
void add_ledger_options(CommandSyntax& syntax, bool is_required = true);
void add_parser_option(CommandSyntax& syntax);  // --parser, here and in `judge`
JudgeChoice ledger_choice_option(const OptionValues& values);

// Output.

// Prints to stdout in `formats` and writes the files of --summary and --report ("": not given); the
// signature goes to stderr. The report shows the `command` that made it.
void write_result(const Result& result, const std::string& summary, const std::string& report,
                  const std::string& command, const Formats& formats);

}  // namespace rubric::cli
