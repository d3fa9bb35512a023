// What suites share: the options of a judge's ledger, and output.
#pragma once

#include <string>

#include "cli/shared/options.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "judge/ledger/ledger.h"

namespace rubric::cli {

// Ledgers.

// Adds --ledger and, to choose from a mixed ledger, --judge, --prompt-hash and --parameters.
void add_ledger_options(CommandSyntax& syntax);
judge::LedgerChoice ledger_choice_option(const OptionValues& values);

// Reads the chosen part of the ledger, with a warning if its last line is incomplete.
judge::Ledger read_chosen_ledger(const std::string& file, const judge::LedgerChoice& choice = {});

// Output.

// Prints to stdout in `formats` and writes the files of --summary and --report ("": not given); the
// signatures go to stderr.
void write_suite(const eval::SuiteOutput& output, const std::string& summary,
                 const std::string& report, const Formats& formats);

}  // namespace rubric::cli
