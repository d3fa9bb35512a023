#include "models/generation/generate_part.h"

#include <algorithm>

#include <ATen/Parallel.h>

#include "core/error.h"
#include "core/random.h"
#include "core/system/signals.h"
#include "models/generation/beam_search.h"
#include "models/generation/forced_tokens.h"
#include "models/ops/output_layer.h"

namespace rubric {
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

// What comes next in each row of logits.
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

}  // namespace

std::vector<std::vector<int64_t>> generate(const ConditionalModel& model, const ModelTokens& tokens,
                                           const TokenPairs& starts,
                                           std::span<const int64_t> numbers,
                                           const GenerationOptions& options) {
  const at::NoGradGuard no_grad;
  if (options.beams > 1) return beam_search(model, tokens, starts, numbers, options);
  const std::unique_ptr<Decoder> decoder = model.decode(starts.sources);
  std::vector<std::vector<int64_t>> texts(numbers.size());
  // The rows that are still in the batch: their indices, numbers and last tokens.
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
      if (std::ranges::count(tokens.ends, next[i]) > 0) continue;
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

}  // namespace rubric
