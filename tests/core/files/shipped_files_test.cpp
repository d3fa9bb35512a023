#include "core/files/shipped_files.h"

#include <gtest/gtest.h>

#include "core/context.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"
#include "text/word_segmenter.h"

namespace rubric::shipped_files_test {

TEST(FindFile, TakesAPathAsGiven) {
  const TemporaryFolder folder;
  const auto file = folder.write("own.yaml", "");
  EXPECT_EQ(find_shipped("configuration", "configs", file.string()), file);
}

TEST(FindFile, LooksBesideTheProgram) {
  const auto file = find_shipped("configuration", "configs", "lerc.yaml");
  EXPECT_EQ(std::filesystem::weakly_canonical(file),
            std::filesystem::weakly_canonical(std::string(source_folder()) + "/configs/lerc.yaml"));
}

TEST(FindFile, WhatABuiltProgramHasIsTheRepositorys) {
  const auto expect_same = [](const std::filesystem::path& found, const std::string& name) {
    EXPECT_EQ(std::filesystem::weakly_canonical(found),
              std::filesystem::weakly_canonical(std::string(source_folder()) + "/" + name));
  };
  expect_same(shipped_path("scripts/segment.py"), "scripts/segment.py");
  expect_same(fetched_folder("segmenters"), ".deps/segmenters");
}

// Each folder of data by itself; what is executed, never.
TEST(FindFile, OnlyDataThatAnInstalledProgramLacksIsTheClones) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const fs::path bin = folder.path() / "bin", shipped = folder.path() / "share" / "rubric",
                 source = source_folder(), unpacked = source / ".deps";
  const Resources resources = resources_beside(bin);
  EXPECT_EQ(resources.fetched, shipped);
  EXPECT_EQ(resources.shipped, shipped);
  EXPECT_EQ(resources.programs, bin);
  const ContextScope scope({nullptr, {}, resources});
  for (const std::string name : {"meteor", "segmenters"}) {
    const bool is_in_clone = fs::exists(source / ".git") && fs::exists(unpacked / name);
    EXPECT_EQ(fetched_data_folder(name), (is_in_clone ? unpacked : shipped) / name);
    EXPECT_EQ(fetched_folder(name), shipped / name);
    fs::create_directories(shipped / name);
    EXPECT_EQ(fetched_data_folder(name), shipped / name);
  }
  if (environment("RUBRIC_SEGMENTERS").empty()) {
    EXPECT_EQ(text::segmenter_folder(), shipped / "segmenters");
  }
}

TEST(FindFile, SaysWhereItLooked) {
  const std::string error =
      input_error([] { find_shipped("configuration", "configs", "no.yaml"); });
  expect_says(error, {"there is no configuration \"no.yaml\"", "configs/no.yaml"});
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "b");
  folder.write("b/two.yaml", "");
  folder.write("a.yaml", "");
  EXPECT_EQ(input_error([&] { find_shipped("configuration", "configs", folder.path()); }),
            error_lines("a folder, where one configuration is needed", folder.path(),
                        "name a file in it: a.yaml"));
}

}  // namespace rubric::shipped_files_test
