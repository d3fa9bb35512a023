#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/error.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"
#include "eval/chie/chie.h"
#include "judge/ledger/ledger.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

ChieSystem& system_of(const judge::LedgerEntry& entry, std::vector<ChieSystem>& systems) {
  const auto found = std::ranges::find(systems, entry.answer.source, &ChieSystem::name);
  if (found != systems.end()) return *found;
  systems.push_back({entry.answer.source, entry.language});
  return systems.back();
}

struct Scored {
  std::string candidate;
  double bertscore = 0;
  std::string where;
};

double bertscore_of(const Json& row, const std::string& where) {
  const double score = row.require("scores", where).require_number("bertscore", where);
  if (stats::is_on_scale(score, {-1, 1})) return score;
  throw InputError("the bertscore is not a number from -1 to 1", where,
                   "score the ledger: rubric score bertscore");
}

// Several attempts at one answer have the same score.
std::map<judge::JudgedAnswer, Scored> read_scores(const std::filesystem::path& file) {
  std::map<judge::JudgedAnswer, Scored> scores;
  data::visit_rows(file, data::InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    const auto name = [&](const char* field) {
      return std::string(data::plain_name(row.require_string(field, where)));
    };
    const judge::JudgedAnswer answer = {name("system"), name("language"), name("id")};
    const Scored scored = {row.require_string("candidate", where), bertscore_of(row, where), where};
    const auto [first, is_new] = scores.emplace(answer, scored);
    if (is_new || first->second.bertscore == scored.bertscore) return true;
    throw InputError("two scores of one answer", first->second.where + " and " + where,
                     "score the ledger again: rubric score bertscore");
  });
  return scores;
}

}  // namespace

ChieEvaluation evaluate_chie(std::span<const judge::LedgerEntry> entries,
                             const std::string& language, const std::string& where) {
  ChieEvaluation evaluation;
  for (const judge::LedgerEntry* entry :
       judge::last_attempts(entries, judge::Judgements::verdicts, language, where)) {
    ChieSystem& system = system_of(*entry, evaluation.systems);
    const auto published = judge::published_verdicts(entry->reply),
               strict = judge::strict_verdicts(entry->reply);
    if (published != strict) {
      evaluation.disagreements.push_back(
          {system.name, system.language, entry->answer.id, published, strict});
    }
    const auto& verdicts = entry->parser == VerdictParser::strict ? strict : published;
    evaluation.parsers.insert(judge::parser_name(entry->parser));
    if (!verdicts) ++system.invalid;
    for (size_t i = 0; verdicts && i < judge::kAspects.size(); ++i)
      system.agreed[i] += (*verdicts)[i];
    system.answers.push_back({entry, verdicts});
  }
  return evaluation;
}

void add_bertscores(std::vector<ChieSystem>& systems, const std::filesystem::path& file) {
  constexpr const char* kAdvice =
      "score the ledger as it is: rubric score bertscore --input LEDGER";
  const std::map<judge::JudgedAnswer, Scored> scores = read_scores(file);
  for (ChieSystem& system : systems) {
    double sum = 0;
    for (ChieAnswer& judged : system.answers) {
      const data::Answer& answer = judged.entry->answer;
      const std::string name = "id " + json_quote(answer.id) + " of " + system.name;
      const auto found = scores.find(judge::judged_answer(*judged.entry));
      if (found == scores.end()) {
        throw InputError("no score of " + name, file.string(), kAdvice);
      }
      if (found->second.candidate != answer.candidate) {
        throw InputError("the score belongs to another answer than " + name + " in the ledger",
                         found->second.where, kAdvice);
      }
      judged.bertscore = found->second.bertscore;
      sum += *judged.bertscore;
    }
    system.bertscore = sum / static_cast<double>(system.n());
  }
}

}  // namespace rubric::eval
