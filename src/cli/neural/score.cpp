#include "cli/neural/score_pairs.h"

#include "data/model_files/model_card.h"
#include "core/error.h"
#include "core/files/files.h"
#include "data/model_files/model_directory.h"
#include "data/rows/rows_part.h"
#include "data/source_targets/source_target.h"
#include "distributed/collective.h"
#include "metrics/neural/likelihood_metrics.h"

namespace rubric {

void score_pairs(const Ranks& ranks, const ScoreRequest& request, const std::string& model) {
  const std::filesystem::path directory = find_model(model);
  PairConfig config = pair_config_of(directory);
  if (!request.source_template.empty()) config.source = request.source_template;
  if (!request.target_template.empty()) config.target = request.target_template;
  if (!request.decoder_start.empty()) config.decoder_start = request.decoder_start;
  if (request.no_eos) config.target_eos = false;
  if (request.no_source_eos) config.source_eos = false;
  WholeSourceTargets file =
      read_whole_source_targets(request.input, input_format(request.input_format, request.input),
                                PairTexts(config, request.fields), request.limit);
  check_scores(file);
  for (size_t i = 0; request.per_token && i < file.rows.size(); ++i) {
    if (file.rows[i].find("likelihood_tokens") == nullptr) continue;
    throw InputError("the row has a field \"likelihood_tokens\" already", file.wheres[i],
                     "take it out of the rows, or leave --per-token out");
  }
  ranks.enter("scoring");
  Likelihood metric(directory, config, {.sum = request.sum, .show_progress = true, .ranks = ranks});
  Json facts;
  facts["likelihood"] = metric.signature();
  require_agreement(ranks, facts);
  const Scores scores = metric.score(file.records);
  add_scores(file, scores);
  for (size_t i = 0; request.per_token && i < file.rows.size(); ++i) {
    Json::Array tokens;
    for (const float value : metric.tokens()[i]) tokens.emplace_back(static_cast<double>(value));
    file.rows[i]["likelihood_tokens"] = std::move(tokens);
  }
  Json summary{Json::Object()};
  summarise(scores, metric.signature(), summary);
  if (!ranks.is_main()) return;
  write_rows(request.output, file.rows);
  if (!request.summary.empty()) write_file(request.summary, summary.dump(2) + "\n");
}

}  // namespace rubric
