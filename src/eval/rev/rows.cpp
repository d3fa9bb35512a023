#include <algorithm>

#include "core/error.h"
#include "eval/rev/rev.h"

namespace rubric::eval {
namespace {

std::string question_text(const data::ScoredRationale& row) {
  return row.question.empty() ? row.premise + " / " + row.hypothesis : row.question;
}

std::string label_text(const data::ScoredRationale& row) {
  const bool is_right = row.gold.empty() || row.gold == row.label;
  return is_right ? row.label : row.label + " (gold: " + row.gold + ")";
}

std::optional<double> score_of(const RevScores& scores, size_t metric, size_t row) {
  return scores.has(metric) ? std::optional(scores.values[metric][row]) : std::nullopt;
}

}  // namespace

std::vector<size_t> choose_rows(std::span<const data::ScoredRationale> rows, int64_t count,
                                std::span<const std::string> ids) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < rows.size() && std::cmp_less(i, count); ++i) chosen.push_back(i);
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(rows, id, &data::ScoredRationale::id);
    if (found == rows.end()) {
      throw InputError("no row has the id " + json_quote(id), "--show", "name one of the files'");
    }
    const auto row = static_cast<size_t>(found - rows.begin());
    if (std::ranges::find(chosen, row) == chosen.end()) chosen.push_back(row);
  }
  return chosen;
}

Table rev_row_table(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                    std::span<const size_t> chosen) {
  Table table{"Row by row",
              {"kind", "seed", "id", "question", "label", "rationale"},
              {},
              {Align::left, Align::right, Align::left, Align::left, Align::left, Align::left},
              {}};
  for (const RevMetric& metric : kRevMetrics) table.header.emplace_back(metric.title);
  for (size_t k = 0; k < pairs.size(); ++k) {
    for (const size_t i : chosen) {
      for (size_t seed = 0; seed < pairs[k].seeds.size(); ++seed) {
        const data::ScoredRationale& row = pairs[k].seeds[seed][i];
        table.rows.push_back({pairs[k].kind, std::to_string(seed + 1), row.id, question_text(row),
                              label_text(row), row.rationale});
        for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
          const auto statistic = score_of(evaluation.kinds[k].scores[seed], metric, i);
          std::string cell = statistic ? rev_text(*statistic, metric == kRev ? 2 : 0) : kNotScored;
          table.rows.back().push_back(std::move(cell));
        }
      }
    }
  }
  return table;
}

Json rev_row_json(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                  std::span<const size_t> chosen) {
  Json json;
  for (size_t k = 0; k < pairs.size(); ++k) {
    Json::Array rows;
    for (const size_t i : chosen) {
      for (size_t seed = 0; seed < pairs[k].seeds.size(); ++seed) {
        const data::ScoredRationale& row = pairs[k].seeds[seed][i];
        Json one;
        one["seed"] = static_cast<int64_t>(seed + 1);
        one["id"] = row.id;
        if (row.question.empty()) {
          one["premise"] = row.premise;
          one["hypothesis"] = row.hypothesis;
        } else {
          one["question"] = row.question;
        }
        one["label"] = row.label;
        one["gold"] = row.gold.empty() ? Json() : Json(row.gold);
        one["rationale"] = row.rationale;
        for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
          const auto statistic = score_of(evaluation.kinds[k].scores[seed], metric, i);
          one[kRevMetrics[metric].key] = statistic ? Json(*statistic) : Json();
        }
        rows.push_back(std::move(one));
      }
    }
    json[pairs[k].kind] = std::move(rows);
  }
  return json;
}

}  // namespace rubric::eval
