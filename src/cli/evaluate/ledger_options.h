// What the suites that evaluate a ledger share.
#pragma once

#include "cli/shared/options.h"
#include "judge/ledger/ledger.h"

namespace rubric {

// --ledger and, of one that holds a mix, --judge, --prompt-hash and --parameters.
void add_ledger_options(CommandSyntax& syntax);
LedgerChoice ledger_choice_option(const OptionValues& values);

// The ledger or what is chosen of it, with a warning where its last line is torn.
Ledger read_chosen_ledger(const std::string& file, const LedgerChoice& choice = {});

}  // namespace rubric
