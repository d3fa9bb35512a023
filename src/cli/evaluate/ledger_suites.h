// What the suites of a judge's ledger share: its options, and output.
#pragma once

#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "core/json/json.h"
#include "eval/report/table.h"
#include "judge/ledger/ledger.h"

namespace rubric::cli {

// Ledgers.

// Adds --ledger and, to choose from a mixed ledger, --judge, --prompt-hash and --parameters.
void add_ledger_options(CommandSyntax& syntax);
judge::LedgerChoice ledger_choice_option(const OptionValues& values);

// Reads the chosen part of the ledger, with a warning if its last line is incomplete.
judge::Ledger read_chosen_ledger(const std::string& file, const judge::LedgerChoice& choice = {});

// A suite's results, printed and written as its options say.

struct SuiteOutput {
  std::string title, command, signature;
  Json json;
  std::vector<eval::Table> tables;
  eval::Table values;              // a value a row: printed by --format csv
  std::vector<std::string> notes;  // notes of the tables, which `values` lacks
};

// Prints to stdout in `format` and writes the files of --summary and --report; the signature goes
// to stderr.
void write_suite(SuiteOutput output, const std::string& summary, const std::string& report,
                 eval::OutputFormat format);

}  // namespace rubric::cli
