#include "data/tasks/label_scale.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::data {
namespace {

TEST(LabelScale, IsTheUsualOneThatHoldsTheLabels) {
  const auto scale = [](double least, double greatest) {
    return scale_text(scale_of_labels(least, greatest));
  };
  EXPECT_EQ(scale(0, 1), "0:1");
  EXPECT_EQ(scale(0.25, 0.75), "0:1");
  EXPECT_EQ(scale(1, 5), "1:5");
  EXPECT_EQ(scale(2, 4.5), "1:5");
  EXPECT_EQ(scale(0, 100), "0:100");
  EXPECT_EQ(scale(3, 97.5), "0:100");
}

TEST(LabelScale, IsThatOfTheLabelsWhereNoUsualOneHoldsThem) {
  const auto scale = [](double least, double greatest) {
    return scale_text(scale_of_labels(least, greatest));
  };
  EXPECT_EQ(scale(0, 2), "0:2");
  EXPECT_EQ(scale(1, 2), "1:2");
  EXPECT_EQ(scale(1, 3), "1:3");
  EXPECT_EQ(scale(1, 4), "1:4");
  EXPECT_EQ(scale(2, 3.5), "2:3.5");
  EXPECT_EQ(scale(0, 5), "0:5");
  EXPECT_EQ(scale(1, 10), "1:10");
  EXPECT_EQ(scale(0, 10), "0:10");
  EXPECT_EQ(scale(-1, 1), "-1:1");
  EXPECT_EQ(scale(0, 100.5), "0:100.5");
  EXPECT_EQ(scale(-3, 60), "-3:60");
}

TEST(LabelScale, TwoUsualOnesAreTwo) {
  constexpr LabelScale kUsual[] = {{0, 1}, {1, 5}, {0, 100}};
  for (const LabelScale& first : kUsual) {
    for (const LabelScale& second : kUsual) {
      EXPECT_EQ(are_on_two_scales(first, second), first != second);
    }
    EXPECT_FALSE(are_on_two_scales(first, {1, 3}));
    EXPECT_FALSE(are_on_two_scales({0, 7}, first));
  }
}

TEST(LabelScale, CountsScoresOutsideIt) {
  EXPECT_EQ(count_outside({1, 3}, std::vector<double>{0.9, 1, 2, 3, 3.1, 5}), 3);
}

TEST(LabelScale, IsReadAsItIsWritten) {
  for (const LabelScale& scale : {LabelScale{0, 1}, LabelScale{-2.5, 1e3}, LabelScale{1, 5}}) {
    EXPECT_EQ(parse_label_scale(scale_text(scale), "here"), scale);
  }
  EXPECT_EQ(parse_label_scale(" 0 : 10 ", "here"), (LabelScale{0, 10}));
  for (const char* text :
       {"", "5", "1:", ":5", "1:5:9", "5:1", "3:3", "low:high", "nan:1", "0:inf"}) {
    expect_contains(input_error([&] { parse_label_scale(text, "here"); }),
                    "\"" + std::string(text) + "\" is no scale, LOW:HIGH");
  }
}

}  // namespace
}  // namespace rubric::data
