// The ways to fill a ledger, of one command: rubric judge.
#pragma once

#include "cli/options.h"
#include "judge/judged_rows.h"

namespace rubric {

int run_judge_import(const OptionValues& values);    // recorded replies
int run_judge_endpoint(const OptionValues& values);  // replies of an endpoint

// What the options of both say of the rows, but for the parameters and the column of replies.
JudgedRows judged_rows_options(const OptionValues& values);

LedgerMix ledger_mix_option(const OptionValues& values);

void warn_of_torn_line(const Recorded& ledger);

}  // namespace rubric
