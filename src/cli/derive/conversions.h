// `derive conversions`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax conversions_syntax();
int run_derive_conversions(const Arguments& arguments);

inline constexpr Example kConversionsExamples[] = {
    {"rubric derive conversions --input samples/rev/dev.jsonl --output questions.jsonl", kRuns},
    {"rubric generate --model CONVERTER --source '{question_text} </s> {answer_text}' "
     "--output-field question_statement_text --input questions.jsonl --output statements.jsonl"},
};
inline constexpr Command kDeriveConversions = {
    .name = "conversions",
    .summary = "questions with their answers, for a converter of them to vacuous rationales",
    .syntax = conversions_syntax,
    .run = run_derive_conversions,
    .examples = kConversionsExamples};

}  // namespace rubric::cli
