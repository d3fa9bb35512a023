#include <array>

#include <gtest/gtest.h>

#include "core/error.h"
#include "stats/bootstrap.h"

namespace rubric::stats::distinct_records_test {

TEST(DistinctRecords, AreDrawnAsOftenAsAllThatAreEqual) {
  const std::vector<double> label = {1, 0, 1, 1, 0}, score = {0.5, 0.5, 0.2, 0.5, 0.5},
                            twice = {1, 1, 0.4, 1, 1};
  const std::array<std::span<const double>, 2> series = {label, score};
  const DistinctRecords records(series);
  EXPECT_EQ(records.values_of(label), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(records.values_of(score), (std::vector<double>{0.5, 0.2, 0.5}));
  EXPECT_EQ(records.values_of(twice), (std::vector<double>{1, 0.4, 1}));
  EXPECT_EQ(records.times(), (std::vector<uint32_t>{2, 1, 2}));
  const std::vector<uint32_t> counts = {3, 1, 0, 1, 0};
  EXPECT_EQ(records.drawn(counts), (std::vector<uint32_t>{1, 0, 4}));
}

TEST(DistinctRecords, NeedSeriesOfOneLength) {
  const std::vector<double> one = {1}, none;
  EXPECT_THROW(DistinctRecords(std::array<std::span<const double>, 2>{one, none}), Error);
  EXPECT_EQ(DistinctRecords({}).size(), 0u);
}

}  // namespace rubric::stats::distinct_records_test
