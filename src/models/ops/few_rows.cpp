#include "models/ops/few_rows.h"

#include <cstring>

#include <ATen/Parallel.h>

namespace rubric {
namespace {

// A vector register of 8 numbers; the compiler makes two of it where registers are narrower.
using Vector [[gnu::vector_size(32)]] = float;
constexpr int64_t kWidth = 8;
constexpr int64_t kOutputs =
    3;  // at once: with 4 rows 12 sums, which leaves registers to load into

Vector load(const float* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

float sum(Vector v) {
  return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

struct Product {
  const float* x;
  const float* weight;
  const float* bias;  // or null
  float* out;
  int64_t in, outputs;
};

// `kRows` rows from `row` on by `kColumns` outputs from `output` on.
template <int kRows, int kColumns>
void multiply_tile(const Product& p, int64_t row, int64_t output) {
  Vector sums[kRows][kColumns] = {};
  const float* const x = p.x + row * p.in;
  const float* const w = p.weight + output * p.in;
  // Each group of rows brings along one of the outputs that come next: memory is what this waits
  // for, and it is read for the first time here.
  const int64_t next = output + kColumns + row / 4 % kColumns;
  const float* const ahead = next < p.outputs ? p.weight + next * p.in : w;
  const int64_t whole = p.in - p.in % kWidth;
  for (int64_t k = 0; k < whole; k += kWidth) {
    Vector columns[kColumns];
    for (int j = 0; j < kColumns; ++j) columns[j] = load(w + j * p.in + k);
    __builtin_prefetch(ahead + k);
    for (int i = 0; i < kRows; ++i) {
      const Vector of_row = load(x + i * p.in + k);
      for (int j = 0; j < kColumns; ++j) sums[i][j] += of_row * columns[j];
    }
  }
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      float total = sum(sums[i][j]);
      for (int64_t k = whole; k < p.in; ++k) total += x[i * p.in + k] * w[j * p.in + k];
      if (p.bias != nullptr) total += p.bias[output + j];
      p.out[(row + i) * p.outputs + output + j] = total;
    }
  }
}

template <int kColumns>
void multiply_rows(const Product& p, int64_t rows, int64_t output) {
  int64_t row = 0;
  for (; row + 4 <= rows; row += 4) multiply_tile<4, kColumns>(p, row, output);
  for (; row < rows; ++row) multiply_tile<1, kColumns>(p, row, output);
}

}  // namespace

at::Tensor few_rows_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  at::Tensor out = at::empty({x.size(0), weight.size(0)}, x.options());
  const Product p{x.const_data_ptr<float>(),
                  weight.const_data_ptr<float>(),
                  bias.defined() ? bias.const_data_ptr<float>() : nullptr,
                  out.mutable_data_ptr<float>(),
                  x.size(1),
                  weight.size(0)};
  constexpr int64_t kGrain = 1 << 16;  // numbers of the weights that are worth a thread
  at::parallel_for(0, p.outputs, 1 + kGrain / p.in, [&](int64_t begin, int64_t end) {
    int64_t output = begin;
    for (; output + kOutputs <= end; output += kOutputs) {
      multiply_rows<kOutputs>(p, x.size(0), output);
    }
    for (; output < end; ++output) multiply_rows<1>(p, x.size(0), output);
  });
  return out;
}

}  // namespace rubric
