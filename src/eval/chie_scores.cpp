#include "eval/chie_scores.h"

#include <cmath>
#include <map>
#include <utility>

#include "core/error.h"
#include "data/rows.h"
#include "judge/ledger.h"

namespace rubric {
namespace {

struct Scored {
  std::string candidate;
  double bertscore = 0;
  std::string where;
};

double bertscore_of(const Json& row, const std::string& where) {
  const double score = row.require("scores", where).require_number("bertscore", where);
  if (std::isfinite(score)) return score;
  throw InputError("the bertscore is no finite number", where);
}

// Several attempts at one answer have the same score.
std::map<JudgedAnswer, Scored> read_scores(const std::filesystem::path& file) {
  std::map<JudgedAnswer, Scored> scores;
  visit_rows(file, InputFormat::jsonl, [&](const Json& row, const std::string& where) {
    scores[{row.require_string("system", where), row.require_string("language", where),
            row.require_string("id", where)}] = {row.require_string("candidate", where),
                                                 bertscore_of(row, where), where};
    return true;
  });
  return scores;
}

}  // namespace

void add_bertscores(std::vector<ChieSystem>& systems, const std::filesystem::path& file) {
  constexpr const char* kAdvice =
      "score the ledger as it is: rubric score bertscore --input LEDGER";
  const std::map<JudgedAnswer, Scored> scores = read_scores(file);
  for (ChieSystem& system : systems) {
    double sum = 0;
    for (const Answer* answer : system.answers) {
      const std::string name = "id " + json_quote(answer->id) + " of " + system.name;
      const auto found = scores.find({system.name, system.language, answer->id});
      if (found == scores.end()) {
        throw InputError("no score of " + name, file.string(), kAdvice);
      }
      if (found->second.candidate != answer->candidate) {
        throw InputError("the score is of another answer than " + name + " in the ledger",
                         found->second.where, kAdvice);
      }
      sum += found->second.bertscore;
    }
    constexpr double kPercent = 100;
    system.bertscore = kPercent * sum / static_cast<double>(system.answers.size());
  }
}

}  // namespace rubric
