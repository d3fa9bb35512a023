// How layouts become tables, and measurements CSV and JSON.
#include "eval/result/render.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::eval {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Result two_metrics() {
  Result result{.title = "Correlation"};
  result.measurements = {
      {.keys = {.metric = "f1"},
       .statistic = "pearson",
       .value = 0.5,
       .interval = Interval{0.25, 0.75},
       .n = 40},
      {.keys = {.metric = "f1"}, .statistic = "kendall", .value = 0.4},
      {.keys = {.metric = "f1", .group = "drop"}, .statistic = "pearson", .value = 0.1234, .n = 10},
      {.keys = {.metric = "em"}, .statistic = "pearson", .why_missing = "all scores are equal"},
      {.keys = {.metric = "em", .group = "drop"},
       .statistic = "pearson",
       .value = 1,
       .interval = Interval{1, 1}},
      {.keys = {.metric = "f1", .against = "em"},
       .statistic = "difference",
       .value = 0.1,
       .p = 0.25,
       .p_holm = 0.5,
       .p_holm_is_bound = true}};
  return result;
}

TEST(Layout, StatisticsAreColumns) {
  const Table table = layout_table(
      two_metrics(),
      {.title = "All rows",
       .rows = {{"metric", &Keys::metric}},
       .columns = {
           {"Pearson's r", {"pearson"}},
           {"Kendall's tau", {"kendall"}},
           {.title = "both", .statistics = {"pearson", "kendall"}, .part = CellPart::value}}});
  EXPECT_EQ(table.header,
            (std::vector<std::string>{"metric", "Pearson's r", "Kendall's tau", "both"}));
  EXPECT_EQ(table.rows, (Rows{{"f1", "0.500 [0.250, 0.750]", "0.400", "0.500 / 0.400"},
                              {"em", "–", "", "– / –"}}));
  EXPECT_EQ(table.numbers[0][1].interval->low, 0.25);
  EXPECT_EQ(table.numbers[0][1].n, 40);
  EXPECT_FALSE(table.numbers[1][1].interval);
}

TEST(Layout, AKeyIsSpreadOverColumns) {
  const Result result = two_metrics();
  Layout layout{
      .title = "By group",
      .rows = {{"group", &Keys::group}},
      .columns = {
          {.title = "n", .statistics = {"pearson"}, .any = &Keys::metric, .part = CellPart::n},
          {.statistics = {"pearson"}, .across = &Keys::metric}}};
  EXPECT_EQ(layout_table(result, layout).header,
            (std::vector<std::string>{"group", "n", "f1", "em"}));
  EXPECT_EQ(layout_table(result, layout).rows,
            (Rows{{"drop", "10", "0.123", "1.000 [1.000, 1.000]"}}));
  EXPECT_TRUE(layout_table(result, layout).has_certain_interval);
  layout.rows[0].empty = "all rows";
  EXPECT_EQ(layout_table(result, layout).rows[0],
            (std::vector<std::string>{"all rows", "40", "0.500 [0.250, 0.750]", "–"}));
}

TEST(Layout, PIsAPartOfAMeasurement) {
  const Table table = layout_table(
      two_metrics(),
      {.title = "p",
       .rows = {{"metric", &Keys::metric}},
       .columns = {{.statistics = {"difference"}, .across = &Keys::against, .part = CellPart::p},
                   {.title = "Holm",
                    .statistics = {"difference"},
                    .any = &Keys::against,
                    .part = CellPart::p_holm}}});
  EXPECT_EQ(table.header, (std::vector<std::string>{"metric", "em", "Holm"}));
  EXPECT_EQ(table.rows, (Rows{{"f1", "0.250", "≤ 0.500"}}));
}

TEST(Layout, AKeyWithoutTextsHasNoColumn) {
  const Table table = layout_table(
      two_metrics(), {.title = "",
                      .rows = {{"system", &Keys::system, ""}, {"metric", &Keys::metric}},
                      .columns = {{"r", {"pearson"}}}});
  EXPECT_EQ(table.header, (std::vector<std::string>{"metric", "r"}));
}

