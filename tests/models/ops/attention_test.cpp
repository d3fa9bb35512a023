#include "models/ops/attention.h"

#include <functional>
#include <limits>

#include "models/fixture.h"

namespace rubric::models::attention_test {

constexpr AttentionSettings kSettings{2, 0.3, 9};

// Central differences of a scalar that `inputs` lead to, in float32 on well-scaled numbers: every
// fifth of each input's gradients.
void expect_gradients(std::vector<at::Tensor>& inputs, const std::function<at::Tensor()>& value) {
  for (at::Tensor& input : inputs) input.set_requires_grad(true);
  value().backward();
  for (at::Tensor& input : inputs) {
    const at::Tensor gradient = input.grad();
    const at::NoGradGuard no_grad;
    for (int64_t i = 0; i < input.numel(); i += 5) {
      float& x = input.view(-1).mutable_data_ptr<float>()[i];
      const float original = x;
      constexpr float kStep = 1e-2f;
      x = original + kStep;
      const double above = value().item<double>();
      x = original - kStep;
      const double below = value().item<double>();
      x = original;
      EXPECT_NEAR(gradient.view(-1)[i].item<double>(), (above - below) / (2 * kStep), 2e-3);
    }
  }
}

// Without dropout this would say nothing about the masks.
TEST(PackedAttention, GradientsWithDropoutEqualFiniteDifferences) {
  at::manual_seed(1);
  const Offsets offsets = {0, 3, 4, 9};
  std::vector<at::Tensor> inputs = {at::randn({9, 8}), at::randn({9, 8}), at::randn({9, 8})};
  const at::Tensor w = at::randn({9, 8});
  const DropoutKeys keys{at::arange(9, at::kLong)};
  expect_gradients(inputs, [&] {
    return (packed_attention(inputs[0], inputs[1], inputs[2], offsets, offsets, kSettings, keys) *
            w)
        .sum(at::kDouble);
  });
}

// As T5's decoder attends, but for the scale.
TEST(PackedAttention, GradientsOfDistancesEqualFiniteDifferences) {
  at::manual_seed(2);
  const Offsets offsets = {0, 3, 4, 9};
  std::vector<at::Tensor> inputs = {at::randn({9, 8}), at::randn({9, 8}), at::randn({9, 8}),
                                    at::randn({2, 13})};  // reaches 6 tokens
  const at::Tensor w = at::randn({9, 8});
  const DropoutKeys keys{at::arange(9, at::kLong)};
  for (const bool causal : {true, false}) {
    AttentionSettings settings = kSettings;
    settings.scale = 0.7;
    settings.causal = causal;
    for (at::Tensor& input : inputs) input = input.detach().clone();
    expect_gradients(inputs, [&] {
      return (packed_attention(inputs[0], inputs[1], inputs[2], offsets, offsets, settings, keys,
                               inputs[3]) *
              w)
          .sum(at::kDouble);
    });
  }
}

// Rows of the queries and of the keys may differ in length, as those of a target and its source do.
TEST(PackedAttention, EqualsTheFormula) {
  at::manual_seed(3);
  const Offsets of_queries = {0, 5, 7}, of_keys = {0, 3, 9};
  const at::Tensor q = at::randn({7, 4}), k = at::randn({9, 4}), v = at::randn({9, 4});
  const at::Tensor out = packed_attention(q, k, v, of_queries, of_keys, {1, 0, 0, 0.3}, {});
  const at::Tensor second = at::softmax(at::mm(q.narrow(0, 5, 2), k.narrow(0, 3, 6).t()) * 0.3, 1);
  EXPECT_LT(difference(out.narrow(0, 5, 2), at::mm(second, v.narrow(0, 3, 6))), 1e-5);

  const at::Tensor bias = at::randn({1, 9});  // reaches 4 tokens
  const Offsets one = {0, 4};
  const at::Tensor x = at::randn({4, 4}), y = at::randn({4, 4}), z = at::randn({4, 4});
  at::Tensor scores = at::mm(x, y.t()) * 0.3;
  for (int64_t query = 0; query < 4; ++query) {
    for (int64_t key = 0; key < 4; ++key) {
      scores[query][key] += key > query ? -std::numeric_limits<double>::infinity()
                                        : bias[0][4 + key - query].item<double>();
    }
  }
  EXPECT_LT(difference(packed_attention(x, y, z, one, one, {1, 0, 0, 0.3, true}, {}, bias),
                       at::mm(at::softmax(scores, 1), z)),
            1e-5);
}

// Rows that end at, before and behind the end of a block of queries, and of keys, by heads of which
// bfloat16 is multiplied in pairs and not.
TEST(PackedAttention, OfAnyLengthEqualsTheFormula) {
  at::manual_seed(4);
  for (const int64_t length : {1, 31, 32, 33, 70}) {
    for (const int64_t size : {5, 8}) {
      for (const bool rounded : {false, true}) {
        const auto bfloat16 = [&](const at::Tensor& x) {
          return (rounded ? x.to(at::kBFloat16) : x).to(at::kDouble);
        };
        const at::Tensor q = at::randn({length, size}), k = at::randn({length, size}),
                         v = at::randn({length, size});
        const at::Tensor hidden = at::ones({length, length}, at::kBool).triu(1);
        const at::Tensor scores =
            (bfloat16(q).mm(bfloat16(k).t()) * 0.3)
                .masked_fill(hidden, -std::numeric_limits<double>::infinity());
        const at::Tensor expected = bfloat16(at::softmax(scores, 1).to(at::kFloat)).mm(bfloat16(v));
        const Offsets offsets = {0, length};
        const at::Tensor out =
            packed_attention(q, k, v, offsets, offsets,
                             {.heads = 1, .scale = 0.3, .causal = true, .rounded = rounded}, {});
        // A probability in the middle of two numbers of bfloat16 may be rounded to either.
        EXPECT_LT(difference(out, expected.to(at::kFloat)), rounded ? 1e-3 : 1e-5)
            << length << " " << size << " " << rounded;
        if (rounded && length > 1) {
          EXPECT_GT(
              difference(out, packed_attention(q, k, v, offsets, offsets,
                                               {.heads = 1, .scale = 0.3, .causal = true}, {})),
              1e-3);
        }
      }
    }
  }
}

// Windows of one side and two in rows that end within one, by groups of heads that share a head of
// keys: what each query sees, and the gradients. In more blocks than a window has, too.
TEST(PackedAttention, OfWindowsAndGroupsEqualsTheFormula) {
  at::manual_seed(7);
  const Offsets offsets = {0, 3, 103};
  for (const int64_t window : {0, 2, 33, 200}) {
    for (const bool causal : {true, false}) {
      for (const bool rounded : {false, true}) {
        const AttentionSettings settings = {.heads = 6,
                                            .scale = 0.4,
                                            .causal = causal,
                                            .window = window,
                                            .key_heads = 2,
                                            .rounded = rounded};
        std::vector<at::Tensor> ours, theirs;
        for (const int64_t width : {24, 8, 8}) {
          const at::Tensor x = at::randn({103, width}).to(at::kBFloat16).to(at::kFloat);
          ours.push_back(x.clone().set_requires_grad(!rounded));
          theirs.push_back(x.clone().set_requires_grad(true));
        }
        const at::Tensor out =
            packed_attention(ours[0], ours[1], ours[2], offsets, offsets, settings, {});
        const at::Tensor places = at::arange(103);
        const at::Tensor rows = places >= 3, distances = places - places.unsqueeze(1);
        const at::Tensor seen = (rows == rows.unsqueeze(1))
                                    .logical_and(distances.abs() <= window)
                                    .logical_and(distances <= (causal ? 0 : 200));
        std::vector<at::Tensor> heads;
        for (int64_t head = 0; head < 6; ++head) {
          const auto part = [](const at::Tensor& x, int64_t index) {
            return x.narrow(1, index * 4, 4);
          };
          const at::Tensor scores =
              (part(theirs[0], head).mm(part(theirs[1], head / 3).t()) * 0.4)
                  .masked_fill(seen.logical_not(), -std::numeric_limits<double>::infinity());
          heads.push_back(at::softmax(scores, 1).mm(part(theirs[2], head / 3)));
        }
        const at::Tensor expected = at::cat(heads, 1);
        EXPECT_LT(difference(out, expected), rounded ? 1e-2 : 1e-5) << window << causal << rounded;
        if (rounded) continue;
        const at::Tensor w = at::randn({103, 24});
        (out * w).sum().backward();
        (expected * w).sum().backward();
        for (size_t i = 0; i < 3; ++i) {
          EXPECT_LT(difference(ours[i].grad(), theirs[i].grad()), 1e-5) << window << causal << i;
        }
      }
    }
  }
}

// A mask is that of the key's position, wherever the window begins.
TEST(PackedAttention, OfAWindowHasTheMasksOfItsKeys) {
  at::manual_seed(8);
  const Offsets offsets = {0, 100};
  std::vector<at::Tensor> inputs = {at::randn({100, 4}), at::randn({100, 4}), at::randn({100, 4})};
  const DropoutKeys keys{at::arange(100, at::kLong)};
  const AttentionSettings settings = {.heads = 1, .dropout_rate = 0.3, .window = 3};
  const auto attend = [&](const DropoutKeys& of_queries) {
    return packed_attention(inputs[0], inputs[1], inputs[2], offsets, offsets, settings,
                            of_queries);
  };
  const at::Tensor distances = at::arange(100) - at::arange(100).unsqueeze(1);
  at::Tensor p =
      at::softmax((inputs[0].mm(inputs[1].t()) / 2)
                      .masked_fill(distances.abs() > 3, -std::numeric_limits<double>::infinity()),
                  1);
  apply_mask(p.const_data_ptr<float>(), p.mutable_data_ptr<float>(),
             keys.rows.const_data_ptr<int64_t>(), 100, 100, 0.3, 0);
  EXPECT_LT(difference(attend(keys), p.mm(inputs[2])), 1e-5);
}

// More queries and keys than a block has, of several rows and heads, with everything that is added
// to scores and probabilities.
TEST(PackedAttention, OfBlocksHasTheBiasesAndMasksOfItsRows) {
  at::manual_seed(5);
  const Offsets of_queries = {0, 3, 73}, of_keys = {0, 40, 85};
  const at::Tensor q = at::randn({73, 12}), k = at::randn({85, 12}), v = at::randn({85, 12});
  const at::Tensor bias = at::randn({2, 139});  // reaches 69 tokens
  const DropoutKeys keys{at::arange(100, 173, at::kLong)};
  const AttentionSettings settings = {
      .heads = 2, .dropout_rate = 0.3, .dropout_site = 9, .scale = 0.4};
  const at::Tensor out = packed_attention(q, k, v, of_queries, of_keys, settings, keys, bias);
  for (int64_t head = 0; head < 2; ++head) {
    const auto part = [&](const at::Tensor& x, int64_t begin, int64_t end) {
      return x.narrow(0, begin, end - begin).narrow(1, head * 6, 6);
    };
    at::Tensor scores = part(q, 3, 73).mm(part(k, 40, 85).t()) * 0.4;
    for (int64_t query = 0; query < 70; ++query) {
      scores[query] += bias[head].narrow(0, 69 - query, 45);
    }
    at::Tensor p = at::softmax(scores, 1);
    apply_mask(p.const_data_ptr<float>(), p.mutable_data_ptr<float>(),
               keys.rows.const_data_ptr<int64_t>() + 3, 70, 45, 0.3,
               9 + (static_cast<uint64_t>(head) << 32));
    EXPECT_LT(difference(part(out, 3, 73), p.mm(part(v, 40, 85))), 1e-5) << head;
  }
}

// A column of zeros changes no score, but heads of an odd size are multiplied in float32; without
// AVX512-BF16 all are, and this compares one way with itself.
TEST(PackedAttention, RoundedIsTheSameInFloat32) {
  at::manual_seed(6);
  const Offsets offsets = {0, 50};
  const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    return packed_attention(q, k, v, offsets, offsets, {.heads = 1, .scale = 0.3, .rounded = true},
                            {});
  };
  const at::Tensor q = at::randn({50, 8}), k = at::randn({50, 8}), v = at::randn({50, 8});
  const at::Tensor zeros = at::zeros({50, 1});
  const auto wider = [&](const at::Tensor& x) { return at::cat({x, zeros}, 1); };
  // A probability in the middle of two numbers of bfloat16 may be rounded to either.
  EXPECT_LT(difference(attend(wider(q), wider(k), wider(v)).narrow(1, 0, 8), attend(q, k, v)),
            1e-3);
  k[7][3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(attend(q, k, v).isnan().all().item<bool>());
}

TEST(PackedAttention, RefusesWhatItsProductsCannotRead) {
  const Offsets offsets = {0, 4};
  const at::Tensor x = at::randn({4, 8});
  const auto attend = [&](const at::Tensor& q, const at::Tensor& v, const Offsets& of_keys,
                          int64_t heads) {
    return packed_attention(q, x, v, offsets, of_keys, {heads, 0, 0}, {});
  };
  EXPECT_NO_THROW(attend(x, at::randn({4, 20}).narrow(1, 3, 8), offsets, 2));  // tokens lie apart
  EXPECT_THROW(attend(at::randn({8, 4}).t(), x, offsets, 2), c10::Error);
  EXPECT_THROW(attend(x, x.to(at::kDouble), offsets, 2), c10::Error);
  EXPECT_THROW(attend(x, x, {0, 5}, 2), c10::Error);
  EXPECT_THROW(attend(x, x, {0, 2, 4}, 2), c10::Error);
  EXPECT_THROW(packed_attention(x, x, x, {0, 8, 4}, {0, 1, 4}, {2, 0, 0}, {}), c10::Error);
  EXPECT_THROW(packed_attention(x, x, x, offsets, offsets, {2, 0.5, 0}, {at::arange(3)}),
               c10::Error);
  EXPECT_THROW(attend(x, x, offsets, 3), c10::Error);
  EXPECT_THROW(attend(at::randn({4, 6}), x, offsets, 2), c10::Error);
  EXPECT_THROW(packed_attention(x, x, x, {0, 2, 4}, {0, 4, 4}, {2, 0, 0}, {}), c10::Error);
  const AttentionSettings rounded = {.heads = 2, .rounded = true};
  const at::Tensor trained = at::randn({4, 8}).set_requires_grad(true);
  EXPECT_NO_THROW(packed_attention(x, x, x, offsets, offsets, rounded, {}));
  EXPECT_THROW(packed_attention(x, trained, x, offsets, offsets, rounded, {}), c10::Error);
}

TEST(PackedAttention, DropoutDropsProbabilitiesAndRowsDoNotMix) {
  const Offsets offsets = {0, 4, 10};
  const at::Tensor q = at::randn({10, 8}), k = at::randn({10, 8}), v = at::randn({10, 8});
  const DropoutKeys keys{at::arange(10, at::kLong)};
  const at::Tensor dropped = packed_attention(q, k, v, offsets, offsets, kSettings, keys);
  EXPECT_GT(difference(dropped, packed_attention(q, k, v, offsets, offsets, kSettings, {})), 1e-3);
  const at::Tensor second =
      packed_attention(q.narrow(0, 4, 6), k.narrow(0, 4, 6), v.narrow(0, 4, 6), {0, 6}, {0, 6},
                       kSettings, {keys.rows.narrow(0, 4, 6)});
  EXPECT_LT(difference(second, dropped.narrow(0, 4, 6)), 1e-6);
}

}  // namespace rubric::models::attention_test
