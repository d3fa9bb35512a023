// `judge`.
#pragma once

#include <filesystem>
#include <string>

#include "cli/command.h"
#include "judge/ledger/judged_rows.h"

namespace rubric::cli {

CommandSyntax judge_syntax();
int run_judge(const Arguments& arguments);

inline constexpr Command kJudge = {
    .name = "judge",
    .summary = "asks a language model about answers (CHIE), or replays its replies",
    .syntax = judge_syntax,
    .run = run_judge,
    .is_step = true,
    .has_link = true};

// The two ways in which it fills a ledger, and their shared options.

int run_judge_import(const OptionValues& values);    // recorded replies
int run_judge_endpoint(const OptionValues& values);  // replies of an endpoint

// The rows by the shared options, without prompt and parameters; the column of replies if --field
// names it.
judge::JudgedRows judged_rows_options(const OptionValues& values);

// The text of --prompt, or of the file `otherwise`; "" without either.
std::string prompt_option(const OptionValues& values, const std::filesystem::path& otherwise = {});

judge::LedgerMix ledger_mix_option(const OptionValues& values);

void warn_of_torn_line(const judge::RecordedJudgements& ledger);

}  // namespace rubric::cli
