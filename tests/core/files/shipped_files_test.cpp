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

// What an installed program has of its own comes before what the repository has.
TEST(FindFile, WhatAnInstalledProgramLacksIsTheRepositorys) {
  const TemporaryFolder folder;
  const std::filesystem::path bin = folder.path() / "bin",
                              shipped = folder.path() / "share" / "rubric",
                              unpacked = std::filesystem::path(source_folder()) / ".deps";
  const bool has_some = std::filesystem::exists(unpacked / "meteor") ||
                        std::filesystem::exists(unpacked / "segmenters");
  EXPECT_EQ(resources_beside(bin).fetched, has_some ? unpacked : shipped);
  EXPECT_EQ(resources_beside(bin).shipped, shipped);
  std::filesystem::create_directories(shipped / "meteor");
  EXPECT_EQ(resources_beside(bin).fetched, shipped);
  EXPECT_EQ(resources_beside(bin).programs, bin);
}

TEST(FindFile, SaysWhereItLooked) {
  const std::string error =
      input_error([] { find_shipped("configuration", "configs", "no.yaml"); });
  expect_contains(error, "there is no configuration \"no.yaml\"");
  expect_contains(error, "configs/no.yaml");
}

}  // namespace
}  // namespace rubric
