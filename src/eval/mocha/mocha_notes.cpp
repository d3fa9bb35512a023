#include "eval/mocha/mocha_notes.h"

#include "core/error.h"

namespace rubric {
namespace {

// "3 of 120 predictions missing, counted as 0 (drop 2, quoref 1)", or "" when none is.
template <class Constituent>
std::string missing_note(const std::vector<Constituent>& constituents, const std::string& what,
                         const std::string& counts_as) {
  int64_t missing = 0, n = 0;
  std::vector<std::string> parts;
  for (const Constituent& constituent : constituents) {
    missing += constituent.missing;
    n += constituent.n;
    if (constituent.missing == 0) continue;
    parts.push_back(constituent.name + " " + std::to_string(constituent.missing));
  }
  if (missing == 0) return "";
  return std::to_string(missing) + " of " + std::to_string(n) + " " + what +
         " missing, counted as " + counts_as + " (" + join(parts) + ")";
}

std::string undefined_note(const MochaResult& result) {
  std::vector<std::string> undefined;
  for (const ConstituentResult& constituent : result.constituents) {
    if (!constituent.correlations.pearson) undefined.push_back(constituent.name);
  }
  if (undefined.empty()) return "";
  return "no average, the correlation is undefined (constant or fewer than two values) for " +
         join(undefined);
}

}  // namespace

std::vector<std::string> mocha_notes(const MochaResult& result) {
  const bool has_unscored_pairs = !result.pairs.empty() && !result.pair_average;
  std::vector<std::string> notes = {missing_note(result.constituents, "predictions", "0"),
                                    missing_note(result.pairs, "minimal pairs", "wrong"),
                                    has_unscored_pairs ? "the minimal pairs are not scored" : "",
                                    undefined_note(result)};
  std::erase(notes, "");
  std::vector<std::string> unused;
  for (const auto& [constituent, id] : result.unused) {
    unused.push_back(constituent.empty() ? id : constituent + "/" + id);
  }
  if (!unused.empty()) {
    notes.push_back(std::to_string(unused.size()) +
                    " scores belong to no instance: " + join_some(unused));
  }
  return notes;
}

}  // namespace rubric
