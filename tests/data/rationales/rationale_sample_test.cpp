#include <set>

#include <gtest/gtest.h>

#include "data/rationales/rationale_rows.h"

namespace rubric::data::rationale_sample_test {

std::vector<Rationale> records(int64_t count) {
  std::vector<Rationale> all(static_cast<size_t>(count));
  for (size_t i = 0; i < all.size(); ++i) all[i].id = "id" + std::to_string(i);
  return all;
}

std::vector<std::string> ids_of(const std::vector<Rationale>& records) {
  std::vector<std::string> ids;
  for (const Rationale& record : records) ids.push_back(record.id);
  return ids;
}

TEST(RationaleSample, DrawsTheShareRoundedDown) {
  // The paper's sizes: a tenth of CoS-E's 9,741, rounded up, is held out.
  const RationaleSample cose = draw_rationales(records(9741), 0.9, 1);
  EXPECT_EQ(cose.drawn.size(), 8766u);
  EXPECT_EQ(cose.rest.size(), 975u);
  EXPECT_EQ(draw_rationales(records(54937), 0.1, 1).drawn.size(), 5493u);
  EXPECT_EQ(draw_rationales(records(100), 0.29, 1).drawn.size(), 29u);  // 28.999999999999996
  EXPECT_EQ(draw_rationales(records(9), 0.1, 1).drawn.size(), 0u);
}

TEST(RationaleSample, KeepsTheOrderAndParts) {
  const std::vector<Rationale> all = records(50);
  const RationaleSample sample = draw_rationales(all, 0.4, 3);
  const std::vector<std::string> drawn = ids_of(sample.drawn), rest = ids_of(sample.rest);
  std::vector<std::string> order = ids_of(all);
  size_t in_drawn = 0, in_rest = 0;
  for (const std::string& id : order) {
    if (in_drawn < drawn.size() && drawn[in_drawn] == id) {
      ++in_drawn;
    } else {
      ASSERT_LT(in_rest, rest.size());
      EXPECT_EQ(rest[in_rest++], id);
    }
  }
  EXPECT_EQ(in_drawn, 20u);
}

TEST(RationaleSample, DependsOnIdsAndSeedAlone) {
  std::vector<Rationale> all = records(200);
  const std::vector<std::string> drawn = ids_of(draw_rationales(all, 0.2, 1).drawn);
  EXPECT_NE(drawn, ids_of(draw_rationales(all, 0.2, 2).drawn));
  std::vector<std::string> larger = ids_of(draw_rationales(all, 0.5, 1).drawn);
  const std::set<std::string> inside(larger.begin(), larger.end());
  for (const std::string& id : drawn) EXPECT_TRUE(inside.contains(id));
  std::reverse(all.begin(), all.end());
  std::vector<std::string> reversed = ids_of(draw_rationales(all, 0.2, 1).drawn);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(reversed, drawn);
  // No seed draws from the front: the mean place of 40 of 200 is near the middle.
  double sum = 0;
  for (const std::string& id : drawn) sum += std::stod(id.substr(2));
  EXPECT_NEAR(sum / 40, 99.5, 30);
}

}  // namespace rubric::data::rationale_sample_test
