#include "stats/random_draw.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/context.h"
#include "core/random.h"

namespace rubric::stats {
namespace {

// Clusters whose records are alike in parts and strata, and which of their records are labelled.
struct AlikeClusters {
  std::vector<std::vector<uint32_t>> records;  // of each cluster, by part and stratum
  std::vector<std::vector<size_t>> labelled;   // places in `records`, of each cluster with a label
};

std::vector<AlikeClusters> alike_clusters(const DrawnRecords& all) {
  std::vector<bool> is_labelled(all.parts.size());
  for (const uint32_t record : all.labelled) is_labelled[record] = true;
  const auto kind = [&](uint32_t record) {
    return std::pair(all.parts[record], all.strata.empty() ? 0 : all.strata[record]);
  };
  std::vector<std::vector<uint32_t>> by_cluster(all.clusters.count);
  for (uint32_t record = 0; record < all.parts.size(); ++record) {
    by_cluster[all.clusters.of[record]].push_back(record);
  }
  std::map<std::vector<std::pair<uint32_t, uint32_t>>, size_t> numbers;  // by the records' kinds
  std::vector<AlikeClusters> alike;
  for (std::vector<uint32_t>& records : by_cluster) {
    std::ranges::stable_sort(records, {}, kind);
    std::vector<std::pair<uint32_t, uint32_t>> kinds;
    std::ranges::transform(records, std::back_inserter(kinds), kind);
    const auto [entry, is_new] = numbers.emplace(std::move(kinds), alike.size());
    if (is_new) alike.emplace_back();
    std::vector<size_t> labelled;
    for (size_t place = 0; place < records.size(); ++place) {
      if (is_labelled[records[place]]) labelled.push_back(place);
    }
    AlikeClusters& these = alike[entry->second];
    if (!labelled.empty()) these.labelled.push_back(std::move(labelled));
    these.records.push_back(std::move(records));
  }
  std::erase_if(alike, [](const AlikeClusters& these) { return these.labelled.empty(); });
  return alike;
}

// The mean prediction of each series and part over all records, its variance, and how many records
// and labels there are.
struct PartMeans {
  std::vector<std::vector<double>> means, variances;  // [series][part]
  std::vector<double> records;                        // by part
  std::vector<int64_t> labels;
};

PartMeans part_means(const DrawnRecords& all) {
  PartMeans result;
  result.records.resize(size_t{*std::ranges::max_element(all.parts)} + 1);
  result.labels.resize(result.records.size());
  for (const uint32_t part : all.parts) result.records[part] += 1;
  for (const uint32_t record : all.labelled) result.labels[all.parts[record]] += 1;
  for (const std::vector<double>& predictions : all.predictions) {
    std::vector<double>& means = result.means.emplace_back(result.records.size());
    std::vector<double>& variances = result.variances.emplace_back(result.records.size());
    for (size_t i = 0; i < predictions.size(); ++i) {
      means[all.parts[i]] += predictions[i] / result.records[all.parts[i]];
    }
    for (size_t i = 0; i < predictions.size(); ++i) {
      const uint32_t part = all.parts[i];
      variances[part] += std::pow(predictions[i] - means[part], 2) / result.records[part];
    }
  }
  return result;
}

// Sums over some records: of deviations from the mean of all, and of their squares, of each series
// and part side by side. As many records of a part are labelled in every draw.
class DeviationSums {
 public:
  DeviationSums(const DrawnRecords& all, const PartMeans& means) : all_(all), means_(means) {}

  size_t count() const { return 2 * all_.predictions.size() * means_.records.size(); }
  void add(uint32_t record, std::vector<double>& sums) const {
    const uint32_t part = all_.parts[record];
    for (size_t series = 0; series < all_.predictions.size(); ++series) {
      const double deviation = all_.predictions[series][record] - means_.means[series][part];
      const size_t place = 2 * (series * means_.records.size() + part);
      sums[place] += deviation;
      sums[place + 1] += deviation * deviation;
    }
  }

