#include "train/checkpoints/run_directory.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include "core/files/files.h"
#include "distributed/some_ranks.h"
#include "failing_call.h"
#include "messages.h"
#include "rubric/version.h"
#include "temporary_folder.h"

namespace rubric::train::run_directory_test {

struct RunFolder : testing::Test {
  TrainConfig config(int64_t seed = 0) const {
    TrainConfig config;
    config.output = folder_.file("run");
    config.seed = seed;
    return config;
  }

  RunDirectory open(const TrainConfig& config, Resume resume = Resume::automatic) const {
    return RunDirectory(config, inputs_, resume);
  }

  // The message with which a run is refused, before which nothing may be touched.
  std::string refusal(const TrainConfig& config, Resume resume = Resume::automatic) const {
    return input_error([&] { open(config, resume); });
  }

  fs::path path(const std::string& name) const { return folder_.path() / "run" / name; }

  static void replace(RunDirectory& run, const std::string& name, const std::string& text) {
    run.replace_directory(name, [&](const fs::path& made) {
      write_file(made / "file", text);
      return list_directory(made);
    });
  }

  TemporaryFolder folder_;
  Json inputs_ = Json(Json::Object{{"data.train", Json("0123")}});
};

TEST_F(RunFolder, AFolderIsReplacedAndNothingIsLeftOver) {
  RunDirectory run = open(config());
  const auto names = [&] { return std::distance(fs::directory_iterator(path("")), {}); };
  const auto before = names();
  for (const char* text : {"one", "two", "three"}) {
    replace(run, "best", text);
    EXPECT_EQ(read_file(path("best/file")), text);
    EXPECT_EQ(names(), before + 1);
  }
}

// The new one vanishes before it gets its name, as with a kill between two renames.
TEST_F(RunFolder, TheEarlierOneStaysWhenTheNewOneFails) {
  {
    RunDirectory run = open(config());
    replace(run, "checkpoints/step-000001", "earlier");
    const auto vanish = [](const fs::path& made) {
      fs::remove_all(made);
      return std::vector<std::string>();
    };
    EXPECT_THROW(run.replace_directory("checkpoints/step-000001", vanish), Error);
  }
  open(config());
  EXPECT_EQ(read_file(path("checkpoints/step-000001/file")), "earlier");
}

// Where the file system cannot exchange names, a kill can come while the earlier one is aside.
TEST_F(RunFolder, WhatWasSetAsideComesBack) {
  {
    RunDirectory run = open(config());
    replace(run, "best", "whole");
    replace(run, "checkpoints/step-000001", "whole");
  }
  fs::rename(path("checkpoints/step-000001"), path("checkpoints/step-000001.replaced"));
  folder_.write("run/best.replaced/file", "earlier");
  open(config());
  EXPECT_EQ(read_file(path("checkpoints/step-000001/file")), "whole");
  EXPECT_EQ(read_file(path("best/file")), "whole");
  EXPECT_FALSE(fs::exists(path("best.replaced")));
}

// Whoever asked holds_run() before it had the lock may find another's run by then.
TEST_F(RunFolder, ARunOfAnotherConfigurationIsRefused) {
  open(config());
  const std::string before = read_file(path("config.yaml"));
  folder_.write("run/best.partial-1/file", "being made");
  expect_contains(refusal(config(1)), "seed is 0 there and 1 here");
  expect_contains(refusal(config(), Resume::never), "holds a run already");
  inputs_["data.train"] = "4567";
  expect_contains(refusal(config()), "data.train has changed");
  EXPECT_EQ(read_file(path("config.yaml")), before);
  EXPECT_TRUE(fs::exists(path("best.partial-1/file")));
}

// A run that was stopped, as memory or cores were too few, goes on with less at once.
TEST_F(RunFolder, WhatChangesResultsByRoundingMayChangeAndIsTold) {
  open(config());
  TrainConfig changed = config();
  changed.threads = 1;
  changed.batches.max_tokens = 64;
  changed.model.checkpoint_gradients = true;
  const auto said = [&] {
    return stderr_of([&] { EXPECT_TRUE(open(changed).changes().empty()); });
  };
  const std::string line = said();
  for (const char* const part :
       {"threads 0 → 1", "batches.max_tokens ", " → 64", "model.checkpoint_gradients false → true",
        "may differ by rounding\n"}) {
    expect_contains(line, part);
  }
  EXPECT_EQ(std::ranges::count(line, '\n'), 1);
  EXPECT_EQ(said(), "");  // it is the run's now
  changed.device = "cuda";
  expect_contains(refusal(changed), "device is");
  changed.device = "cpu";
  ++changed.batches.size;
  expect_contains(refusal(changed), "batches.size is");
}

TEST_F(RunFolder, OnlyWhatAKilledStartOfThisRunLeftIsTakenOver) {
  open(config());
  fs::remove(path("config.yaml"));
  fs::remove(path("log.jsonl"));
  folder_.write("run/config.yaml.partial-1", "task");
  EXPECT_EQ(refusal(config()), "accepted");
  fs::remove(path("config.yaml"));
  fs::remove(path("log.jsonl"));
  folder_.write("run/inputs.json", "{\"mine\": 1}");
  expect_contains(refusal(config()), "is not a run");
  EXPECT_EQ(read_file(path("inputs.json")), "{\"mine\": 1}");
  fs::remove(path("inputs.json"));
  folder_.write("run/config.yaml.partially", "mine");
  expect_contains(refusal(config()), "is not a run");
}

// By a lock on a file, for NFS has none on folders.
TEST_F(RunFolder, OneProcessAtATime) {
  const auto is_locked = [&] {
    FileDescriptor lock;
    lock.value = ::open(path("lock").c_str(), O_RDWR);
    return flock(lock.value, LOCK_EX | LOCK_NB) != 0;
  };
  {
    const RunDirectory run = open(config());
    EXPECT_TRUE(is_locked());
    EXPECT_EQ(
        refusal(config()),
        error_lines("another process is training in the output directory", path("").parent_path(),
                    "wait for it, or choose another folder with --output"));
  }
  EXPECT_FALSE(is_locked());
  EXPECT_EQ(refusal(config()), "accepted");
}

TEST_F(RunFolder, WithTheLockAloneItIsEmpty) {
  folder_.write("run/lock", "mine");
  expect_contains(refusal(config()), "is not a run");
  folder_.write("run/lock", "");
  EXPECT_EQ(refusal(config()), "accepted");
}

TEST_F(RunFolder, AFileSystemWithoutLocksIsWarnedOf) {
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP, EIO}) {
    const RankOutcome outcome = run_apart([&] {
      make_fail(SYS_flock, static_cast<uint32_t>(error));
      expect_contains(stderr_of([&] { open(config()); }), "the file system has no locks");
    });
    EXPECT_EQ(outcome.code, error == EIO ? kFailed : kDone) << outcome.message;
    if (error == EIO) expect_contains(outcome.message, "cannot lock the output directory");
  }
}

