#include <algorithm>
#include <set>
#include <utility>

#include "core/error.h"
#include "eval/chie/chie.h"

namespace rubric::eval {
namespace {

struct OpinionPair {
  Ratings first, second;
};

using AspectCounts = std::array<stats::YesNoCounts, judge::kAspects.size()>;

// Counts each pair as often as `times` says.
AspectCounts count(const std::vector<OpinionPair>& pairs, stats::Counts times) {
  AspectCounts counts;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto& [first, second] = pairs[i];
    for (size_t aspect = 0; aspect < judge::kAspects.size(); ++aspect) {
      if (first[aspect] && second[aspect]) {
        counts[aspect].add(*first[aspect], *second[aspect], times[i]);
      }
    }
  }
  return counts;
}

stats::YesNoCounts of_group(const AspectCounts& counts, size_t group) {
  if (group < counts.size()) return counts[group];
  stats::YesNoCounts pooled;
  for (const stats::YesNoCounts& aspect : counts) pooled += aspect;
  return pooled;
}

std::optional<double> value_of(const AgreementStatistic& statistic, const AspectCounts& counts,
                               size_t group) {
  const bool is_overall = group == counts.size() && statistic.overall != nullptr;
  return is_overall ? statistic.overall(counts) : statistic.of(of_group(counts, group));
}

bool has_verdict(const Ratings& rating) {
  return std::ranges::any_of(rating, [](const auto& verdict) { return verdict.has_value(); });
}

// The number of questions on which both give a verdict.
int64_t count_questions(const std::vector<OpinionPair>& pairs, const stats::Clusters& clusters,
                        size_t group) {
  std::set<uint32_t> questions;
  for (size_t i = 0; i < pairs.size(); ++i) {
    for (size_t aspect = 0; aspect < judge::kAspects.size(); ++aspect) {
      const bool is_asked = group == aspect || group == judge::kAspects.size();
      if (is_asked && pairs[i].first[aspect] && pairs[i].second[aspect]) {
        questions.insert(clusters.of[i]);
      }
    }
  }
  return std::ssize(questions);
}

struct ScoredAnswer {
  double bertscore;
  int64_t length;
  Ratings rating;
};

ChieTercile tercile_of(const char* name, std::span<const ScoredAnswer> sorted) {
  ChieTercile tercile{name, std::ssize(sorted), sorted.front().bertscore, sorted.back().bertscore};
  int64_t words = 0;
  for (const ScoredAnswer& answer : sorted) {
    bool is_decided = true;
    for (size_t i = 0; i < judge::kAspects.size(); ++i) {
      tercile.agreed[i] += answer.rating[i].value_or(false) ? 1 : 0;
      is_decided = is_decided && answer.rating[i];
    }
    tercile.undecided += is_decided ? 0 : 1;
    words += answer.length;
  }
  tercile.mean_length = static_cast<double>(words) / static_cast<double>(tercile.n);
  return tercile;
}

}  // namespace

const char* aspect_group(size_t group) {
  return group < judge::kAspects.size() ? judge::kAspects[group] : "overall";
}

