#include <gtest/gtest.h>

#include "core/error.h"
#include "eval/agreement/agreement.h"
#include "eval/resampling.h"
#include "eval/result/render.h"
#include "measured.h"

namespace rubric::eval::suite_test {

// Humans tell five of the six pairs apart; the metric orders four of them so and ties one.
TEST(SystemLevel, PairwiseAccuracyByHand) {
  const std::vector<double> human = {1, 2, 2, 4}, metric = {0.1, 0.3, 0.2, 0.3};
  EXPECT_NEAR(system_agreement(human, metric).back().value(), 4.0 / 5, 1e-12);
  const std::vector<double> other = {0.3, 0.1, 0.2, 0.3};
  EXPECT_NEAR(system_agreement(human, other).back().value(), 2.0 / 5, 1e-12);
}

TEST(SystemLevel, TwoSystemsHaveNoCorrelationAndTiedHumansNoAccuracy) {
  const std::vector<double> human = {1, 2}, metric = {3, 4}, tied = {1, 1};
  EXPECT_FALSE(system_agreement(human, metric).front());
  EXPECT_EQ(system_agreement(human, metric).back(), 1);
  EXPECT_FALSE(system_agreement(tied, metric).back());
}

data::ScoredRows rows_of(const std::vector<std::string>& systems,
                         const std::vector<std::string>& ids) {
  data::ScoredRows rows;
  rows.systems = systems;
  rows.ids = ids;
  for (const std::string& id : ids) rows.rows.emplace_back(Json::Object{{"id", id}});
  rows.metrics = {"f1"};
  rows.scores.emplace_back();
  for (size_t i = 0; i < systems.size(); ++i) {
    rows.human.push_back(static_cast<double>(i % 3));
    rows.scores[0].push_back(static_cast<double>(i));
  }
  return rows;
}

std::vector<Measurement> level_of(const data::ScoredRows& rows, int64_t resamples) {
  return measure_systems(rows, RowQuestions(rows).clusters(), std::vector<size_t>{0},
                         {.resamples = resamples});
}

const Measurement& pairs_in(const std::vector<Measurement>& level) {
  return measurement_of(level, "system_pairwise_accuracy", {.metric = "f1"});
}

TEST(SystemLevel, MeansAreOverEachSystemsRows) {
  const auto level = level_of(rows_of({"b", "a", "b", "a"}, {"1", "2", "3", "4"}), 10);
  EXPECT_EQ(measurement_of(level, "mean_label", {.system = "b"}).n, 2);
  EXPECT_EQ(measurement_of(level, "mean_label", {.system = "b"}).value, 1);
  EXPECT_EQ(measurement_of(level, "mean_label", {.system = "a"}).value, 0.5);
  EXPECT_EQ(measurement_of(level, "mean", {.metric = "f1", .system = "b"}).value, 1);
  EXPECT_EQ(measurement_of(level, "mean", {.metric = "f1", .system = "a"}).value, 2);
  EXPECT_EQ(pairs_in(level).value, 0);
}

// Two systems that answer the same questions equally well: resampled by question they always tie.
TEST(SystemLevel, RowsOfOneIdAreDrawnTogether) {
  data::ScoredRows rows = rows_of({"a", "a", "a", "b", "b", "b"}, {"1", "2", "3", "1", "2", "3"});
  rows.scores[0] = {1, 2, 3, 1, 2, 3};
  rows.human = {1, 2, 3, 2, 3, 4};
  const auto level = level_of(rows, 200);
  EXPECT_EQ(pairs_in(level).interval.value().low, 0);
  EXPECT_EQ(pairs_in(level).interval.value().high, 0);
  data::ScoredRows apart = rows_of(rows.systems, {"1", "2", "3", "4", "5", "6"});
  apart.scores = rows.scores;
  apart.human = rows.human;  // b is sometimes above a
  const auto level_apart = level_of(apart, 200);
  EXPECT_EQ(pairs_in(level_apart).interval.value().high, 1);
}

TEST(SystemLevel, OneSystemHasMeansAlone) {
  const auto level = level_of(rows_of({"a", "a"}, {"1", "2"}), 10);
  EXPECT_EQ(measurement_of(level, "mean", {.metric = "f1", .system = "a"}).value, 0.5);
  EXPECT_EQ(level.size(), 2u);
}

// The metric lerc orders the rows of seen questions as humans do and the others wrongly.
data::ScoredRows partly_seen(const std::string& seen_field) {
  data::ScoredRows rows;
  rows.metrics = {"lerc", "f1"};
  rows.human = {1, 2, 3, 4, 5, 1, 2, 3, 4, 5};
  rows.scores = {{1, 2, 3, 4, 5, 5, 4, 3, 1, 2}, {1, 2, 2, 4, 4, 1, 3, 3, 4, 4}};
  for (size_t i = 0; i < rows.human.size(); ++i) {
    rows.ids.push_back(std::to_string(i));
    Json row{Json::Object()};
    row["question"] = "q" + std::to_string(i);
    if (seen_field == "seen" && i < 5) row["seen"]["lerc"] = i < 4 ? "trained" : "tuned";
    if (seen_field == "seen.lerc") row["seen.lerc"] = i < 4 ? "trained" : i < 5 ? "tuned" : "";
    if (seen_field == "others") row["seen"] = i < 5 ? Json(true) : Json();
    rows.rows.push_back(std::move(row));
  }
  return rows;
}

Result result_of(const Agreement& agreement, const data::ScoredRows& rows) {
  return agreement_result(agreement, std::make_shared<const data::ScoredRows>(rows), false);
}

Result result_of(const data::ScoredRows& rows) {
  return result_of(evaluate_agreement(rows, {.bootstrap = {.resamples = 20}}), rows);
}

TEST(Agreement, ValuesOnUnseenQuestionsStandBesideThoseOnAll) {
  for (const std::string field : {"seen", "seen.lerc"}) {  // rows of score, and a table's column
    const data::ScoredRows rows = partly_seen(field);
    const Agreement agreement = evaluate_agreement(rows, {.bootstrap = {.resamples = 20}});
    ASSERT_EQ(agreement.groups.size(), 2u);
    EXPECT_TRUE(agreement.groups[1].is_unseen);
    EXPECT_EQ(agreement.groups[1].n, 5);
    ASSERT_EQ(agreement.seen.size(), 2u);
    EXPECT_EQ(agreement.seen[0].trained, 4);
    EXPECT_EQ(agreement.seen[0].tuned, 1);
    EXPECT_EQ(agreement.seen[1].trained + agreement.seen[1].tuned, 0);
    for (size_t metric = 0; metric < 2; ++metric) {
      const std::span human(rows.human), scores(rows.scores[metric]);
      EXPECT_EQ(agreement.groups[0].metrics[metric].values[kPearson],
                stats::pearson(human, scores));
      EXPECT_EQ(agreement.groups[1].metrics[metric].values[kPearson],
                stats::pearson(human.subspan(5), scores.subspan(5)));
    }
    const Result result = result_of(agreement, rows);
    const Table table = result_tables(result, kPrintedText)[0];
    EXPECT_EQ(table.title, "Agreement with human labels over 10 rows");
    std::vector<std::string> first;
    for (const auto& row : table.rows) first.push_back(row[0] + ", " + row[1]);
    EXPECT_EQ(first, (std::vector<std::string>{"all rows, f1", "all rows, lerc",
                                               "unseen questions, f1", "unseen questions, lerc"}));
    ASSERT_GE(result.notes.size(), 2u);
    EXPECT_TRUE(
        result.notes[0].starts_with("lerc: its model was trained on the questions of 4 rows "
                                    "and tuned on those of 1, of 10"))
        << result.notes[0];
    EXPECT_TRUE(result.notes[1].starts_with("unseen questions: 5 rows have")) << result.notes[1];
    const Json json = to_json(result);
    EXPECT_EQ(measured(json, "pearson", {.metric = "lerc", .subset = kUnseen}).find("n")->number(),
              5);
    EXPECT_EQ(value_of(json, "seen_trained", {.metric = "lerc"}), 4);
    EXPECT_EQ(value_of(json, "seen_tuned", {.metric = "lerc"}), 1);
    const Report report = result_report(result, "");
    EXPECT_EQ(report.plots[0].names,
              (std::vector<std::string>{"all rows", "all rows – unseen questions"}));
    EXPECT_EQ(report.plots[0].series[0].points[1].rows, (std::vector<uint32_t>{5, 6, 7, 8, 9}));
  }
}

TEST(Agreement, OfGroupsTheUnseenOneComesFirst) {
  data::ScoredRows rows = partly_seen("seen");
  for (size_t i = 0; i < rows.human.size(); ++i) rows.groups.push_back(i % 2 == 0 ? "a" : "b");
  const Agreement agreement = evaluate_agreement(rows, {.bootstrap = {.resamples = 20}});
  ASSERT_EQ(agreement.groups.size(), 4u);
  EXPECT_TRUE(agreement.groups[1].is_unseen);
  const Result result = result_of(agreement, rows);
  EXPECT_EQ(measured(to_json(result), "questions", {.group = "b"}).find("n")->number(), 5);
  EXPECT_EQ(result_report(result, "").plots[0].names.size(), 4u);
  for (const Table& table : result_tables(result, kPrintedText)) {
    for (const std::vector<std::string>& row : table.rows) {
      EXPECT_LT(std::ranges::count(row, "all rows"), 2) << table.title;
    }
  }
}

// One constituent is the whole: its tests are those of all rows, and no others beside them.
TEST(Agreement, AGroupOfAllRowsIsNoFurtherTest) {
  data::ScoredRows rows = partly_seen("none");
  rows.groups.assign(rows.human.size(), "only");
  const AgreementOptions options{.bootstrap = {.resamples = 20}, .test = AgreementTest::williams};
  const Agreement agreement = evaluate_agreement(rows, options);
  ASSERT_EQ(agreement.groups.size(), 2u);
  const Json json = to_json(result_of(agreement, rows));
  Keys keys{.metric = "lerc", .against = "f1", .method = "williams"};
  const Json& all = measured(json, "difference", keys);
  EXPECT_EQ(all.find("p_holm")->number(), all.find("p")->number());  // Holm's of one test
  keys.group = "only";
  const Json& group = measured(json, "difference", keys);
  for (const char* part : {"value", "p", "p_holm"}) {
    EXPECT_EQ(group.find(part)->number(), all.find(part)->number());
  }
  const Json &of_all = measured(json, "pearson", {.metric = "lerc"}),
             &of_group = measured(json, "pearson", {.metric = "lerc", .group = "only"});
  for (const char* part : {"value", "low", "high"}) {  // the same rows, the same resamples
    EXPECT_EQ(of_group.find(part)->number(), of_all.find(part)->number());
  }
}

TEST(Agreement, WithoutUnseenQuestionsANoteSaysSo) {
  data::ScoredRows rows = partly_seen("seen");
  for (Json& row : rows.rows) row["seen"]["lerc"] = "trained";
  const std::vector<std::string> notes = result_of(rows).notes;
  EXPECT_EQ(std::ranges::count(notes, "no row has a question that the models have not seen"), 1);
}

// A file may have a field "seen" that is its own; a model may have seen nothing.
TEST(Agreement, WhereNothingWasSeenNothingIsSaid) {
  for (const std::string field : {"others", ""}) {
    const Agreement agreement =
        evaluate_agreement(partly_seen(field), {.bootstrap = {.resamples = 20}});
    EXPECT_EQ(agreement.groups.size(), 1u);
    EXPECT_TRUE(agreement.seen.empty());
  }
}

}  // namespace rubric::eval::suite_test