 private:
  const DrawnRecords& all_;
  const PartMeans& means_;
};

// [draw][statistic]; the first are of the labels themselves.
std::vector<std::vector<double>> drawn_sums(const DrawnRecords& all, const DeviationSums& sums,
                                            uint64_t seed) {
  std::vector<std::vector<double>> drawn(kRandomDraws + 1, std::vector<double>(sums.count()));
  for (const uint32_t record : all.labelled) sums.add(record, drawn.front());
  std::vector<AlikeClusters> alike = alike_clusters(all);
  for (size_t draw = 1; draw < drawn.size(); ++draw) {
    end_if_stop_requested();
    for (size_t a = 0; a < alike.size(); ++a) {
      auto& [records, labelled] = alike[a];
      const uint64_t key = stream_key(seed, Purpose::label_draw, mix(draw) + a);
      // Fisher and Yates, as far as there are labels; the order of the last draw is as good a start
      // as any.
      for (size_t i = 0; i < labelled.size(); ++i) {
        std::swap(records[i], records[i + below(mix(key + i), records.size() - i)]);
        for (const size_t place : labelled[i]) sums.add(records[i][place], drawn[draw]);
      }
    }
  }
  return drawn;
}

// Replaces each statistic by its distance from the mean of all draws, in standard deviations; 0 if
// it is the same in all but for rounding.
void standardise(std::vector<std::vector<double>>& drawn, size_t statistic) {
  constexpr double kRounding = 1e-12;  // of the largest
  Moments moments;
  double largest = 0;
  for (const auto& sums : drawn) {
    moments.add(sums[statistic]);
    largest = std::max(largest, std::abs(sums[statistic]));
  }
  const double standard_deviation = std::sqrt(moments.squares / static_cast<double>(moments.n));
  for (auto& sums : drawn) {
    const double distance = std::abs(sums[statistic] - moments.mean);
    sums[statistic] = standard_deviation > kRounding * largest ? distance / standard_deviation : 0;
  }
}

// The statistic `place` of all: see DeviationSums.
UnlikelyStatistic unlikely_at(const PartMeans& means, size_t place, double sum_of_labels) {
  const size_t parts = means.records.size(), series = place / 2 / parts, part = place / 2 % parts;
  UnlikelyStatistic unlikely{series, static_cast<uint32_t>(part), place % 2 == 1,
                             means.labels[part], static_cast<int64_t>(means.records[part])};
  const double mean = means.means[series][part];
  const double of_labels = sum_of_labels / static_cast<double>(unlikely.labels);
  unlikely.of_labels = unlikely.is_variance ? of_labels : mean + of_labels;
  unlikely.of_all = unlikely.is_variance ? means.variances[series][part] : mean;
  return unlikely;
}

}  // namespace

std::vector<UnlikelyStatistic> unlike_random_draws(const DrawnRecords& all, uint64_t seed) {
  if (all.labelled.empty() || all.labelled.size() == all.parts.size()) return {};
  const PartMeans means = part_means(all);
  const DeviationSums sums(all, means);
  std::vector<std::vector<double>> drawn = drawn_sums(all, sums, seed);
  const std::vector<double> of_labels = drawn.front();
  for (size_t statistic = 0; statistic < sums.count(); ++statistic) standardise(drawn, statistic);
  double largest = 0;  // of all draws
  for (size_t draw = 1; draw < drawn.size(); ++draw) {
    largest = std::max(largest, std::ranges::max(drawn[draw]));
  }
  constexpr double kRounding = 1 + 1e-9;  // a draw of the same sums is as far
  const size_t parts = means.records.size();
  std::vector<UnlikelyStatistic> unlikely;
  for (size_t part = 0; part < parts; ++part) {
    std::optional<size_t> furthest;  // of means where there is one, as these say more
    for (const size_t first : {size_t{0}, size_t{1}}) {
      for (size_t k = 2 * part + first; k < sums.count() && (!furthest || *furthest % 2 == first);
           k += 2 * parts) {
        const double distance = drawn.front()[k];
        if (distance <= largest * kRounding) continue;
        if (!furthest || distance > drawn.front()[*furthest]) furthest = k;
      }
    }
    if (furthest) unlikely.push_back(unlikely_at(means, *furthest, of_labels[*furthest]));
  }
  return unlikely;
}

}  // namespace rubric::stats
