#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/files/files.h"
#include "temporary_folder.h"

namespace rubric::abandoned_files_test {

TEST(RemoveAbandoned, TakesWhatNobodyWritesAnyMore) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "out";
  const fs::path whole = folder.write("out", "whole");
  const fs::path abandoned = folder.write(partial_path(path).filename(), "half");
  const fs::path being_written = folder.write(partial_path(path).filename(), "half");
  const int writer = open(being_written.c_str(), O_WRONLY);
  ASSERT_EQ(flock(writer, LOCK_EX), 0);  // as an AtomicFile holds it
  remove_abandoned_files(path);
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(being_written));
  EXPECT_TRUE(fs::exists(whole));
  close(writer);
}

TEST(RemoveAbandoned, DoesNothingWhereThereIsNoFolder) {
  const TemporaryFolder folder;
  remove_abandoned_files(folder.path() / "none" / "out");
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace rubric::abandoned_files_test