ChieAgreement agreement_of(const Rater& first, const Rater& second,
                           std::span<const AgreementStatistic> statistics,
                           const std::vector<const judge::LedgerEntry*>& answers,
                           const stats::BootstrapOptions& bootstrap) {
  ChieAgreement agreement{first.name, second.name};
  std::vector<OpinionPair> pairs;
  std::vector<std::pair<std::string, std::string>> questions;  // passage and question
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!first.ratings[i] || !second.ratings[i]) continue;
    pairs.push_back({*first.ratings[i], *second.ratings[i]});
    questions.emplace_back(answers[i]->passage_hash, answers[i]->answer.question);
    agreement.invalid[0] += has_verdict(pairs.back().first) ? 0 : 1;
    agreement.invalid[1] += has_verdict(pairs.back().second) ? 0 : 1;
  }
  const stats::Clusters clusters = stats::clusters_by(questions);
  agreement.n = std::ssize(pairs);
  agreement.questions = static_cast<int64_t>(clusters.count);
  std::vector<AspectCounts> resampled(static_cast<size_t>(bootstrap.resamples));
  stats::visit_resamples(clusters, bootstrap, 0, [&](size_t resample, stats::Counts times) {
    resampled[resample] = count(pairs, times);
  });
  const std::vector<uint32_t> once(pairs.size(), 1);
  const AspectCounts counts = count(pairs, once);
  for (size_t group = 0; group < kAspectGroups; ++group) {
    AgreementOf& of = agreement.groups[group];
    of.counts = of_group(counts, group);
    of.questions = count_questions(pairs, clusters, group);
    for (const AgreementStatistic& statistic : statistics) {
      std::vector<std::optional<double>> values;
      for (const AspectCounts& each : resampled) {
        values.push_back(value_of(statistic, each, group));
      }
      of.values.push_back(value_of(statistic, counts, group));
      of.undefined.push_back(std::ranges::count(values, std::optional<double>()));
      of.intervals.push_back(of.questions < 2 ? std::nullopt : stats::percentile_interval(values));
    }
  }
  return agreement;
}

ChieAgreements evaluate_agreements(ChieAssessments assessments,
                                   const stats::BootstrapOptions& bootstrap) {
  ChieAgreements agreements{std::move(assessments), {}, {}, bootstrap};
  const auto& [answers, judges, humans, majority] = agreements.assessments;
  for (const std::vector<Rater>* raters : {&judges, &humans}) {
    for (size_t i = 0; majority && i < raters->size(); ++i) {
      agreements.with_majority.push_back(
          agreement_of((*raters)[i], majority->rater, kGoldStatistics, answers, bootstrap));
    }
  }
  for (size_t i = 0; i < judges.size(); ++i) {
    for (size_t j = i + 1; j < judges.size(); ++j) {
      agreements.judges.push_back(
          agreement_of(judges[i], judges[j], kJudgeStatistics, answers, bootstrap));
      if (agreements.judges.back().n > 0) continue;
      throw InputError(
          judges[i].name + " and " + judges[j].name + " have no judged answer in common",
          "--other-ledger", "compare judges of the same answers");
    }
  }
  return agreements;
}

bool has_several_languages(std::span<const ChieSystem> systems) {
  return std::ranges::any_of(systems, [&](const ChieSystem& system) {
    return system.language != systems.front().language;
  });
}

std::vector<ChieTercile> bertscore_terciles(std::span<const ChieSystem> systems,
                                            const ChieWordCounts& words, const Rater& rater) {
  if (has_several_languages(systems)) return {};
  std::vector<ScoredAnswer> answers;
  size_t place = 0;  // the answer's index among all systems' answers
  for (size_t i = 0; i < systems.size(); ++i) {
    for (size_t j = 0; j < systems[i].answers.size(); ++j, ++place) {
      const std::optional<Ratings>& rating = rater.ratings[place];
      if (!rating) continue;
      answers.push_back(
          {systems[i].answers[j].bertscore.value(), words.systems[i].lengths[j], *rating});
    }
  }
  std::ranges::stable_sort(answers, {}, &ScoredAnswer::bertscore);
  constexpr std::array<const char*, 3> kNames = {"low", "medium", "high"};
  if (answers.size() < kNames.size()) return {};
  const std::span<const ScoredAnswer> sorted = answers;
  std::vector<ChieTercile> terciles;
  for (size_t i = 0; i < kNames.size(); ++i) {
    const size_t begin = i * sorted.size() / kNames.size();
    const size_t end = (i + 1) * sorted.size() / kNames.size();
    const std::span<const ScoredAnswer> third = sorted.subspan(begin, end - begin);
    terciles.push_back(tercile_of(kNames[i], third));
    terciles.back().tied = std::ranges::count_if(third, [&](const ScoredAnswer& answer) {
      return (begin > 0 && answer.bertscore == sorted[begin - 1].bertscore) ||
             (end < sorted.size() && answer.bertscore == sorted[end].bertscore);
    });
  }
  return terciles;
}

}  // namespace rubric::eval
