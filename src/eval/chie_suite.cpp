#include "eval/chie_suite.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "judge/ledger.h"

namespace rubric {
namespace {

// Of each answer the entry with the highest attempt, in the order of the first ones.
std::vector<const LedgerEntry*> last_attempts(std::span<const LedgerEntry> entries,
                                              const std::string& language,
                                              const std::string& where) {
  std::vector<const LedgerEntry*> last;
  std::map<JudgedAnswer, size_t> places;
  std::set<std::string> languages;
  for (const LedgerEntry& entry : entries) {
    languages.insert(entry.language);
    if (!language.empty() && entry.language != language) continue;
    const auto [place, is_new] = places.emplace(judged_answer(entry), last.size());
    if (is_new) {
      last.push_back(&entry);
    } else if (last[place->second]->attempt < entry.attempt) {
      last[place->second] = &entry;
    }
  }
  if (!last.empty()) return last;
  if (entries.empty()) throw InputError("the ledger is empty", where);
  throw InputError("no answer is in the language " + json_quote(language), where,
                   "name one of " + join({languages.begin(), languages.end()}));
}

ChieSystem& system_of(const LedgerEntry& entry, std::vector<ChieSystem>& systems,
                      const std::string& where) {
  const auto found = std::ranges::find(systems, entry.answer.source, &ChieSystem::name);
  if (found == systems.end()) {
    systems.push_back({entry.answer.source, entry.language});
    return systems.back();
  }
  if (found->language == entry.language) return *found;
  throw InputError(found->name + " has answers in " + found->language + " and " + entry.language,
                   where, "name one of the two: --language " + entry.language);
}

}  // namespace

ChieEvaluation evaluate_chie(std::span<const LedgerEntry> entries, const std::string& language,
                             VerdictParser parser, const std::string& where) {
  ChieEvaluation evaluation;
  evaluation.parser = parser;
  for (const LedgerEntry* entry : last_attempts(entries, language, where)) {
    ChieSystem& system = system_of(*entry, evaluation.systems, where);
    const auto published = published_verdicts(entry->reply), strict = strict_verdicts(entry->reply);
    if (published != strict) {
      evaluation.disagreements.push_back(
          {system.name, system.language, entry->answer.id, published, strict});
    }
    const auto& verdicts = parser == VerdictParser::strict ? strict : published;
    if (!verdicts) ++system.invalid;
    for (size_t i = 0; verdicts && i < kAspects.size(); ++i) system.agreed[i] += (*verdicts)[i];
    system.answers.push_back({entry, verdicts});
  }
  return evaluation;
}

}  // namespace rubric