TEST_F(RunFolder, APlaceThatCannotBeLookedAtIsTheUsersMistake) {
  fs::create_symlink("loop", folder_.path() / "loop");
  TrainConfig looped = config();
  looped.output = folder_.file("loop/run");
  const std::string message = input_error([&] { holds_run(looped, inputs_, Resume::automatic); });
  expect_says(message, {"Too many levels of symbolic links", "--output"});
}

// A run is what one build computed, unless its user says otherwise; then all builds are named.
TEST_F(RunFolder, AnotherBuildResumesOnlyWhenTold) {
  open(config());
  EXPECT_EQ(builds_of(path("")), std::vector<std::string>{version_with_build()});
  write_file(path("builds.txt"), "0.1.0+000000000000\n");
  const std::string message = refusal(config());
  expect_says(message, {"0.1.0+000000000000", version_with_build(), "--any-build"});
  EXPECT_EQ(read_file(path("builds.txt")), "0.1.0+000000000000\n");

  open(config(), Resume::of_any_build);
  const std::vector<std::string> both = {"0.1.0+000000000000", version_with_build()};
  EXPECT_EQ(builds_of(path("")), both);
  open(config());
  EXPECT_EQ(builds_of(path("")), both);
}

// What is finished is not trained any more: it is only told of.
TEST_F(RunFolder, AFinishedRunOfAnotherBuildIsNotRefused) {
  open(config());
  write_file(path("builds.txt"), "0.1.0+000000000000\n");
  write_file(path("results.json"), "{}\n");
  EXPECT_TRUE(holds_run(config(), inputs_, Resume::automatic));
}

// A start that was killed before it wrote config.yaml leaves a folder that any build may use; a
// user's own file of that name it may not.
TEST_F(RunFolder, AnAbandonedStartOfAnotherBuildIsStartedAnew) {
  fs::create_directories(path(""));
  write_file(path("builds.txt"), "mine\n");
  expect_contains(refusal(config()), "not a run");
  write_file(path("builds.txt"), "0.1.0+000000000000\n");
  open(config());
  EXPECT_EQ(builds_of(path("")), std::vector<std::string>{version_with_build()});
}

// As runs were before builds were noted.
TEST_F(RunFolder, ARunThatNamesNoBuildIsOfAnother) {
  open(config());
  fs::remove(path("builds.txt"));
  expect_contains(refusal(config()), "unknown");
  open(config(), Resume::of_any_build);
  EXPECT_EQ(builds_of(path("")).back(), version_with_build());
}

}  // namespace rubric::train::run_directory_test
