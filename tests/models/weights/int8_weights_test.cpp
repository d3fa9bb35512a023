#include "models/weights/int8_weights.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "core/random.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::models::int8_weights_test {

constexpr int64_t kRows = 64, kColumns = 128;

// Each row half as large as the one before it.
at::Tensor matrix() {
  at::Tensor values = at::empty({kRows, kColumns}, at::kFloat);
  float* const numbers = values.mutable_data_ptr<float>();
  for (int64_t i = 0; i < values.numel(); ++i) {
    const double u = uniform(random_bits(1, Purpose::initialise, static_cast<uint64_t>(i)));
    numbers[i] = static_cast<float>((2 * u - 1) * std::pow(0.5, i / kColumns));
  }
  return values;
}

TEST(Int8Weights, AreRoundedOnTheScaleOfTheirRow) {
  const at::Tensor exact = matrix();
  const NamedTensors stored = quantized({{"dense.weight", exact}}, "");
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].second.scalar_type(), at::kChar);
  EXPECT_EQ(stored[1].first, "dense.weight_scale");
  const NamedTensors read = dequantized(stored, "");
  ASSERT_EQ(read.size(), 1u);
  const float *const was = exact.const_data_ptr<float>(), *const is =
                                                              read[0]
                                                                  .second.const_data_ptr<float>();
  for (int64_t row = 0; row < kRows; ++row) {
    float largest = 0, error = 0;
    for (int64_t i = row * kColumns; i < (row + 1) * kColumns; ++i) {
      largest = std::max(largest, std::abs(was[i]));
      error = std::max(error, std::abs(was[i] - is[i]));
    }
    EXPECT_LE(error, largest / 127 / 2 * 1.001) << row;
  }
}

TEST(Int8Weights, VectorsSmallMatricesAndWholeNumbersStayAsTheyAre) {
  const NamedTensors tensors = {{"bias", at::zeros({10'000}, at::kFloat)},
                                {"score_layer.weight", at::zeros({1, 400}, at::kFloat)},
                                {"ids", at::zeros({100, 100}, at::kLong)},
                                {"other_scale", at::zeros({2, 1}, at::kFloat)}};
  const NamedTensors read = dequantized(quantized(tensors, ""), "");
  ASSERT_EQ(read.size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(read[i].first, tensors[i].first);
    EXPECT_EQ(read[i].second.scalar_type(), tensors[i].second.scalar_type());
  }
}

TEST(Int8Weights, AreReadFromAModelDirectory) {
  const TemporaryFolder folder;
  write_weights(folder.path(), quantized({{"dense.weight", matrix()}}, ""));
  EXPECT_LT(std::filesystem::file_size(folder.path() / "model.safetensors"),
            static_cast<uintmax_t>(kRows * kColumns * 2));
  const NamedTensors read = read_weights(folder.path());
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].first, "dense.weight");
  EXPECT_EQ(read[0].second.scalar_type(), at::kFloat);
}

TEST(Int8Weights, AScaleThatDoesNotFitIsRefused) {
  const NamedTensors stored = quantized({{"dense.weight", matrix()}}, "");
  const auto error = [&](const at::Tensor& scale) {
    return input_error([&] {
      dequantized({stored[0], {"dense.weight_scale", scale}}, "model.safetensors");
    });
  };
  EXPECT_EQ(error(stored[1].second), "accepted");
  at::Tensor infinite = stored[1].second.clone();
  infinite.mutable_data_ptr<float>()[3] = std::numeric_limits<float>::infinity();
  for (const at::Tensor& wrong :
       {infinite, at::zeros({kRows}, at::kFloat), at::zeros({kRows - 1, 1}, at::kFloat),
        at::zeros({kRows, 1}, at::kDouble)}) {
    expect_contains(error(wrong), "the scale of \"dense.weight\"");
    expect_contains(error(wrong), "model.safetensors");
  }
}

TEST(Int8Weights, ViewsOfOtherStridesAreReadAsTheyAre) {
  const NamedTensors stored = quantized({{"dense.weight", matrix()}}, "");
  const at::Tensor transposed = stored[0].second.t().contiguous().t();  // the same numbers
  ASSERT_FALSE(transposed.is_contiguous());
  const NamedTensors plain = dequantized(stored, ""),
                     viewed = dequantized({{"dense.weight", transposed}, stored[1]}, "");
  EXPECT_TRUE(plain[0].second.equal(viewed[0].second));
}

TEST(Int8Weights, NumbersThatAreNotFiniteAreRefusedAndTinyOnesAreZero) {
  at::Tensor values = matrix();
  for (int64_t i = 0; i < kColumns; ++i) {
    values.mutable_data_ptr<float>()[i] = std::numeric_limits<float>::denorm_min();
  }
  const at::Tensor read = dequantized(quantized({{"w", values}}, ""), "")[0].second;
  EXPECT_EQ(read.const_data_ptr<float>()[0], 0);
  for (const float wrong : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    values.mutable_data_ptr<float>()[7] = wrong;
    expect_contains(input_error([&] {
                      quantized({{"w", values}}, "model");
                    }),
                    "the weights \"w\" are not all finite");
  }
}

}  // namespace rubric::models::int8_weights_test
