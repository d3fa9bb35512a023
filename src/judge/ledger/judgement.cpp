#include "judge/ledger/judgement.h"

#include "judge/verdicts/verdicts.h"

namespace rubric {

std::vector<Message> entry_messages(const std::string& prompt, const LedgerEntry& entry) {
  const Answer& answer = entry.answer;
  switch (entry.order) {
    case AnswerOrder::ab:
      return preference_messages(prompt, answer, answer.candidate, entry.other);
    case AnswerOrder::ba:
      return preference_messages(prompt, answer, entry.other, answer.candidate);
    default:
      return judge_messages(prompt, answer);
  }
}

bool holds_verdict(const LedgerEntry& entry) {
  if (entry.order == AnswerOrder::none) return published_verdicts(entry.reply).has_value();
  return read_preference(entry.reply).has_value();
}

std::optional<Preference> entry_preference(const LedgerEntry& entry) {
  const std::optional<Preference> shown = read_preference(entry.reply);
  if (!shown || *shown == Preference::tie || entry.order == AnswerOrder::ab) return shown;
  return *shown == Preference::a ? Preference::b : Preference::a;
}

}  // namespace rubric
