#include "data/tasks/label_scale.h"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "core/json/json.h"
#include "data/answers/answer_rows.h"
#include "messages.h"

namespace rubric::data::label_scale_test {

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
      text += stray_text(
                  each, labels, [](size_t) { return "x"; }, [](size_t) { return "f"; }) +
              "; ";
    }
    return text;
  };
  const std::vector<double> five = {1, 2, 3, 4, 5};
  EXPECT_EQ(strays(five, {9}, 300),
            "the label of x is 9 (f), all others are from 1 to 5: if it is a slip, correct it; ");
  EXPECT_EQ(strays(five, {0}, 300),
            "the label of x is 0 (f), all others are from 1 to 5: if it is a slip, correct it; ");
  EXPECT_EQ(strays(five, {9, 55, 6}, 300),
            "3 labels are far from all others: x has 55 (f), x has 9 (f), x has 6 (f), all others "
            "are from 1 to 5: if they are slips, correct them; ");
  expect_contains(strays(five, {6, -900}, 300), "x has -900 (f), x has 6 (f), all others");
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

// However many there are.
TEST(LabelScale, CodesOfMissingValuesAreStray) {
  using Labels = std::vector<double>;
  const auto codes = [](Labels usual, const Labels& more) {
    Labels labels, found;
    for (size_t i = 0; i < 30; ++i) labels.push_back(usual[i % usual.size()]);
    labels.insert(labels.begin() + 7, more.begin(), more.end());
    for (const StrayLabels& strays : stray_labels(labels)) {
      for (const size_t place : strays.places) {
        if (strays.are_codes) found.push_back(labels[place]);
      }
    }
    return found;
  };
  const Labels five = {1, 2, 3, 4, 5}, percent = {0, 12, 57.5, 100};
  for (const Labels& code : {Labels{-99},
                             {-9, -9, -9},
                             {-1, -1},
                             {99},
                             {999, 999},
                             {9999, 9999},
                             {9, 9, 9},
                             {-99, -9, -1},
                             {-1, 999},
                             {9, 9, 99}}) {
    EXPECT_EQ(codes(five, code), code);
  }
  for (const Labels& code : {Labels{-99}, {-9, -9}, {-1, -1}, {999}, {9999, 9999, 9999}}) {
    EXPECT_EQ(codes(percent, code), code);
  }
  EXPECT_EQ(codes({0, 1}, {-99, -9, 9, 9, 99}), (Labels{-99, -9, 9, 9, 99}));
  EXPECT_EQ(codes({-2, -1, 0, 1, 2}, {-99, -9, 99}), (Labels{-99, -9, 99}));
  // These are of the scale.
  EXPECT_EQ(codes({0, 1}, {-1, -1, -1}), Labels());
  EXPECT_EQ(codes({-1, 0, 1}, {}), Labels());
  EXPECT_EQ(codes({0, 1, 2, 3}, {-1, -1, -1, -1, -1, -1}), Labels());  // REV's
  EXPECT_EQ(codes(percent, {99, 9, 88}), Labels());
  EXPECT_EQ(codes({1, 2, 5, 6}, {9, 9}), Labels());
  EXPECT_EQ(codes({1, 3, 6, 8}, {9, 10}), Labels());
  EXPECT_EQ(codes({-1.5, 0.3, 2}, {-1, -1.7}), Labels());
  EXPECT_EQ(codes({10, 20, 40}, {99}), Labels());
  // A slip beside codes is found, too.
  Labels labels = {-99, -99, 300};
  for (int i = 0; i < 40; ++i) labels.push_back(1 + i % 5);
  EXPECT_EQ(stray_labels(labels).size(), 2u);
}

// Of people's judgements as published none is a code or a slip.
TEST(LabelScaleRealData, HasNoStrayLabels) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::filesystem::path folder = data;
  const auto expect_none = [](const std::vector<double>& labels, const std::string& what) {
    EXPECT_GT(labels.size(), 100u) << what;
    EXPECT_TRUE(stray_labels(labels).empty()) << what;
  };
  for (const auto& [file, format] :
       {std::pair("evouna/NQ.json", "evouna"),
        {"efficientqa/NQ-open.efficientqa.test.1.1.jsonl", "efficientqa"},
        {"ae_train/train.jsonl", "answer_equivalence"},
        {"stsb/stsb-en-train.csv", "stsb"},
        {"stsb/stsb-en-dev.csv", "stsb"}}) {
    std::map<std::string, std::vector<double>> labels;  // of all, and of each constituent
    for (const Answer& answer : read_answers(folder / file, input_format(format, file))) {
      if (!answer.score) continue;
      for (const std::string& of : {std::string(), answer.constituent}) {
        labels[of].push_back(*answer.score);
        if (answer.constituent.empty()) break;
      }
    }
    for (const auto& [of, values] : labels) expect_none(values, file + std::string(" ") + of);
  }
  for (const char* const name : {"qags_cnndm", "qags_xsum", "sfhot", "sfres"}) {
    std::map<std::string, std::vector<double>> labels;
    const std::filesystem::path file = folder / "unieval" / (name + std::string("_result.json"));
    for (const Json& row : Json::parse(read_file(file), file.string()).array()) {
      for (const auto& [of, value] : row.find("scores")->object()) {
        if (value.is_number()) labels[of].push_back(value.number());
      }
    }
    for (const auto& [of, values] : labels) expect_none(values, name + std::string(" ") + of);
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

}  // namespace rubric::data::label_scale_test
