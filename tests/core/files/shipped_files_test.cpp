#include "core/files/shipped_files.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

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

TEST(FindFile, SaysWhereItLooked) {
  const std::string error =
      input_error([] { find_shipped("configuration", "configs", "no.yaml"); });
  expect_contains(error, "there is no configuration \"no.yaml\"");
  expect_contains(error, "configs/no.yaml");
}

}  // namespace
}  // namespace rubric
