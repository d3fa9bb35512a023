#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "core/error.h"
#include "eval/chie/chie.h"
#include "eval/result/render.h"

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

}  // namespace

const char* aspect_group(size_t group) {
  return group < judge::kAspects.size() ? judge::kAspects[group] : "overall";
}

std::vector<Measurement> agreement_of(const Rater& first, const Rater& second,
                                      const std::string& against, const AgreementKind& kind,
                                      const std::vector<const judge::LedgerEntry*>& answers,
                                      const stats::BootstrapOptions& bootstrap) {
  std::vector<OpinionPair> pairs;
  std::vector<std::pair<std::string, std::string>> questions;  // passage and question
  int64_t invalid = 0, invalid_against = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!first.ratings[i] || !second.ratings[i]) continue;
    pairs.push_back({*first.ratings[i], *second.ratings[i]});
    questions.emplace_back(answers[i]->passage_hash, answers[i]->answer.question);
    invalid += has_verdict(pairs.back().first) ? 0 : 1;
    invalid_against += has_verdict(pairs.back().second) ? 0 : 1;
  }
  const stats::Clusters clusters = stats::clusters_by(questions);
  const auto values_of = [&](const AspectCounts& counts) {
    stats::Statistics values;
    for (size_t group = 0; group < kAspectGroups; ++group) {
      for (const AgreementStatistic& statistic : kind.statistics) {
        values.push_back(value_of(statistic, counts, group));
      }
    }
    return values;
  };
  const AspectCounts counts = count(pairs, std::vector<uint32_t>(pairs.size(), 1));
  const stats::Statistics values = values_of(counts);
  const auto resampled = stats::resampled_statistics(
      clusters, bootstrap, 0, values.size(),
      [&](stats::Counts times) { return values_of(count(pairs, times)); });
  std::vector<Measurement> measurements;
  Adder add{.to = measurements,
            .keys = {.against = against, .source = first.name},
            .why_missing = "its denominator is zero"};
  add.counts({{"answers", std::ssize(pairs)},
              {"questions", static_cast<int64_t>(clusters.count)},
              {"invalid", invalid},
              {"invalid_against", invalid_against}});
  size_t next = 0;
  for (size_t group = 0; group < kAspectGroups; ++group) {
    const stats::YesNoCounts of = of_group(counts, group);
    add.keys.metric = aspect_group(group);
    add.n = of.n();
    const std::array<int64_t, 4> numbers = {of.both, of.first_only, of.second_only, of.neither};
    for (size_t i = 0; i < numbers.size(); ++i) {
      add(kind.counts[i], static_cast<double>(numbers[i]));
    }
    const bool has_questions = count_questions(pairs, clusters, group) > 1;
    for (const AgreementStatistic& statistic : kind.statistics) {
      const stats::Statistics& drawn = resampled[next];
      add(statistic.key, values[next++],
          has_questions ? stats::percentile_interval(drawn) : std::nullopt);
      add(std::string("undefined_") + statistic.key,
          static_cast<double>(std::ranges::count(drawn, std::optional<double>())));
    }
  }
  return measurements;
}

ChieAgreements evaluate_agreements(const ChieAssessments& assessments,
                                   const stats::BootstrapOptions& bootstrap) {
  const auto& [answers, judges, humans, majority] = assessments;
  ChieAgreements agreements;
  for (const std::vector<Rater>* raters : {&judges, &humans}) {
    for (size_t i = 0; majority && i < raters->size(); ++i) {
      std::ranges::move(
          agreement_of((*raters)[i], majority->rater, kMajority, kWithGold, answers, bootstrap),
          std::back_inserter(agreements.with_majority));
    }
  }
  for (size_t i = 0; i < judges.size(); ++i) {
    for (size_t j = i + 1; j < judges.size(); ++j) {
      auto pair = agreement_of(judges[i], judges[j], judges[j].name, kOfJudges, answers, bootstrap);
      if (pair.front().value == 0) {
        throw InputError(
            judges[i].name + " and " + judges[j].name + " have no judged answer in common",
            "--other-ledger", "compare judges of the same answers");
      }
      std::ranges::move(pair, std::back_inserter(agreements.of_judges));
    }
  }
  return agreements;
}

}  // namespace rubric::eval
