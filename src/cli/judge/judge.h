// `judge`.
#pragma once

#include <filesystem>
#include <string>

#include "cli/command.h"
#include "judge/endpoint/judging.h"
#include "judge/ledger/judged_rows.h"
#include "rubric/judge_choice.h"
#include "rubric/row_format.h"

namespace rubric::cli {

struct JudgeRequest {
  std::filesystem::path input;     // answers to ask an endpoint about
  std::filesystem::path recorded;  // answers with recorded replies, in place of `input`
  bool preference = false, one_order = false;
  std::filesystem::path ledger;
  judge::JudgedRows rows;  // without prompt, parameters and kind
  std::filesystem::path prompt;
  RowFormat row_format;
  std::string endpoint, key_variable;
  std::string parameters = R"({"max_tokens": 1024, "temperature": 0.2})";
  judge::JudgingSettings settings;  // without endpoint and prompt
  bool mixed = false, dry_run = false;
  std::string parser;  // "": published

  void visit_fields(auto& field) {
    field("input", input, "the answers to be judged").input().short_as('i');
    field("import", recorded, "answers with recorded replies").input();
    field("ledger", ledger, "the ledger to append to; a dry run needs none").output().appended();
    field("judge", rows.judge.judge, "the model that judges, such as gpt-4-0613")
        .named("MODEL")
        .required();
    field("system-name", rows.system, "the system that gave the answers, if the rows do not say");
    field("language", rows.language,
          "the language of the answers, if the rows do not say: en (the default), th, zh, …")
        .named("CODE");
    field("prompt", prompt,
          "the file with the instruction for the model: a text, or a result file of CHIE's "
          "authors, which quotes theirs; else rubric's own (configs/prompts) or, with --import, "
          "unknown")
        .input();
    row_format.visit_fields(field);
    visit_reference_separator(field, rows.reference_separator);
    visit_parser(field, parser);
    field("mixed", mixed, "let the ledger hold several judges, prompts and parameters");
    field("preference", preference, "ask for the better of two answers").only_with("input");
    field("one-order", one_order,
          "with --preference: ask each pair only once, with answer_a first, as the paper does")
        .only_with("preference");
    field("endpoint", endpoint, "such as https://api.openai.com/v1, http://localhost:8000/v1")
        .named("URL")
        .only_with("input");
    field("key-variable", key_variable,
          "the environment variable with the endpoint's key; else OPENAI_API_KEY, only over https")
        .only_with("input");
    field("parameters", parameters, "sent with model and messages; the default is the paper's")
        .named("JSON")
        .only_with("input");
    settings.visit_fields(field);
    field("dry-run", dry_run,
          "print the first prompts and the number of requests; ask nothing; needs neither "
          "--ledger nor --endpoint")
        .only_with("input");
  }
};
void judge_rows(const JudgeRequest& request, const Context& context);

inline constexpr Command kJudge = {
    .name = "judge",
    .summary = "asks a language model about answers (CHIE), or replays its replies",
    .make_call = config::make_call<JudgeRequest, judge_rows>,
    .is_step = true,
    .has_link = true,
    .resumes = true};

// Asks the endpoint about `rows`, whose prompt and parameters it sets.
void ask_endpoint(const JudgeRequest& request, judge::JudgedRows rows);

judge::LedgerMix ledger_mix(const JudgeRequest& request);

void warn_of_torn_line(const judge::RecordedJudgements& ledger);

}  // namespace rubric::cli
