#include "eval/chie/suite.h"

#include <algorithm>

#include "judge/ledger/last_attempts.h"

namespace rubric {
namespace {

ChieSystem& system_of(const LedgerEntry& entry, std::vector<ChieSystem>& systems) {
  const auto found = std::ranges::find(systems, entry.answer.source, &ChieSystem::name);
  if (found != systems.end()) return *found;
  systems.push_back({entry.answer.source, entry.language});
  return systems.back();
}

}  // namespace

ChieEvaluation evaluate_chie(std::span<const LedgerEntry> entries, const std::string& language,
                             VerdictParser parser, const std::string& where) {
  ChieEvaluation evaluation;
  evaluation.parser = parser;
  for (const LedgerEntry* entry : last_attempts(entries, Judgements::verdicts, language, where)) {
    ChieSystem& system = system_of(*entry, evaluation.systems);
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
