// One function for each suite of `evaluate`; arguments without its name.
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

// What the suites that evaluate a ledger share.

// --ledger and, of one that holds a mix, --judge, --prompt-hash and --parameters.
void add_ledger_options(CommandSyntax& syntax);
judge::LedgerChoice ledger_choice_option(const OptionValues& values);

// The ledger or what is chosen of it, with a warning where its last line is torn.
judge::Ledger read_chosen_ledger(const std::string& file, const judge::LedgerChoice& choice = {});

// What a suite has found, printed and written as its options say.

struct SuiteOutput {
  std::string title, command, signature;
  Json json;
  std::vector<eval::Table> tables;
  eval::Table figures;                   // one a row: what --format csv prints
  std::vector<std::string> notes;  // of the tables, which the figures lack
};

// To standard output by --format, to the files of --summary and --report; the signature to stderr.
void write_suite(SuiteOutput output, const std::string& summary, const std::string& report,
                 eval::OutputFormat format);

}  // namespace rubric::cli
