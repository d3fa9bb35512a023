// How layouts become tables, and measurements CSV and JSON.
#include "eval/result/render.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::eval::render_test {

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
       .columns = {{.title = "r", .statistics = {"pearson"}, .form = NumberForm::percent1}}});
  EXPECT_EQ(table.rows, (Rows{{"f1", "50.0 [25.0, 75.0]"}}));
}

TEST(Layout, NoNumberLooksLikeZeroOrWhole) {
  Result result{.title = ""};
  const std::pair<const char*, double> values[] = {{"a", 0.66844}, {"b", -0.00012}, {"c", 1.08e-6},
                                                   {"d", 0},       {"e", 2.5},      {"f", 3}};
  for (const auto& [group, value] : values) {
    result.measurements.push_back({.keys = {.group = group}, .statistic = "v", .value = value});
  }
  const auto cells = [&](NumberForm form) {
    std::vector<std::string> texts;
    const Table table = layout_table(
        result, {.rows = {{"", &Keys::group}}, .columns = {{.statistics = {"v"}, .form = form}}});
    for (const auto& row : table.rows) texts.push_back(row[1]);
    return texts;
  };
  EXPECT_EQ(cells(NumberForm::fixed4), (std::vector<std::string>{"0.6684", "-0.00012", "1.08e-06",
                                                                 "0.0000", "2.5000", "3.0000"}));
  EXPECT_EQ(cells(NumberForm::count)[4], "2.5");
  EXPECT_EQ(cells(NumberForm::count)[5], "3");
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

TEST(RecordsTable, EachPartOfAWideOneNamesItsRows) {
  Result result{.title = ""};
  result.records = {
      {.name = "rows",
       .title = "Rows",
       .columns = {"system", "group", "id", "question", "score"},
       .key_columns = 3,
       .size = 2,
       .row = [](size_t row) {
         return std::vector<RecordValue>{"a", "", row == 0 ? "q1" : "q2", "Who is it?", 0.5};
       }}};
  EXPECT_EQ(print(result, OutputFormat::text, 24),
            "Rows\n"
            "\n"
            "system  id  question\n"
            "------  --  ----------\n"
            "a       q1  Who is it?\n"
            "a       q2  Who is it?\n"
            "\n"
            "system  id  score\n"
            "------  --  -----\n"
            "a       q1  0.500\n"
            "a       q2  0.500\n");
}

// The row of all groups has another label than a group of that name.
TEST(Layout, AUsersTextThatIsALabelIsQuoted) {
  Result result{.title = ""};
  for (const std::string group : {"", "all records", "a"}) {
    result.measurements.push_back(
        {.keys = {.system = "s", .group = group}, .statistic = "mean", .value = 1});
  }
  const Layout layout{.title = "",
                      .rows = {{"group", &Keys::group, "all records"}},
                      .columns = {{"mean", {"mean"}}},
                      .keys = {.system = "s"}};
  EXPECT_EQ(layout_table(result, layout).rows,
            (Rows{{"all records", "1.000"}, {"\"all records\"", "1.000"}, {"a", "1.000"}}));
  result.interval_plots = {{.layout = layout}};
  EXPECT_EQ(result_report(result, "").plots.at(0).names,
            (std::vector<std::string>{"all records", "\"all records\"", "a"}));
}

TEST(Layout, OfManyGroupsTheFirstAreShown) {
  Result result{.title = ""};
  for (int i = 0; i < 20'000; ++i) {
    result.measurements.push_back(
        {.keys = {.group = std::to_string(i)}, .statistic = "mean", .value = i});
  }
  result.measurements.push_back({.statistic = "mean", .value = 2});
  const Table table = layout_table(
      result,
      {.title = "", .rows = {{"group", &Keys::group, "all"}}, .columns = {{"mean", {"mean"}}}});
  ASSERT_EQ(table.rows.size(), 51u);
  EXPECT_EQ(table.rows[49].front(), "49");
  EXPECT_EQ(table.rows[50].front(), "all");
  expect_contains(table.notes.at(0), "the first 50 of 20000 groups are shown");
}

TEST(Print, TwoMeasurementsOfOneNameAreAFault) {
  Result result{.title = ""};
  result.measurements = {{.keys = {.metric = "f1"}, .statistic = "mean", .value = 1},
                         {.keys = {.system = "f1"}, .statistic = "mean", .value = 1}};
  EXPECT_NO_THROW(print(result, OutputFormat::csv));
  result.measurements.push_back({.keys = {.metric = "f1"}, .statistic = "mean", .value = 2});
  for (const OutputFormat format : {OutputFormat::text, OutputFormat::csv, OutputFormat::json}) {
    EXPECT_THROW(print(result, format), std::logic_error);
  }
}

TEST(Print, EqualNotesAreSaidOnce) {
  Result result{.title = "", .notes = {"of all"}};
  result.measurements = {{.keys = {.metric = "f1"}, .statistic = "mean", .value = 1}};
  const Layout layout{.title = "T",
                      .rows = {{"metric", &Keys::metric}},
                      .columns = {{"mean", {"mean"}}},
                      .notes = {"of all", "of one"}};
  result.tables = {layout, layout};
  EXPECT_EQ(all_notes(result), (std::vector<std::string>{"of all", "of one"}));
  const std::vector<Table> tables = result_tables(result, kPrintedText);
  EXPECT_EQ(tables[0].notes, (std::vector<std::string>{"of one"}));
  EXPECT_TRUE(tables[1].notes.empty());
}

// As the header of result.h shows it.
TEST(Print, TheExampleIsWhatTheHeaderSays) {
  Result result{.title = "Means"};
  result.measurements = {
      {.keys = {.metric = "f1", .system = "a"}, .statistic = "mean", .value = 0.8},
      {.keys = {.metric = "f1", .system = "b"}, .statistic = "mean", .value = 0.7}};
  result.tables = {{.title = "Means",
                    .rows = {{"system", &Keys::system}},
                    .columns = {{.statistics = {"mean"}, .across = &Keys::metric}}}};
  EXPECT_EQ(print(result, OutputFormat::text),
            "Means\n"
            "\n"
            "system     f1\n"
            "------  -----\n"
            "a       0.800\n"
            "b       0.700\n");
}

TEST(Records, AreCsvWithAllDigits) {
  const Records records{.columns = {"candidate", "probability"}, .size = 2, .row = [](size_t row) {
                          return row == 0 ? std::vector<RecordValue>{"a,\nb", 1.0 / 3}
                                          : std::vector<RecordValue>{"", RecordValue()};
                        }};
  EXPECT_EQ(records_csv(records), "candidate,probability\n\"a,\nb\",0.3333333333333333\n,\n");
}

// Tables of other programs may hold any bytes.
TEST(Records, TextsAreUtf8InJson) {
  Result result{.title = "", .notes = {"\xff"}};
  result.records = {{.name = "sheet", .columns = {"text"}, .size = 1, .row = [](size_t) {
                       return std::vector<RecordValue>{"\xff"};
                     }}};
  EXPECT_EQ(to_json(result).find("records")->dump(), "{\"sheet\": [{\"text\": \"\uFFFD\"}]}");
  EXPECT_EQ(to_json(result).find("notes")->dump(), "[\"\uFFFD\"]");
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
      {.statistic = "mean", .value = 0.5, .resampled = {0.1234567, std::nullopt, 1.0812345678e-6}}};
  EXPECT_EQ(to_json(result).find("measurements")->array()[0].find("resampled")->dump(),
            "[0.123457, null, 1.08123e-06]");
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

TEST(Layout, SmallAndLargeNumbersHaveSignificantDigits) {
  Result result{.title = ""};
  const auto add = [&](double value, double low, double high) {
    result.measurements.push_back({.keys = {.system = std::to_string(result.measurements.size())},
                                   .statistic = "mean",
                                   .value = value,
                                   .interval = Interval{low, high}});
  };
  add(1.23456e-5, 1.1e-5, 1.4e-5);
  add(1.5e69, 1e69, 2e69);
  add(0.002, -0.001, 0.0123);
  add(1.1e-17, 0, 1.1e-17);
  result.tables = {
      {.title = "", .rows = {{"system", &Keys::system}}, .columns = {{"mean", {"mean"}}}}};
  Table table = layout_table(result, result.tables[0]);
  EXPECT_EQ(table.rows, (Rows{{"0", "1.23e-05 [1.1e-05, 1.4e-05]"},
                              {"1", "1.5e+69 [1e+69, 2e+69]"},
                              {"2", "0.002 [-0.001, 0.012]"},
                              {"3", "0.000 [0.000, 0.000]"}}));
  EXPECT_TRUE(table.has_certain_interval);
  result.measurements.pop_back();
  EXPECT_FALSE(layout_table(result, result.tables[0]).has_certain_interval);
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

}  // namespace rubric::eval::render_test
