#include "train/curves/curves.h"

#include <cstring>
#include <utility>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::train::curves_test {

TEST(Curves, RecordsAreTensorBoards) {
  constexpr double kStart = 1732420000.5;
  EXPECT_EQ(
      version_record(kStart) + start_record(kStart, 1) +
          scalars_record(1732420001.25, 1, {{"train/loss", 0.125}}) +
          scalars_record(1732420002.0, 300'000, {{"train/loss", 0.125}, {"dev/pearson", -2.5}}),
      read_file(std::string(fixtures_folder()) + "/curves/events.bin"));
}

Json update(int step, double loss) {
  return Json::Object{
      {"event", "update"}, {"step", step}, {"steps", 20}, {"loss", loss}, {"lr", 0.5}};
}

Json validation(int step, const Json& value) {
  return Json::Object{{"event", "validation"}, {"step", step},      {"epoch", 1},
                      {"train_loss", 0.25},    {"dev_loss", 0.125}, {"statistic", "pearson"},
                      {"value", value},        {"best", true}};
}

TEST(Curves, ScalarsAreTheNumbersOfAnEvent) {
  EXPECT_EQ(scalars_of(update(3, 0.5)), (Scalars{{"train/loss", 0.5}, {"train/lr", 0.5}}));
  EXPECT_EQ(scalars_of(validation(3, 0.75)), (Scalars{{"dev/epoch", 1},
                                                      {"train/mean_loss", 0.25},
                                                      {"dev/loss", 0.125},
                                                      {"dev/pearson", 0.75}}));
  EXPECT_EQ(scalars_of(validation(3, Json())),
            (Scalars{{"dev/epoch", 1}, {"train/mean_loss", 0.25}, {"dev/loss", 0.125}}));
  EXPECT_EQ(scalars_of(Json::Object{{"event", "resumed"}, {"step", 1}}), Scalars());
}

TEST(Curves, AStartWithoutEventsLeavesNoFile) {
  const TemporaryFolder folder;
  EventFile file(folder.path());
  file.add(Json::Object{{"event", "other"}});
  EXPECT_TRUE(folder.names().empty());
  file.add(update(1, 0.5));
  file.add(update(2, 0.25));
  ASSERT_EQ(folder.names().size(), 1U);
  EXPECT_TRUE(folder.names()[0].starts_with("events.out.tfevents."));
  EXPECT_TRUE(folder.names()[0].ends_with(".rubric"));
}

// TensorBoard drops the points of an earlier start from the first of this one on.
TEST(Curves, AStartWithAValidationKeepsTheUpdateBeforeIt) {
  for (const auto& [first, step] : {std::pair(update(3, 0.5), 3), {validation(3, 0.75), 4}}) {
    const TemporaryFolder folder;
    EventFile(folder.path()).add(first);
    const std::string bytes = read_file(folder.file(folder.names().at(0)));
    double now = 0;  // a record is its length, a CRC, and an event that begins with a key and this
    std::memcpy(&now, bytes.data() + 13, sizeof(now));
    EXPECT_TRUE(bytes.starts_with(version_record(now) + start_record(now, step))) << step;
  }
}

TEST(Curves, TheTableHasValidationsAndEveryTenthUpdate) {
  const TemporaryFolder folder;
  std::string log;
  for (int step = 1; step <= 20; ++step) log += update(step, 0.5).dump() + "\n";
  log += validation(20, 0.75).dump() + "\n";
  folder.write("log.jsonl", log);
  write_metrics_table(folder.path());
  EXPECT_EQ(
      read_file(folder.file("metrics.csv")),
      "event,step,epoch,loss,train_loss,dev_loss,lr,gradient_norm,tokens_per_second,statistic,"
      "value\n"
      "update,10,,0.5,,,0.5,,,,\n"
      "update,20,,0.5,,,0.5,,,,\n"
      "validation,20,1,,0.25,0.125,,,,pearson,0.75\n");
}

}  // namespace rubric::train::curves_test
