#include "judge/ledger/last_attempts.h"

#include <map>
#include <set>

#include "core/error.h"

namespace rubric {
namespace {

void require_kind(const LedgerEntry& entry, Judgements counted, const std::string& where) {
  const bool compares = entry.order != AnswerOrder::none;
  if (compares == (counted == Judgements::preferences)) return;
  const std::string place = "id " + json_quote(entry.answer.id) + " of " + entry.answer.source;
  if (compares) {
    throw InputError("the ledger holds preferences between two answers (" + place + ")", where,
                     "rubric evaluate preference counts them");
  }
  throw InputError("the ledger holds verdicts on single answers (" + place + ")", where,
                   "rubric evaluate chie counts them");
}

void require_one_language(const std::vector<const LedgerEntry*>& entries,
                          const std::string& where) {
  std::map<std::string, std::string> languages;  // by system
  for (const LedgerEntry* entry : entries) {
    const auto& [system, language] =
        *languages.emplace(entry->answer.source, entry->language).first;
    if (language == entry->language) continue;
    throw InputError(system + " has answers in " + language + " and " + entry->language, where,
                     "name one of the two: --language " + entry->language);
  }
}

}  // namespace

std::vector<const LedgerEntry*> last_attempts(std::span<const LedgerEntry> entries,
                                              Judgements counted, const std::string& language,
                                              const std::string& where) {
  std::vector<const LedgerEntry*> last;
  std::map<JudgedAnswer, size_t> places;
  std::set<std::string> languages;
  for (const LedgerEntry& entry : entries) {
    require_kind(entry, counted, where);
    languages.insert(entry.language);
    if (!language.empty() && entry.language != language) continue;
    const auto [place, is_new] = places.emplace(judged_answer(entry), last.size());
    if (is_new) {
      last.push_back(&entry);
    } else if (last[place->second]->attempt < entry.attempt) {
      last[place->second] = &entry;
    }
  }
  if (entries.empty()) throw InputError("the ledger is empty", where);
  if (last.empty()) {
    throw InputError("no answer is in the language " + json_quote(language), where,
                     "name one of " + join({languages.begin(), languages.end()}));
  }
  require_one_language(last, where);
  return last;
}

}  // namespace rubric
