// rubric derive r4c-baseline, r4c-pairs, derivations: R4C's derivations, and what a sequence model
// learns them from.
#include <algorithm>

#include "cli/derive/list.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/derivations/derivations.h"
#include "data/derivations/readers.h"
#include "data/rows/rows.h"

namespace rubric::cli {

namespace {

// Writes the file, and says how many questions and steps it has.
void write_predictions(const data::DerivationPredictions& predictions,
                       const std::filesystem::path& output) {
  write_file(output, predictions.json.dump() + "\n");
  log_info(std::to_string(predictions.questions) + " questions, " +
           std::to_string(predictions.steps) + " steps in " + output.string());
}

}  // namespace

void derive_r4c_baseline(const R4cBaselineRequest& request, const Context& context) {
  const ContextScope scope(context);
  const data::DerivationPredictions predictions = data::baseline_predictions(
      request.articles, request.parses,
      request.baseline == DerivationRule::core ? data::core_derivation : data::ie_derivation);
  write_predictions(predictions, request.output);
  if (predictions.steps == 0) {
    log_warning("no step was derived: the parse may lack roots or noun chunks");
  }
}

namespace {

data::DerivationPairs read_pairs(const R4cPairsRequest& request) {
  if (request.derivations.empty() && request.max_references > 0) {
    throw InputError("--max-references is only valid with --derivations", "",
                     "add --derivations FILE, or leave --max-references out");
  }
  const std::vector<data::HotpotQuestion> questions = data::read_hotpotqa(request.hotpotqa);
  return request.derivations.empty()
             ? data::derivation_sources(questions)
             : data::derivation_pairs(questions, data::read_r4c(request.derivations),
                                      request.max_references);
}

}  // namespace

void derive_r4c_pairs(const R4cPairsRequest& request, const Context& context) {
  const ContextScope scope(context);
  const data::DerivationPairs pairs = read_pairs(request);
  std::vector<Json> rows;
  for (const data::SourceTarget& pair : pairs.rows) {
    Json row = Json::Object{{"id", pair.id}, {"source", pair.source}};
    if (!pair.target.empty()) row["target"] = pair.target;
    rows.push_back(std::move(row));
  }
  data::write_rows(request.output, rows);
  if (!pairs.skipped.empty()) {
    log_warning(std::to_string(pairs.skipped.size()) +
                " supporting facts name sentences that do not exist, and are left out: " +
                join_some(pairs.skipped));
  }
  log_info(std::to_string(rows.size()) + " rows in " + request.output.string());
}

void derive_derivations(const DerivationsRequest& request, const Context& context) {
  const ContextScope scope(context);
  const data::DerivationPredictions predictions = data::text_predictions(
      request.input, data::format_of_rows(request.row_format, request.input), request.text);
  if (!predictions.malformed.empty()) {
    std::vector<std::string> ids = predictions.malformed;
    std::ranges::transform(ids, ids.begin(), [](const std::string& id) { return json_quote(id); });
    log_warning(std::to_string(ids.size()) + " of " + std::to_string(predictions.questions) +
                " texts are malformed and become derivations without steps: " + join_some(ids));
  }
  write_predictions(predictions, request.output);
}

}  // namespace rubric::cli