TEST(Layout, RowsAreChosenByTheirTexts) {
  const Table table = layout_table(
      two_metrics(),
      {.title = "",
       .rows = {{.title = "metric", .key = &Keys::metric, .only = {"f1"}}},
       .columns = {
           {.title = "r", .statistics = {"pearson"}, .form = NumberForm::percent_of_share}}});
  EXPECT_EQ(table.rows, (Rows{{"f1", "50.0 [25.0, 75.0]"}}));
}

TEST(RecordsTable, CutsLongTextsUnlessTheyAreWhole) {
  const std::string text(50, 'x');
  Records records{.columns = {"step"}, .size = 1, .row = [&](size_t) {
                    return std::vector<RecordValue>{text};
                  }};
  EXPECT_EQ(records_table(records, 40).rows, (Rows{{std::string(40, 'x') + "…"}}));
  records.is_whole = true;
  EXPECT_EQ(records_table(records, 40).rows, (Rows{{text}}));
}

TEST(Layout, TwoMeasurementsInOneCellAreAFault) {
  Result result = two_metrics();
  result.measurements.push_back(result.measurements[1]);
  EXPECT_THROW(layout_table(result, {.title = "",
                                     .rows = {{"metric", &Keys::metric}},
                                     .columns = {{"t", {"kendall"}}}}),
               std::logic_error);
}

// A text of a user is no interval, whatever it looks like.
TEST(Layout, ATextIsNoInterval) {
  Result result{.title = "Answers"};
  result.measurements = {{.keys = {.system = "0.5 [1, 2]"}, .statistic = "mean", .value = 3}};
  result.tables = {
      {.title = "", .rows = {{"system", &Keys::system}}, .columns = {{"mean", {"mean"}}}}};
  result.records = {{.name = "rows",
                     .title = "Rows",
                     .columns = {"candidate", "score"},
                     .size = 1,
                     .row = [](size_t) {
                       return std::vector<RecordValue>{"[1, 2]", 0.5};
                     }}};
  const std::string page = to_html(result_report(result, ""));
  EXPECT_EQ(page.find("<svg"), std::string::npos);
  expect_contains(page, "[1, 2]");
}

// "r" and the columns under "n" and "t" are beside "metric" where they fit.
TEST(Layout, ATableFitsTheTerminal) {
  Result result = two_metrics();
  result.tables = {{.title = "All rows and none of the other rows",
                    .rows = {{"metric", &Keys::metric}},
                    .columns = {{"Pearson's r", {"pearson"}},
                                {"Kendall's tau", {"kendall"}},
                                {.title = "n", .statistics = {"pearson"}, .part = CellPart::n}},
                    .notes = {"one note that is wide"}}};
  EXPECT_EQ(print(result, OutputFormat::text, 30),
            "All rows and none of the other\n"
            "rows\n"
            "\n"
            "metric           Pearson's r\n"
            "------  --------------------\n"
            "f1      0.500 [0.250, 0.750]\n"
            "em                         –\n"
            "\n"
            "metric  Kendall's tau   n\n"
            "------  -------------  --\n"
            "f1              0.400  40\n"
            "em                      –\n"
            "\n"
            "one note that is wide\n");
  EXPECT_EQ(print(result, OutputFormat::text, 55), print(result, OutputFormat::text));
}

TEST(Measurements, CsvHasOneHeaderAndExactNumbers) {
  const std::string csv = print(two_metrics(), OutputFormat::csv);
  EXPECT_TRUE(csv.starts_with(
      "metric,system,against,group,source,subset,method,seed,statistic,value,low,high,confidence,p,"
      "p_holm,p_is_bound,p_holm_is_bound,n,why_missing\n"
      "f1,,,,,,,,pearson,0.5,0.25,0.75,0.95,,,,,40,\n"))
      << csv;
  expect_contains(csv, "f1,,,drop,,,,,pearson,0.1234,,,,,,,,10,\n");
  expect_contains(csv, "em,,,,,,,,pearson,,,,,,,,,,all scores are equal\n");
  expect_contains(csv, "f1,,em,,,,,,difference,0.1,,,,0.25,0.5,false,true,,\n");
  Result count{.title = ""};
  count.measurements = {{.statistic = "rows", .value = 100000}};
  expect_contains(print(count, OutputFormat::csv), "rows,100000,");
}

