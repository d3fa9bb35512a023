// The ways to fill a ledger, of one command: rubric judge.
#pragma once

#include <filesystem>
#include <string>

#include "cli/shared/options.h"
#include "judge/ledger/judged_rows.h"

namespace rubric::cli {

int run_judge_import(const OptionValues& values);    // recorded replies
int run_judge_endpoint(const OptionValues& values);  // replies of an endpoint

// What the options of both say of the rows, but for prompt, parameters and the column of replies.
judge::JudgedRows judged_rows_options(const OptionValues& values);

// The text of --prompt, or of the file to take otherwise; "" where there is none.
std::string prompt_option(const OptionValues& values, const std::filesystem::path& otherwise = {});

judge::LedgerMix ledger_mix_option(const OptionValues& values);

void warn_of_torn_line(const judge::Recorded& ledger);

}  // namespace rubric::cli
