// Every command. Its options are light, also where rubric-neural runs it, so that rubric lists them
// and `reproduce` knows what a step reads.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shared/options.h"
#include "core/list.h"

namespace rubric::cli {

using Arguments = std::vector<std::string>;  // without the program's and the command's name

struct Command {
  std::string_view name, summary;
  CommandSyntax (*syntax)() = nullptr;  // null: it has parts
  // Returns the exit code. Null: rubric-neural runs it (run_neural).
  int (*run)(const Arguments& arguments) = nullptr;
  bool is_neural = false;     // rubric-neural runs it, perhaps too
  bool is_for_ranks = false;  // may run as one of a launcher's processes
  bool is_step = false;       // may be a step of an experiment
  bool has_link = true;       // a program of its name lies beside rubric, where the system has none
  std::span<const Command* const> parts = {};  // the suites of `evaluate`, each with a syntax
};

// What rubric-neural runs for a command; where one is missing, linking fails.
template <const Command& command>
int run_neural(const Arguments& arguments);

// The suites of `evaluate`.

CommandSyntax mocha_syntax();
int run_evaluate_mocha(const Arguments& arguments);
CommandSyntax agreement_syntax();
int run_evaluate_agreement(const Arguments& arguments);
CommandSyntax r4c_syntax();
int run_evaluate_r4c(const Arguments& arguments);
CommandSyntax rev_syntax();
int run_evaluate_rev(const Arguments& arguments);
CommandSyntax chie_syntax();
int run_evaluate_chie(const Arguments& arguments);
CommandSyntax preference_syntax();
int run_evaluate_preference(const Arguments& arguments);
CommandSyntax gaps_syntax();
int run_evaluate_gaps(const Arguments& arguments);

inline constexpr Command kMochaSuite = {
    .name = "mocha",
    .summary = "correlation with MOCHA's judgements of answers, accuracy on minimal pairs",
    .syntax = mocha_syntax,
    .run = run_evaluate_mocha};
inline constexpr Command kAgreementSuite = {
    .name = "agreement",
    .summary = "which of several metrics agrees best with human labels, on your own rows",
    .syntax = agreement_syntax,
    .run = run_evaluate_agreement};
inline constexpr Command kR4cSuite = {
    .name = "r4c",
    .summary = "derivations against reference derivations, as R4C aligns them",
    .syntax = r4c_syntax,
    .run = run_evaluate_r4c};
inline constexpr Command kRevSuite = {
    .name = "rev",
    .summary = "kinds of free-text rationales compared by REV, LAS and RQ",
    .syntax = rev_syntax,
    .run = run_evaluate_rev};
inline constexpr Command kChieSuite = {
    .name = "chie",
    .summary = "systems by the four aspects of CHIE, from a judge's ledger",
    .syntax = chie_syntax,
    .run = run_evaluate_chie};
inline constexpr Command kPreferenceSuite = {
    .name = "preference",
    .summary = "which of two answers a judge prefers, and whether their order matters",
    .syntax = preference_syntax,
    .run = run_evaluate_preference};
inline constexpr Command kGapsSuite = {
    .name = "gaps",
    .summary = "the rows on which a metric errs most, for error analysis, and its tally",
    .syntax = gaps_syntax,
    .run = run_evaluate_gaps};

// A new suite is its definition above, and a line here.
// clang-format off
inline constexpr const Command* kSuites[] = {
    &kMochaSuite,
    &kAgreementSuite,
    &kR4cSuite,
    &kRevSuite,
    &kChieSuite,
    &kPreferenceSuite,
    &kGapsSuite,
};
// clang-format on
static_assert(are_told_apart(kSuites));

// The commands.

CommandSyntax train_syntax();
CommandSyntax score_syntax();
int run_score(const Arguments& arguments);
CommandSyntax generate_syntax();
int run_evaluate(const Arguments& arguments);
CommandSyntax judge_syntax();
int run_judge(const Arguments& arguments);
CommandSyntax compare_syntax();
int run_compare(const Arguments& arguments);
CommandSyntax split_syntax();
int run_split(const Arguments& arguments);
CommandSyntax prepare_syntax();
int run_prepare(const Arguments& arguments);
CommandSyntax import_syntax();
CommandSyntax derive_syntax();
int run_derive(const Arguments& arguments);
CommandSyntax describe_syntax();
int run_describe(const Arguments& arguments);
CommandSyntax reproduce_syntax();
int run_reproduce(const Arguments& arguments);
CommandSyntax watch_syntax();
int run_watch(const Arguments& arguments);
CommandSyntax list_syntax();
int run_list(const Arguments& arguments);

inline constexpr Command kTrain = {.name = "train",
                                   .summary = "trains a metric as a configuration file says",
                                   .syntax = train_syntax,
                                   .is_neural = true,
                                   .is_for_ranks = true,
                                   .is_step = true};
template <>
int run_neural<kTrain>(const Arguments& arguments);
inline constexpr Command kScore = {.name = "score",
                                   .summary = "scores a file of answers with one or more metrics",
                                   .syntax = score_syntax,
                                   .run = run_score,
                                   .is_neural = true,
                                   .is_for_ranks = true,
                                   .is_step = true};
template <>
int run_neural<kScore>(const Arguments& arguments);
inline constexpr Command kGenerate = {
    .name = "generate",
    .summary = "writes texts with a sequence model, or chooses among given ones",
    .syntax = generate_syntax,
    .is_neural = true,
    .is_for_ranks = true,
    .is_step = true};
template <>
int run_neural<kGenerate>(const Arguments& arguments);
inline constexpr Command kEvaluate = {.name = "evaluate",
                                      .summary = "compares metrics with human judgements",
                                      .run = run_evaluate,
                                      .is_step = true,
                                      .parts = kSuites};
inline constexpr Command kJudge = {
    .name = "judge",
    .summary = "asks a language model about answers (CHIE), or replays its replies",
    .syntax = judge_syntax,
    .run = run_judge,
    .is_step = true};
inline constexpr Command kCompare = {.name = "compare",
                                     .summary = "tests whether systems differ in one metric",
                                     .syntax = compare_syntax,
                                     .run = run_compare,
                                     .is_step = true,
                                     .has_link = false};
inline constexpr Command kSplit = {.name = "split",
                                   .summary = "splits rows into parts to train, tune and test on",
                                   .syntax = split_syntax,
                                   .run = run_split,
                                   .is_step = true,
                                   .has_link = false};
inline constexpr Command kPrepare = {
    .name = "prepare",
    .summary = "tokenises a configuration's data ahead of training",
    .syntax = prepare_syntax,
    .run = run_prepare,
    .is_for_ranks = true};
inline constexpr Command kImport = {.name = "import",
                                    .summary = "makes a model directory of a published archive",
                                    .syntax = import_syntax,
                                    .is_neural = true,
                                    .has_link = false};
template <>
int run_neural<kImport>(const Arguments& arguments);
inline constexpr Command kDerive = {
    .name = "derive",
    .summary = "makes derivations from parsed sentences, R4C's baselines",
    .syntax = derive_syntax,
    .run = run_derive,
    .is_step = true};
inline constexpr Command kDescribe = {.name = "describe",
                                      .summary = "a data set's statistics",
                                      .syntax = describe_syntax,
                                      .run = run_describe,
                                      .is_step = true};
inline constexpr Command kReproduce = {
    .name = "reproduce",
    .summary = "runs what is missing behind a paper's table, prints paper against measured",
    .syntax = reproduce_syntax,
    .run = run_reproduce};
inline constexpr Command kWatch = {.name = "watch",
                                   .summary = "shows the curves of training runs in the terminal",
                                   .syntax = watch_syntax,
                                   .run = run_watch,
                                   .has_link = false};
inline constexpr Command kList = {
    .name = "list",
    .summary = "lists metrics, readers, models, tasks, suites or commands",
    .syntax = list_syntax,
    .run = run_list,
    .has_link = false};

// A new command is its definition above, and a line here.
// clang-format off
inline constexpr const Command* kCommands[] = {
    &kTrain,
    &kScore,
    &kGenerate,
    &kEvaluate,
    &kJudge,
    &kCompare,
    &kSplit,
    &kPrepare,
    &kImport,
    &kDerive,
    &kDescribe,
    &kReproduce,
    &kWatch,
    &kList,
};
// clang-format on
static_assert(are_told_apart(kCommands));

}  // namespace rubric::cli
