#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "eval/rev/rev.h"

namespace rubric::eval {
namespace {

struct Judged {
  size_t kind, row;
  double score;
  bool is_justified;
};

struct Votes {
  int yes = 0, no = 0, amounts = 0;
};

// Votes by kind and row.
using Ballot = std::map<std::pair<size_t, size_t>, Votes>;

Ballot count_votes(std::span<const data::RationaleJudgement> judgements,
                   std::span<const RevPairs> pairs, const RevEvaluation& evaluation,
                   RevHumans& humans) {
  std::map<std::string, size_t> kinds, rows;
  for (size_t i = 0; i < pairs.size(); ++i) kinds.emplace(pairs[i].kind, i);
  const std::vector<data::ScoredRationale>& first = pairs.front().seeds.front();
  for (size_t i = 0; i < first.size(); ++i) rows.emplace(first[i].id, i);
  Ballot ballot;
  for (const data::RationaleJudgement& judgement : judgements) {
    const auto kind = kinds.find(judgement.kind);
    if (kind == kinds.end()) {
      ++humans.other_kinds;
      continue;
    }
    if (evaluation.left_out.contains(judgement.id)) {
      ++humans.left_out;
      continue;
    }
    const auto row = rows.find(judgement.id);
    if (row == rows.end()) {
      throw InputError("no row has the judged id " + json_quote(judgement.id), judgement.where,
                       "judge rows of the files that are evaluated");
    }
    if (evaluation.kinds[kind->second].has_other_texts[row->second]) {
      throw InputError("the seeds of " + judgement.kind +
                           " differ in label or rationale, so which one was judged is not known",
                       judgement.where + ", id " + json_quote(judgement.id),
                       "give the seed that was judged alone");
    }
    Votes& votes = ballot[{kind->second, row->second}];
    ++(judgement.justifies ? votes.yes : votes.no);
    votes.amounts += judgement.amount;
  }
  if (!ballot.empty()) return ballot;
  throw InputError("no judgement belongs to a kind and a row that are evaluated",
                   "its kinds: " + json_quote(judgements.front().kind) + ", …",
                   "name the kinds of --pairs as the judgements do");
}

std::vector<Judged> judge(const Ballot& ballot, RevHumans& humans) {
  std::vector<Judged> judged;
  for (const auto& [place, votes] : ballot) {
    const bool is_justified = votes.yes > votes.no;
    humans.ties += votes.yes == votes.no ? 1 : 0;
    const double score =
        is_justified ? static_cast<double>(votes.amounts) / static_cast<double>(votes.yes) : -1;
    judged.push_back({place.first, place.second, score, is_justified});
  }
  return judged;
}

// The mean human score of each kind, weighting rows by `counts`.
stats::Statistics mean_scores(const std::vector<Judged>& judged, size_t kinds,
                              stats::Counts counts) {
  std::vector<double> sums(kinds), weights(kinds);
  for (const Judged& each : judged) {
    sums[each.kind] += counts[each.row] * each.score;
    weights[each.kind] += counts[each.row];
  }
  stats::Statistics means(kinds);
  for (size_t kind = 0; kind < kinds; ++kind) {
    if (weights[kind] > 0) means[kind] = sums[kind] / weights[kind];
  }
  return means;
}

void add_kinds(const std::vector<Judged>& judged, const RevEvaluation& evaluation,
               RevHumans& humans) {
  humans.kinds.resize(evaluation.kinds.size());
  std::vector<double> justified(humans.kinds.size());
  std::map<size_t, size_t> kinds_of_row;
  for (const Judged& each : judged) {
    ++humans.kinds[each.kind].n;
    justified[each.kind] += each.is_justified ? 1 : 0;
    ++kinds_of_row[each.row];
  }
  const std::vector<uint32_t> once(static_cast<size_t>(evaluation.n), 1);
  const auto scores = mean_scores(judged, humans.kinds.size(), once);
  for (size_t i = 0; i < humans.kinds.size(); ++i) {
    HumanKind& kind = humans.kinds[i];
    kind.score = scores[i];
    if (kind.n > 0) kind.justified = justified[i] / static_cast<double>(kind.n);
    if (kind.n > 0 && kind.n != std::ssize(kinds_of_row)) humans.is_same_rows = false;
  }
}

// Agreement of the kinds' values if all are defined; nothing otherwise.
stats::Statistics kind_agreement_of(const stats::Statistics& human,
                                    const stats::Statistics& metric) {
  std::vector<double> x, y;
  for (size_t i = 0; i < human.size(); ++i) {
    if (!human[i] || !metric[i]) return stats::Statistics(kSystemStatistics.size());
    x.push_back(*human[i]);
    y.push_back(*metric[i]);
  }
  return system_agreement(x, y);
}

// human_resampled[kind][resample]: the mean human scores in the same resamples as the evaluation's.
void add_kind_agreement(const RevEvaluation& evaluation,
                        const std::vector<stats::Statistics>& human_resampled, size_t metric,
                        RevHumans& humans) {
  std::vector<size_t> compared;
  for (size_t i = 0; i < evaluation.kinds.size(); ++i) {
    if (humans.kinds[i].score && evaluation.kinds[i].means[metric]) compared.push_back(i);
  }
  const auto values_of = [&](auto&& of_human, auto&& of_metric) {
    stats::Statistics human, scores;
    for (const size_t kind : compared) {
      human.push_back(of_human(kind));
      scores.push_back(of_metric(kind));
    }
    return kind_agreement_of(human, scores);
  };
  RevAgreement& agreement = humans.metrics[metric];
  agreement.kinds = values_of([&](size_t kind) { return humans.kinds[kind].score; },
                              [&](size_t kind) { return evaluation.kinds[kind].means[metric]; });
  std::vector<stats::Statistics> resampled(kSystemStatistics.size());
  const size_t count = compared.empty() ? 0 : human_resampled[compared.front()].size();
  for (size_t number = 0; number < count; ++number) {
    const stats::Statistics statistics =
        values_of([&](size_t kind) { return human_resampled[kind][number]; },
                  [&](size_t kind) { return evaluation.kinds[kind].resampled[metric][number]; });
    for (size_t i = 0; i < resampled.size(); ++i) resampled[i].push_back(statistics[i]);
  }
  for (const stats::Statistics& values : resampled) {
    agreement.kind_intervals.push_back(stats::percentile_interval(values));
  }
}

void add_rationale_agreement(const std::vector<Judged>& judged, const RevEvaluation& evaluation,
                             const stats::Clusters& questions, size_t metric, RevHumans& humans) {
  std::vector<double> human, scores;
  std::vector<uint32_t> question;
  for (const Judged& each : judged) {
    const RevKind& kind = evaluation.kinds[each.kind];
    if (!kind.has(metric)) continue;
    double sum = 0;
    for (const RevScores& seed : kind.scores) sum += seed.values[metric][each.row];
    human.push_back(each.score);
    scores.push_back(sum / static_cast<double>(kind.scores.size()));
    question.push_back(questions.of[each.row]);
  }
  RevAgreement& agreement = humans.metrics[metric];
  agreement.n = std::ssize(human);
  if (human.empty()) return;
  agreement.rationales =
      metric_agreements(human, {{scores}}, stats::clusters_by(question), evaluation.bootstrap, 1)
          .front();
}

}  // namespace

RevHumans evaluate_rev_humans(std::span<const data::RationaleJudgement> judgements,
                              std::span<const RevPairs> pairs, const RevEvaluation& evaluation) {
  RevHumans humans;
  const std::vector<Judged> judged =
      judge(count_votes(judgements, pairs, evaluation, humans), humans);
  add_kinds(judged, evaluation, humans);
  const stats::Clusters questions = rationale_questions(pairs.front().seeds.front());
  const auto resampled = stats::resampled_statistics(
      questions, evaluation.bootstrap, 0, humans.kinds.size(),
      [&](stats::Counts counts) { return mean_scores(judged, humans.kinds.size(), counts); });
  for (size_t i = 0; i < humans.kinds.size(); ++i) {
    humans.kinds[i].interval = stats::percentile_interval(resampled[i]);
  }
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    add_kind_agreement(evaluation, resampled, metric, humans);
    add_rationale_agreement(judged, evaluation, questions, metric, humans);
  }
  return humans;
}

std::vector<std::optional<double>> ranks_of(std::span<const std::optional<double>> statistics) {
  std::vector<double> falling;
  for (const std::optional<double>& statistic : statistics) {
    if (statistic) falling.push_back(-*statistic);
  }
  const std::vector<double> ranks = stats::average_ranks(falling);
  std::vector<std::optional<double>> all;
  size_t next = 0;
  for (const std::optional<double>& statistic : statistics) {
    all.push_back(statistic ? std::optional(ranks[next++]) : std::nullopt);
  }
  return all;
}

std::vector<std::optional<double>> judged_values(const RevEvaluation& evaluation,
                                                 const RevHumans& humans, size_t metric) {
  std::vector<std::optional<double>> statistics;
  for (size_t i = 0; i < evaluation.kinds.size(); ++i) {
    statistics.push_back(humans.kinds[i].score);
    if (metric < kRevMetrics.size() && statistics[i])
      statistics[i] = evaluation.kinds[i].means[metric];
  }
  return statistics;
}

}  // namespace rubric::eval
