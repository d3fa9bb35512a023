// The suites of `evaluate`, one function each (arguments exclude the suite's name), and what they
// share: ledger options and output.
#pragma once

#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "core/json/json.h"
#include "eval/report/table.h"
#include "judge/ledger/ledger.h"

namespace rubric::cli {

int run_evaluate_agreement(const std::vector<std::string>& arguments);
int run_evaluate_chie(const std::vector<std::string>& arguments);
int run_evaluate_gaps(const std::vector<std::string>& arguments);
int run_evaluate_mocha(const std::vector<std::string>& arguments);
int run_evaluate_preference(const std::vector<std::string>& arguments);
int run_evaluate_r4c(const std::vector<std::string>& arguments);
int run_evaluate_rev(const std::vector<std::string>& arguments);

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
  eval::Table figures;             // a value a row: printed by --format csv
  std::vector<std::string> notes;  // notes of the tables, which `figures` lacks
};

// Prints to stdout in `format` and writes the files of --summary and --report; the signature goes
// to stderr.
void write_suite(SuiteOutput output, const std::string& summary, const std::string& report,
                 eval::OutputFormat format);

}  // namespace rubric::cli
