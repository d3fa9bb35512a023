#include "data/tokens/batches.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/random.h"

namespace rubric::data {

namespace {

int64_t length_of(std::span<const int64_t> lengths, int64_t example) {
  return lengths[static_cast<size_t>(example)];
}

}  // namespace

std::vector<ExampleIndices> epoch_batches(std::span<const int64_t> lengths, int64_t batch_size,
                                          int64_t window, uint64_t seed, int64_t epoch) {
  const auto size = static_cast<int64_t>(lengths.size());
  const auto stream = static_cast<uint64_t>(epoch) * 2;
  ExampleIndices order = permutation(size, seed, Purpose::shuffle, stream);
  std::vector<ExampleIndices> batches;
  for (int64_t begin = 0; begin < size; begin += batch_size * window) {
    const auto first = order.begin() + begin;
    const auto last = order.begin() + std::min(size, begin + batch_size * window);
    std::stable_sort(first, last, [&](int64_t a, int64_t b) {
      return length_of(lengths, a) > length_of(lengths, b);
    });
    for (auto from = first; from < last; from += std::min<int64_t>(batch_size, last - from)) {
      batches.emplace_back(from, from + std::min<int64_t>(batch_size, last - from));
    }
  }
  std::vector<ExampleIndices> shuffled;
  for (const int64_t i :
       permutation(static_cast<int64_t>(batches.size()), seed, Purpose::shuffle, stream + 1)) {
    shuffled.push_back(std::move(batches[static_cast<size_t>(i)]));
  }
  return shuffled;
}

std::vector<std::span<const int64_t>> micro_batches(std::span<const int64_t> batch,
                                                    std::span<const int64_t> lengths,
                                                    int64_t max_tokens) {
  std::vector<std::span<const int64_t>> batches;
  size_t begin = 0;
  int64_t tokens = 0;
  for (size_t i = 0; i < batch.size(); ++i) {
    const int64_t length = length_of(lengths, batch[i]);
    if (i > begin && tokens + length > max_tokens) {
      batches.push_back(batch.subspan(begin, i - begin));
      begin = i;
      tokens = 0;
    }
    tokens += length;
  }
  if (begin < batch.size()) batches.push_back(batch.subspan(begin));
  return batches;
}

ExampleIndices share_of(std::span<const int64_t> examples, WorkShare share) {
  ExampleIndices chosen;
  for (auto i = share.index; i < std::ssize(examples); i += share.count) {
    chosen.push_back(examples[static_cast<size_t>(i)]);
  }
  return chosen;
}

ExampleIndices longest_first(std::span<const int64_t> lengths) {
  ExampleIndices order(lengths.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return length_of(lengths, a) > length_of(lengths, b);
  });
  return order;
}

constexpr int64_t kMostId = std::numeric_limits<uint32_t>::max() / 2;

void KeptRows::append(const TokenBatch& rows) {
  const bool has_segments = !rows.segments.empty();
  if (!tokens_.empty() && !rows.ids.empty() && has_segments != has_segments_) {
    throw std::logic_error("rows with and without segments");
  }
  has_segments_ = has_segments_ || has_segments;
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    const int64_t segment = has_segments_ ? rows.segments[i] : 0;
    if (rows.ids[i] < 0 || rows.ids[i] > kMostId)
      throw std::logic_error("a token's id is too large");
    tokens_.push_back(static_cast<uint32_t>(rows.ids[i] * 2 + segment));
  }
  const size_t first = offsets_.back();
  for (size_t row = 1; row < rows.offsets.size(); ++row) {
    offsets_.push_back(first + static_cast<size_t>(rows.offsets[row]));
  }
}

TokenBatch KeptRows::rows(int64_t begin, int64_t end) const {
  TokenBatch batch;
  const size_t first = offsets_[static_cast<size_t>(begin)];
  for (auto row = static_cast<size_t>(begin); row < static_cast<size_t>(end); ++row) {
    for (size_t i = offsets_[row]; i < offsets_[row + 1]; ++i) {
      batch.ids.push_back(tokens_[i] / 2);
      if (has_segments_) batch.segments.push_back(tokens_[i] % 2);
    }
    batch.offsets.push_back(static_cast<int64_t>(offsets_[row + 1] - first));
  }
  return batch;
}

TokenBatch select_rows(const TokenBatch& source, std::span<const int64_t> rows) {
  TokenBatch batch;
  const auto features =
      source.rows() == 0 ? 0 : std::ssize(source.features) / source.rows();  // of a row
  for (const int64_t row : rows) {
    const int64_t begin = source.offsets[static_cast<size_t>(row)];
    const int64_t end = source.offsets[static_cast<size_t>(row) + 1];
    batch.ids.insert(batch.ids.end(), source.ids.begin() + begin, source.ids.begin() + end);
    batch.segments.insert(batch.segments.end(), source.segments.begin() + begin,
                          source.segments.begin() + end);
    batch.offsets.push_back(static_cast<int64_t>(batch.ids.size()));
    const auto first = source.features.begin() + row * features;
    batch.features.insert(batch.features.end(), first, first + features);
  }
  return batch;
}

}  // namespace rubric::data
