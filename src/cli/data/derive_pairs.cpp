#include "cli/data/derive_kinds.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/derivations/derivation_pairs.h"
#include "data/derivations/hotpotqa.h"
#include "data/derivations/readers.h"
#include "data/rows/rows_part.h"

namespace rubric {
namespace {

DerivationPairs read_pairs(const OptionValues& values) {
  constexpr int64_t kMostReferences = 1000;
  const std::string derivations = file_option(values, "derivations");
  const int64_t references = integer_option(values, "references", 0, kMostReferences);
  if (derivations.empty() && references > 0) {
    throw InputError("--references is of --derivations, which is not given", "rubric derive pairs",
                     "add --derivations FILE, or leave --references out");
  }
  const std::vector<HotpotQuestion> questions = read_hotpotqa(file_option(values, "hotpotqa"));
  return derivations.empty() ? derivation_sources(questions)
                             : derivation_pairs(questions, read_r4c(derivations), references);
}

}  // namespace

void derive_pairs(const OptionValues& values, const std::string& output) {
  const DerivationPairs pairs = read_pairs(values);
  std::vector<Json> rows;
  for (const SourceTarget& pair : pairs.rows) {
    Json row = Json::Object{{"id", pair.id}, {"source", pair.source}};
    if (!pair.target.empty()) row["target"] = pair.target;
    rows.push_back(std::move(row));
  }
  write_rows(output, rows);
  if (!pairs.passed_over.empty()) {
    log_warning(std::to_string(pairs.passed_over.size()) +
                " supporting facts are of sentences that do not exist and are passed over: " +
                join_some(pairs.passed_over));
  }
  log_info(std::to_string(rows.size()) + " rows in " + output);
}

}  // namespace rubric
