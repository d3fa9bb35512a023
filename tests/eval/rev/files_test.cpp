#include <gtest/gtest.h>

#include "eval/rev/rev.h"
#include "eval/rev/rev_example.h"
#include "messages.h"

namespace rubric::eval::rev_files_test {

using Files = std::vector<std::vector<data::ScoredRationale>>;

std::vector<std::string> ids_of(const std::vector<data::ScoredRationale>& rows) {
  std::vector<std::string> ids;
  for (const data::ScoredRationale& row : rows) ids.push_back(row.id);
  return ids;
}

TEST(KeepCommonRows, TakesOutWhatAnyFileLacks) {
  Files files = {five_rationales(), five_rationales(), five_rationales()};
  files[0][3].rev.reset();  // "4", which the other files have scored
  files[1].erase(files[1].begin() + 1);
  const auto left_out = keep_common_rows(files);
  for (const auto& rows : files) EXPECT_EQ(ids_of(rows), (std::vector<std::string>{"1", "3", "5"}));
  const std::set<std::string> both = {"2", "4"};
  EXPECT_EQ(left_out, (std::vector<std::set<std::string>>{both, {"4"}, both}));
}

TEST(KeepCommonRows, WhatNoRowOfAFileHasIsNoGap) {
  Files files = {five_rationales(), five_rationales()};
  for (data::ScoredRationale& row : files[1]) row.rev.reset();
  EXPECT_EQ(keep_common_rows(files), (std::vector<std::set<std::string>>(2)));
  EXPECT_EQ(files[1].size(), 5u);
}

TEST(KeepCommonRows, NothingInCommonIsAnError) {
  Files files = {five_rationales(), five_rationales()};
  for (data::ScoredRationale& row : files[1]) row.id += "b";
  expect_contains(input_error([&] { keep_common_rows(files); }), "no row in common");
}

}  // namespace rubric::eval::rev_files_test
