#include "models/generation/generate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <ATen/Parallel.h>

#include "core/context.h"
#include "core/error.h"
#include "core/random.h"
#include "models/ops/output_layer.h"

namespace rubric::models {

namespace {

int64_t next_token(std::span<const float> logits, int64_t number, int64_t place,
                   const GenerationOptions& options) {
  if (!are_finite(logits)) {
    throw Error("the model's logits are not finite", "row " + std::to_string(number + 1),
                "use other weights");
  }
  if (!options.samples) return most_probable_token(logits);
  const uint64_t bits = random_bits(options.seed, Purpose::sampling, static_cast<uint64_t>(number),
                                    static_cast<uint64_t>(place));
  return draw_token(sampling_probabilities(logits, options.sampling), uniform(bits));
}

// The next token for each row of logits.
std::vector<int64_t> next_tokens(const at::Tensor& logits, std::span<const int64_t> numbers,
                                 int64_t place, const GenerationOptions& options) {
  const auto size = static_cast<size_t>(logits.size(1));
  const float* const values = logits.const_data_ptr<float>();
  std::vector<int64_t> next(numbers.size());
  at::parallel_for(0, std::ssize(next), 1, [&](int64_t begin, int64_t end) {
    for (auto row = static_cast<size_t>(begin); row < static_cast<size_t>(end); ++row) {
      next[row] = next_token({values + row * size, size}, numbers[row], place, options);
    }
  });
  return next;
}

constexpr float kExcluded = -std::numeric_limits<float>::infinity();

void keep_top_k(std::vector<float>& logits, int64_t k) {
  if (k == 0 || k >= std::ssize(logits)) return;
  std::vector<float> sorted = logits;
  const auto last = sorted.begin() + (k - 1);
  std::ranges::nth_element(sorted, last, std::greater());
  for (float& logit : logits) {
    if (logit < *last) logit = kExcluded;
  }
}

// Softmax in place.
void normalise(std::vector<float>& logits) {
  const float most = *std::ranges::max_element(logits);
  float sum = 0;
  for (float& logit : logits) {
    logit = std::exp(logit - most);
    sum += logit;
  }
  for (float& logit : logits) logit /= sum;
}

// Sums in float32 as transformers does, because they decide which token is at the border.
void keep_top_p(std::vector<float>& logits, double p) {
  if (p >= 1) return;
  std::vector<size_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t i) { return logits[i] == kExcluded; });
  std::ranges::stable_sort(order, {}, [&](size_t i) { return logits[i]; });
  std::vector<float> probabilities = logits;
  normalise(probabilities);
  float sum = 0;
  for (size_t i = 0; i + 1 < order.size(); ++i) {  // the most probable token always stays
    sum += probabilities[order[i]];
    if (sum > static_cast<float>(1 - p)) break;
    logits[order[i]] = kExcluded;
  }
}

}  // namespace

std::vector<std::vector<int64_t>> generate(const SequenceModel& model,
                                           const data::ModelTokens& tokens,
                                           const data::TokenPairs& starts,
                                           std::span<const int64_t> numbers,
                                           const GenerationOptions& options) {
  const at::NoGradGuard no_grad;
  if (options.beams > 1) return beam_search(model, tokens, starts, numbers, options);
  const std::unique_ptr<Decoder> decoder = model.decode(starts.sources);
  std::vector<std::vector<int64_t>> texts(numbers.size());
  // The rows still in the batch: their indices, numbers and last tokens.
  std::vector<int64_t> rows, of_rows(numbers.begin(), numbers.end());
  std::vector<int64_t> last = starts.decoder_inputs.ids;
  for (int64_t row = 0; row < starts.rows(); ++row) rows.push_back(row);
  for (int64_t place = 0; place < options.max_new_tokens && !rows.empty(); ++place) {
    end_if_stop_requested();
    const at::Tensor states = decoder->step(last);
    const auto forced = forced_token(tokens, place, options.max_new_tokens);
    const std::vector<int64_t> next =
        forced ? std::vector<int64_t>(rows.size(), *forced)
               : next_tokens(logits(states, model.output()), of_rows, place, options);
    std::vector<int64_t> kept, rows_left, numbers_left, last_left;
    for (size_t i = 0; i < rows.size(); ++i) {
      texts[static_cast<size_t>(rows[i])].push_back(next[i]);
      if (std::ranges::count(tokens.eos_ids, next[i]) > 0) continue;
      kept.push_back(static_cast<int64_t>(i));
      rows_left.push_back(rows[i]);
      numbers_left.push_back(of_rows[i]);
      last_left.push_back(next[i]);
    }
    if (kept.size() < rows.size()) decoder->select(kept);
    rows = std::move(rows_left);
    of_rows = std::move(numbers_left);
    last = std::move(last_left);
  }
  return texts;
}

std::vector<float> sampling_probabilities(std::span<const float> logits,
                                          const SamplingOptions& options) {
  std::vector<float> kept(logits.begin(), logits.end());
  const auto temperature = static_cast<float>(options.temperature);
  for (float& logit : kept) logit /= temperature;
  keep_top_k(kept, options.top_k);
  keep_top_p(kept, options.top_p);
  normalise(kept);
  return kept;
}

int64_t draw_token(std::span<const float> probabilities, double u) {
  double sum = 0;
  // The last token with a probability above 0, used when rounding leaves the sum below u.
  int64_t last = 0;
  for (size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] == 0) continue;
    sum += static_cast<double>(probabilities[i]);
    last = static_cast<int64_t>(i);
    if (u < sum) break;
  }
  return last;
}

int64_t most_probable_token(std::span<const float> logits) {
  float most = logits[0];
#pragma omp simd reduction(max : most)
  for (size_t i = 0; i < logits.size(); ++i) most = most < logits[i] ? logits[i] : most;
  return std::ranges::find(logits, most) - logits.begin();
}

bool are_finite(std::span<const float> logits) {
  float sum = 0;  // of zeros, unless a logit is not finite
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < logits.size(); ++i) sum += logits[i] * 0.0f;
  return sum == 0;
}

std::optional<int64_t> forced_token(const data::ModelTokens& tokens, int64_t place,
                                    int64_t max_new_tokens) {
  if (place == max_new_tokens - 1 && tokens.forced_eos) return tokens.forced_eos;
  if (place == 0 && !tokens.is_causal) return tokens.forced_bos;
  return std::nullopt;
}

}  // namespace rubric::models
