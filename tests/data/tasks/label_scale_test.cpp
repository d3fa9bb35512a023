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

// Of 300 labels that cycle through `usual`, some are others.
TEST(LabelScale, AFewLabelsOutsideAUsualOneAreStray) {
  const auto strays = [](std::vector<double> usual, const std::vector<double>& more, size_t rows) {
    std::vector<double> labels;
    for (size_t i = 0; i + more.size() < rows; ++i) labels.push_back(usual[i % usual.size()]);
    labels.insert(labels.end(), more.begin(), more.end());
    std::string text;
    for (const StrayLabels& each : stray_labels(labels)) {
      text += stray_note(each, labels, "x", "f") + "; ";
    }
    return text;
  };
  const std::vector<double> five = {1, 2, 3, 4, 5};
  EXPECT_EQ(strays(five, {9}, 300),
            "the label of x is 9 (f), all others are from 1 to 5: if it is a slip, correct it; ");
  EXPECT_EQ(strays(five, {0}, 300),
            "the label of x is 0 (f), all others are from 1 to 5: if it is a slip, correct it; ");
  EXPECT_EQ(strays(five, {9, 55, 6}, 300),
            "the label of x is 55 (f; 2 more are outside), all others are from 1 to 5: if it is a "
            "slip, correct it; ");
  expect_contains(strays(five, {6, -900}, 300), "is -900 (f; 1 more is outside), all others");
  expect_contains(strays({0, 1}, {5}, 300), "is 5 (f), all others are from 0 to 1");
  expect_contains(strays({0, 0.5, 0.97}, {97}, 300), "is 97 (f), all others are from 0 to 1");
  expect_contains(strays({0, 30, 80}, {810}, 300), "is 810 (f), all others are from 0 to 100");
  expect_contains(strays(five, {9}, 20), "all others are from 1 to 5");
  // These are scales of their own.
  EXPECT_EQ(strays(five, {}, 300), "");
  EXPECT_EQ(strays(five, {6, 6, 7, 7}, 300), "");
  EXPECT_EQ(strays(five, {9}, 19), "");
  EXPECT_EQ(strays({1, 2, 3}, {4}, 300), "");
  EXPECT_EQ(strays({1}, {2}, 300), "");
  EXPECT_EQ(strays({0, 1, 2}, {3}, 300), "");
}

// Few labels, or on no usual scale.
TEST(LabelScale, ALabelFarFromAllOthersIsStray) {
  const auto count = [](const std::vector<double>& labels) { return stray_labels(labels).size(); };
  EXPECT_EQ(count({0, 1, 1, 11}), 1u);
  EXPECT_EQ(count({0, 1, 1, 4}), 0u);
  EXPECT_EQ(count({-70, 10, 12, 20}), 1u);
  EXPECT_EQ(count({1, 1, 9}), 0u);
  EXPECT_EQ(count({1, 9}), 0u);
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
