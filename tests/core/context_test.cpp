#include "core/context.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/field_text.h"
#include "core/system/log.h"
#include "core/system/parallel.h"
#include "recorder.h"

namespace rubric {
namespace {

std::vector<std::string> texts_of(const Recorder& recorder) {
  std::vector<std::string> texts;
  for (const auto& [level, text] : recorder.messages) texts.push_back(text);
  return texts;
}

TEST(Context, AnEmptyOneTellsNobodyAndIsNeverStopped) {
  const Context context;
  const ContextScope scope(context);
  testing::internal::CaptureStderr();
  log_warning("nobody");
  Progress("rows", 2).update(1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_NO_THROW(end_if_stop_requested());
}

TEST(Context, TheInnermostScopeOfAThreadCounts) {
  Recorder outer, inner;
  const Context of_outer{&outer, {}, {}}, of_inner{&inner, {}, {}};
  const ContextScope scope(of_outer);
  {
    const ContextScope nested(of_inner);
    log_info("in");
  }
  log_info("out");
  EXPECT_EQ(texts_of(inner), std::vector<std::string>{"in"});
  EXPECT_EQ(texts_of(outer), std::vector<std::string>{"out"});
}

TEST(Context, ACallWithinACallHasTheNamesOfTheFilesThatTheOuterOneHasRead) {
  const ContextScope scope(Context{});
  set_field_names({{"candidate", "reply"}}, /*is_table=*/true);
  {
    const ContextScope nested(Context{});
    EXPECT_EQ(own_field("candidate"), " (column \"reply\")");
    set_field_names({{"reference", "gold"}}, /*is_table=*/false);  // another file
    EXPECT_EQ(own_field("candidate"), "");
    EXPECT_EQ(own_field("reference"), " (field \"gold\")");
  }
  EXPECT_EQ(own_field("candidate"), " (column \"reply\")");
  EXPECT_EQ(own_field("reference"), "");
}

TEST(Context, ThreadsDoNotShareTheirs) {
  Recorder one, other;
  const auto work = [](Recorder& recorder, const std::string& message) {
    const Context context{&recorder, {}, {}};
    const ContextScope scope(context);
    for (int i = 0; i < 100; ++i) log_info(message);
  };
  {
    const std::jthread first([&] { work(one, "one"); });
    const std::jthread second([&] { work(other, "other"); });
  }
  EXPECT_EQ(texts_of(one), std::vector<std::string>(100, "one"));
  EXPECT_EQ(texts_of(other), std::vector<std::string>(100, "other"));
}

TEST(Context, ParallelWorkHasItsCallers) {
  Recorder recorder;
  CancellationSource source;
  const Context context{&recorder, source.token(), {}};
  const ContextScope scope(context);
  parallel_for(8, 100'000'000, [](size_t first, size_t end) {
    for (size_t i = first; i < end; ++i) log_info("row");
  });
  EXPECT_EQ(recorder.messages.size(), 8U);
  source.cancel();
  EXPECT_THROW(parallel_for(8, 100'000'000, [](size_t, size_t) { end_if_stop_requested(); }),
               Interrupted);
}

TEST(Context, ProgressSaysWhatWasDoneBefore) {
  Recorder recorder;
  const Context context{&recorder, {}, {}};
  const ContextScope scope(context);
  { Progress("rows", 10, 4).update(5, "loss 1"); }
  ASSERT_EQ(recorder.updates.size(), 2U);
  EXPECT_EQ(recorder.updates[0].done, 5);
  EXPECT_EQ(recorder.updates[0].total, 10);
  EXPECT_EQ(recorder.updates[0].already_done, 4);
  EXPECT_EQ(recorder.updates[0].detail, "loss 1");
  EXPECT_TRUE(recorder.updates[1].is_paused);
}

}  // namespace
}  // namespace rubric
