// judge --input: asks an endpoint to judge answers.
#include <algorithm>
#include <exception>
#include <iostream>

#include "cli/judge/judge.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/signals.h"
#include "judge/endpoint/completions.h"
#include "judge/endpoint/judging.h"
#include "judge/ledger/entry.h"
#include "judge/request.h"

namespace rubric::cli {
namespace {

std::string parameters_of(const JudgeRequest& request) {
  const std::string text = judge::judge_parameters(request.parameters, "--parameters");
  const Json json = Json::parse(text, "--parameters");
  for (const char* name : {"model", "messages", "stream", "n"}) {
    if (json.find(name) == nullptr) continue;
    throw InputError("rubric sets the parameter " + json_quote(name) + " itself", "--parameters",
                     "leave it out");
  }
  judge::most_reply_tokens(text);  // throws unless it has a whole number
  return text;
}

judge::JudgingSettings settings_of(const JudgeRequest& request, const std::string& prompt) {
  if (request.endpoint.empty() && !request.dry_run) {
    throw InputError("--endpoint is missing", "command line",
                     "name where the judge answers, such as https://api.openai.com/v1");
  }
  judge::JudgingSettings settings = request.settings;
  judge::Endpoint& endpoint = settings.endpoint;
  if (!request.endpoint.empty()) endpoint.url = judge::chat_completions_url(request.endpoint);
  if (!request.dry_run) endpoint.key = judge::endpoint_key(endpoint.url, request.key_variable);
  settings.prompt = prompt;
  return settings;
}

void print_dry_run(const std::vector<judge::LedgerEntry>& asked,
                   const judge::JudgingSettings& settings) {
  constexpr size_t kShown = 2;
  for (size_t i = 0; i < std::min(kShown, asked.size()); ++i) {
    const judge::LedgerEntry& entry = asked[i];
    std::cout << "---- id " << json_quote(entry.answer.id) << " of " << entry.answer.source
              << " ----\n";
    for (const auto& [role, content] : judge::entry_messages(settings.prompt, entry)) {
      std::cout << "[" << role << "]\n" << content << "\n";
    }
  }
  int64_t prompts = 0, replies = 0;
  for (const judge::LedgerEntry& entry : asked) {
    prompts += judge::estimated_tokens(judge::entry_messages(settings.prompt, entry));
    replies += judge::most_reply_tokens(entry.parameters);
  }
  std::cout << "---- in all ----\n"
            << asked.size() << " requests"
            << (settings.endpoint.url.empty() ? "" : " to " + settings.endpoint.url) << ", about "
            << prompts << " tokens of prompts and at most " << replies << " of replies\n"
            << "up to " << settings.attempts
            << " times as much, because rubric asks again when a reply holds no verdict\n";
}

std::string counts_line(const judge::JudgingCounts& counts) {
  const auto text = [](int64_t count) { return std::to_string(count); };
  return text(counts.valid) + " answers judged, " + text(counts.invalid) + " without a verdict" +
         (counts.truncated == 0
              ? ""
              : " (" + text(counts.truncated) + " ended at the limit of tokens)") +
         (counts.unfinished == 0
              ? ""
              : " (" + text(counts.unfinished) + " ended inside their thinking)") +
         (counts.refused == 0 ? "" : " (" + text(counts.refused) + " refused)") + ", " +
         text(std::ssize(counts.failed)) + " failed, " + text(counts.remaining) + " left; " +
         text(counts.requests) + " requests, " + text(counts.usage.prompt) +
         " tokens of prompts, " + text(counts.usage.completion) + " of replies" +
         (counts.lost_tokens == 0
              ? ""
              : ", at most " + text(counts.lost_tokens) + " tokens of replies cut off or given up");
}

// Throws unless everything was judged.
void require_all(const judge::JudgingCounts& counts, const judge::JudgingSettings& settings,
                 const std::string& ledger) {
  if (counts.failure) std::rethrow_exception(counts.failure);
  if (counts.end == judge::JudgingEnd::stopped) end_if_stop_requested();
  if (counts.end == judge::JudgingEnd::out_of_budget && counts.requests == 0) {
    throw InputError(
        "the first request may use " + std::to_string(counts.next_tokens) +
            " tokens, more than the budget of " + std::to_string(settings.budget_tokens),
        "--budget-tokens", "raise the budget, or set a smaller max_tokens in --parameters");
  }
  if (counts.end == judge::JudgingEnd::out_of_budget) {
    throw Error("the budget of this call is used up: " + std::to_string(counts.remaining) +
                    " answers are left",
                ledger, "start the same command again: it goes on with the same budget");
  }
  if (counts.failed.empty()) return;
  throw Error(counted(std::ssize(counts.failed), "answer was", "answers were") +
                  " not judged: " + join_some(counts.failed, "; "),
              settings.endpoint.url,
              "start the same command again to ask about them once more; leave out rows that the "
              "endpoint always refuses");
}

constexpr const char* kUnreadHint =
    "give a --prompt that asks for the words Agree and Disagree (with --preference for A, B or "
    "Tie), a higher limit of tokens in --parameters, or another reading with --parser";

// Throws when no reply of this call could be read or, where it asked nothing, none of the ledger.
void require_a_verdict(const judge::JudgingCounts& counts, const judge::RecordedJudgements& before,
                       const std::string& ledger) {
  const bool has_asked = counts.valid + counts.invalid > 0;
  const auto is_valid = [](const auto& judgement) { return judgement.second.is_valid; };
  const int64_t unread = has_asked ? counts.invalid : std::ssize(before.judgements);
  const bool has_verdict =
      has_asked ? counts.valid > 0 : std::ranges::any_of(before.judgements, is_valid);
  if (has_verdict || unread == 0) return;
  const char* const hint =
      has_asked && counts.truncated == unread
          ? "raise max_tokens (or max_completion_tokens) in --parameters, with a new --ledger"
      : has_asked && counts.refused == unread
          ? "the model or its server refused each of them: give another --prompt or --judge"
      : has_asked && counts.unfinished == unread
          ? "turn thinking off in --parameters, or give another --prompt, with a new --ledger"
          : kUnreadHint;
  throw Error(judge::unread_text(unread, has_asked ? counts.unread_reply : before.unread_reply),
              ledger, hint);
}

}  // namespace

void ask_endpoint(const JudgeRequest& request, judge::JudgedRows rows) {
  const std::string ledger = request.ledger.string();
  rows.judge.prompt = judge::read_judge_prompt(!request.prompt.empty() ? request.prompt
                                               : rows.kind == judge::JudgedKind::answers
                                                   ? judge::default_judge_prompt()
                                                   : judge::default_preference_prompt());
  rows.judge.parameters = parameters_of(request);
  const judge::JudgingSettings settings = settings_of(request, rows.judge.prompt);
  const judge::LedgerMix mix = ledger_mix(request);
  std::vector<judge::LedgerEntry> entries = judge::read_judged_rows(
      request.input, data::input_format(request.row_format, request.input), rows);
  const size_t all = entries.size();
  if (request.dry_run) {
    const bool is_begun = !ledger.empty() && is_there(ledger, "name another ledger");
    const judge::RecordedJudgements recorded =
        is_begun ? judge::read_recorded(ledger, rows.judge, mix) : judge::RecordedJudgements{};
    print_dry_run(judge::unjudged(std::move(entries), recorded, settings.attempts), settings);
    return;
  }
  catch_stop_signals();
  judge::LedgerWriter writer(ledger, rows.judge, mix);
  warn_of_torn_line(writer.before());
  entries = judge::unjudged(std::move(entries), writer.before(), settings.attempts);
  log_info(std::to_string(entries.size()) + " of " + std::to_string(all) + " answers to ask " +
           rows.judge.judge + " about, at " + settings.endpoint.url +
           (entries.size() < all ? "; the ledger has replies about the others" : ""));
  const judge::JudgingCounts counts = judge::judge_answers(std::move(entries), settings, writer);
  log_info(ledger + ": " + counts_line(counts));
  if (counts.strict_only > 0) {
    log_warning(
        std::to_string(counts.strict_only) +
        " replies hold verdicts only for the strict parser: evaluate reads them with --parser "
        "strict; a prompt that asks for the words Agree and Disagree gets more verdicts");
  }
  if (counts.truncated > 0) {
    log_warning(counted(counts.truncated, "reply") +
                " ended at the limit of tokens without a verdict, and the same request is not sent "
                "again: raise "
                "max_tokens (or max_completion_tokens) in --parameters, with a new --ledger");
  }
  if (counts.unfinished > 0) {
    log_warning(counted(counts.unfinished, "reply") +
                " ended inside the model's thinking without a verdict, and not at the limit of "
                "tokens; the same request is not sent again: give another --prompt, or turn "
                "thinking off in --parameters, with a new --ledger");
  }
  require_all(counts, settings, ledger);
  require_a_verdict(counts, writer.before(), ledger);
}

}  // namespace rubric::cli
