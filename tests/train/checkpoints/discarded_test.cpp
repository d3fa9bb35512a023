#include <cerrno>

#include "distributed/some_ranks.h"
#include "failing_call.h"
#include "messages.h"
#include "temporary_folder.h"
#include "train/checkpoints/run_directory.h"

namespace rubric::train::discarded_test {

using Names = std::vector<std::string>;

TEST(Discarded, GoesWithAllThatIsInIt) {
  const TemporaryFolder folder;
  folder.write("step-000001/part/file", "1");
  folder.write("step-000002.partial-1/file", "2");
  folder.write("kept", "3");
  discard(folder.path() / "step-000001");
  EXPECT_EQ(folder.names(), (Names{"kept", "step-000002.partial-1"}));
  delete_discarded(folder.path());
  EXPECT_EQ(folder.names(), Names{"kept"});
  EXPECT_THROW(discard(folder.path() / "nothing"), Error);
}

TEST(Discarded, WhatCannotBeDeletedIsTriedAgain) {
  const TemporaryFolder folder;
  folder.write("step-000001/file", "1");
  const RankOutcome outcome = run_apart([&] {
    make_fail(SYS_unlinkat, ENOTEMPTY);
    for (int time = 0; time < 2; ++time) {
      testing::internal::CaptureStderr();
      time == 0 ? discard(folder.path() / "step-000001") : delete_discarded(folder.path());
      const std::string warning = testing::internal::GetCapturedStderr();
      expect_contains(warning, "cannot be deleted yet: " + folder.file("step-000001.partial-"));
      expect_contains(warning, "Directory not empty");
    }
  });
  EXPECT_EQ(outcome.code, kDone) << outcome.message;
  ASSERT_EQ(folder.names().size(), 1U);
  expect_contains(folder.names()[0], "step-000001.partial-");
  delete_discarded(folder.path());
  EXPECT_EQ(folder.names(), Names());
}

}  // namespace rubric::train::discarded_test
