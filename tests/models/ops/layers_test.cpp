#include "models/ops/layers.h"

#include "core/json/json.h"
#include "models/fixture.h"

namespace rubric::models::layers_test {

// tests/fixtures/make_seq2seq.py: where one bucket ends and the next begins is decided in float32.
TEST(DistanceBuckets, EqualTransformers) {
  const Json fixture_json = Json::parse_file(fixture("seq2seq/t5_buckets.json"));
  const int64_t first = fixture_json.require_integer("first", "buckets");
  int tables = 0;
  for (const Json& table : fixture_json.require("tables", "buckets").array()) {
    const auto& expected = table.require_array("buckets", "table");
    const at::Tensor distances = at::arange(first, first + std::ssize(expected), at::kLong);
    const at::Tensor buckets = distance_buckets(distances, table.require_integer("num_buckets", ""),
                                                table.require_integer("max_distance", ""),
                                                table.require("bidirectional", "").boolean());
    for (int64_t i = 0; i < distances.size(0); ++i) {
      EXPECT_EQ(static_cast<double>(buckets[i].item<int64_t>()),
                expected[static_cast<size_t>(i)].number())
          << "table " << tables << ", distance " << first + i;
    }
    ++tables;
  }
  EXPECT_EQ(tables, 16);
}

}  // namespace rubric::models::layers_test