TEST(Measurements, JsonLeavesOutWhatDoesNotApply) {
  Result result = two_metrics();
  result.notes = {"first"};
  result.tables = {{.title = "", .notes = {"second"}}};
  const Json json = to_json(result);
  EXPECT_EQ(json.find("measurements")->array()[3].dump(),
            R"({"metric": "em", "statistic": "pearson", "value": null, )"
            R"("why_missing": "all scores are equal"})");
  EXPECT_EQ(json.find("measurements")->array()[5].dump(),
            R"({"metric": "f1", "against": "em", "statistic": "difference", "value": 0.1, )"
            R"("p": 0.25, "p_is_bound": false, "p_holm": 0.5, "p_holm_is_bound": true})");
  EXPECT_EQ(json.find("notes")->dump(), R"(["first", "second"])");
}

TEST(Measurements, ResamplesHaveSixDigits) {
  Result result{.title = ""};
  result.measurements = {
      {.statistic = "mean", .value = 0.5, .resampled = {0.1234567, std::nullopt, 1}}};
  EXPECT_EQ(to_json(result).find("measurements")->array()[0].find("resampled")->dump(),
            "[0.123457, null, 1]");
}

TEST(IntervalPlot, APointNamesTheRowsBehindItsValue) {
  Result result = two_metrics();
  result.interval_plots = {
      {.layout = {.title = "",
                  .rows = {{"group", &Keys::group}},
                  .columns = {{"r", {"pearson"}}},
                  .keys = {.metric = "f1"}},
       .rows = [](const Keys& keys) { return std::vector<uint32_t>(keys.group.size(), 7); }}};
  const Report report = result_report(result, "");
  ASSERT_EQ(report.plots.size(), 1u);
  EXPECT_EQ(report.plots[0].series[0].points[0].rows, (std::vector<uint32_t>{7, 7, 7, 7}));
}

TEST(Layout, AMeasurementMayNeedMoreSignificantDigits) {
  Result result{.title = ""};
  result.measurements = {
      {.keys = {.metric = "f1"}, .statistic = "threshold", .value = 0.123456},
      {.keys = {.metric = "close"}, .statistic = "threshold", .value = 0.123456, .digits = 6}};
  const Table table = layout_table(
      result,
      {.title = "",
       .rows = {{"metric", &Keys::metric}},
       .columns = {{.title = "at", .statistics = {"threshold"}, .form = NumberForm::significant}}});
  EXPECT_EQ(table.rows, (Rows{{"f1", "0.1235"}, {"close", "0.123456"}}));
}

// By statsmodels.stats.multitest.multipletests(method="holm"): of 0.01, 0.04 and 0.03; of 0.02
// alone. "all" has the records of all rows, and the other method a family of its own.
TEST(Holm, IsOverTheTestsOfAMethodAndSubset) {
  const auto test = [](double p, Keys keys, int64_t n, bool is_bound = false) {
    return Measurement{
        .keys = std::move(keys), .statistic = "difference", .p = p, .p_is_bound = is_bound, .n = n};
  };
  std::vector<Measurement> measurements = {
      test(0.01, {.metric = "f1", .method = "t"}, 9, true),
      test(0.04, {.metric = "f1", .group = "a", .method = "t"}, 4),
      test(0.01, {.metric = "f1", .group = "all", .method = "t"}, 9, true),
      test(0.03, {.metric = "f1", .group = "b", .method = "t"}, 5),
      test(0.02, {.metric = "f1", .subset = "unseen", .method = "t"}, 9),
      test(0.02, {.metric = "f1", .method = "u"}, 9),
      {.keys = {.metric = "f1"}, .statistic = "mean", .n = 9}};
  const auto counts = add_holm(measurements);
  EXPECT_EQ(counts.at({"t", ""}), 3u);
  EXPECT_EQ(counts.at({"t", "unseen"}), 1u);
  EXPECT_EQ(counts.size(), 3u);
  const std::vector<double> expected = {0.03, 0.06, 0.03, 0.06, 0.02, 0.02};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(measurements[i].p_holm.value(), expected[i], 1e-12) << i;
    EXPECT_EQ(measurements[i].p_holm_is_bound, i == 0 || i == 2) << i;
  }
  EXPECT_FALSE(measurements.back().p_holm);
}

}  // namespace
}  // namespace rubric::eval
