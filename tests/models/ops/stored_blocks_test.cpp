#include "models/ops/stored_blocks.h"

#include <filesystem>
#include <set>
#include <string_view>

#include "models/fixture.h"
#include "models/weights/weights.h"
#include "paths.h"

namespace rubric::models::stored_blocks_test {

// The file of tests/fixtures/make_gguf.py with blocks of every kind.
struct Stored {
  BlockMatrices blocks;
  NamedTensors numbers;
  Stored() {
    numbers = read_gguf(std::filesystem::path(fixtures_folder()) / "gguf" / "types.gguf", &blocks);
    for (auto& [name, matrix] : blocks) matrix.bytes = matrix.bytes.repeat({kTimes, 1});
  }
  at::Tensor weight(const std::string& name) const {
    return find_tensor(numbers, name)->repeat({kTimes, 1});
  }
  static constexpr int64_t kTimes = 13;  // of three rows, so that some are side by side
};

// Sums of n products differ by at most n roundings of the sum of their magnitudes (Higham 2002,
// section 3.1), in each of the two orders.
void expect_product(const at::Tensor& product, const at::Tensor& x, const at::Tensor& weight) {
  const at::Tensor exact = x.to(at::kDouble).matmul(weight.to(at::kDouble).t());
  const at::Tensor bound = x.to(at::kDouble).abs().matmul(weight.to(at::kDouble).abs().t()) *
                           (static_cast<double>(x.size(1)) * 0x1p-24);
  EXPECT_TRUE(((product - exact).abs() <= bound).all().item<bool>());
}

TEST(StoredBlocks, MultiplyAsTheirNumbers) {
  at::manual_seed(21);
  const TwoThreads threads;
  const Stored stored;
  std::set<std::string_view> types;
  for (const auto& [name, matrix] : stored.blocks) {
    SCOPED_TRACE(name);
    types.insert(matrix.type->name);
    const at::Tensor weight = stored.weight(name);
    const BlockWeight packed = pack_blocks(matrix);
    EXPECT_EQ(outputs_of(*packed), weight.size(0));
    for (const int64_t tokens : {1, 2, 3, 7, 20, 150}) {
      const at::Tensor x = at::randn({tokens, weight.size(1)});
      expect_product(block_products(x, {{packed}}).front(), x, weight);
    }
  }
  EXPECT_EQ(types.size(), 8u);
}

// With one number of x the products are the weight's numbers, bit for bit.
TEST(StoredBlocks, KeepEveryNumber) {
  const Stored stored;
  for (const auto& [name, matrix] : stored.blocks) {
    const at::Tensor weight = stored.weight(name);
    const at::Tensor product =
        block_products(at::eye(weight.size(1)), {{pack_blocks(matrix)}}).front();
    EXPECT_TRUE(at::equal(product, weight.t())) << name;
  }
}

TEST(StoredBlocks, OfSeveralMapsWithBiases) {
  at::manual_seed(22);
  const Stored stored;
  std::vector<BlockMap> maps;
  std::vector<at::Tensor> weights;
  for (const auto& [name, matrix] : stored.blocks) {
    if (!maps.empty() && matrix.columns != weights.front().size(1)) continue;
    weights.push_back(stored.weight(name));
    maps.push_back({pack_blocks(matrix), at::randn({weights.back().size(0)})});
  }
  ASSERT_GT(maps.size(), 1u);
  const at::Tensor x = at::randn({5, weights.front().size(1)});
  const std::vector<at::Tensor> products = block_products(x, maps);
  for (size_t i = 0; i < maps.size(); ++i) {
    EXPECT_LT(difference(products[i], x.matmul(weights[i].t()) + maps[i].bias), 1e-4);
  }
}

}  // namespace rubric::models::stored_blocks_test
