#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>

#include "core/context.h"
#include "core/error.h"
#include "models/generation/generate.h"
#include "models/ops/output_layer.h"
#include "models/ops/vector_math.h"

namespace rubric::models {
namespace {

struct Beam {
  std::vector<int64_t> tokens;
  double sum = 0;  // of log-probabilities
};

struct Hypothesis {
  std::vector<int64_t> tokens;
  double score;
};

// A beam and its next token.
struct Candidate {
  double sum;
  int64_t beam, token;
};

bool is_better(const Candidate& a, const Candidate& b) {
  if (a.sum != b.sum) return a.sum > b.sum;
  return a.beam != b.beam ? a.beam < b.beam : a.token < b.token;
}

// The search for one source; its beams are adjacent rows of the decoder.
struct Search {
  int64_t source = 0;
  std::vector<Beam> beams = {Beam{}};
  std::vector<int64_t> parents;  // for each beam the one that it extends
  std::vector<Hypothesis> finished;
  bool is_over = false;
};

constexpr size_t kBlock = 256;  // logits that are compared by their largest

float largest(std::span<const float> logits) {
  float most = logits.front();
#pragma omp simd reduction(max : most)
  for (size_t i = 0; i < logits.size(); ++i) most = most < logits[i] ? logits[i] : most;
  return most;
}

// The logits from `begin` on, at most kBlock.
std::span<const float> block(std::span<const float> logits, size_t begin) {
  return logits.subspan(begin, std::min(kBlock, logits.size() - begin));
}

// ln Σ e^logit; `most` is the largest of the logits. Not finite if one of them is not a number.
double log_sum_exp(std::span<const float> logits, float most) {
  double sum = 0;
  for (size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const std::span<const float> part = block(logits, begin);
    float of_part = 0;
#pragma omp simd reduction(+ : of_part)
    for (size_t i = 0; i < part.size(); ++i) of_part += exponential(part[i] - most);
    sum += static_cast<double>(of_part);
  }
  return static_cast<double>(most) + std::log(sum);
}

// The best `count` candidates of a search, best first. `logits` are those of its beams.
std::vector<Candidate> best_candidates(const Search& search, const float* logits, int64_t size,
                                       std::optional<int64_t> forced, size_t count,
                                       int64_t number) {
  std::vector<Candidate> best;  // a heap with the worst on top
  std::vector<float> of_blocks;
  for (int64_t beam = 0; beam < std::ssize(search.beams); ++beam) {
    const double sum = search.beams[static_cast<size_t>(beam)].sum;
    if (forced) {
      best.push_back({sum, beam, *forced});
      continue;
    }
    const std::span<const float> row(logits + beam * size, static_cast<size_t>(size));
    of_blocks.clear();
    for (size_t begin = 0; begin < row.size(); begin += kBlock) {
      of_blocks.push_back(largest(block(row, begin)));
    }
    const double before = sum - log_sum_exp(row, largest(of_blocks));
    if (!std::isfinite(before)) {
      throw Error("the model's logits are not finite", "row " + std::to_string(number + 1),
                  "use other weights");
    }
    // Beams and tokens come in ascending order, so that a tie with the worst is no improvement.
    const auto is_no_better = [&](float logit) {
      return best.size() == count && before + static_cast<double>(logit) <= best.front().sum;
    };
    for (size_t i = 0; i < of_blocks.size(); ++i) {
      if (is_no_better(of_blocks[i])) continue;
      const std::span<const float> part = block(row, i * kBlock);
      for (size_t j = 0; j < part.size(); ++j) {
        if (is_no_better(part[j])) continue;
        if (best.size() == count) {
          std::ranges::pop_heap(best, is_better);
          best.pop_back();
        }
        best.push_back(
            {before + static_cast<double>(part[j]), beam, static_cast<int64_t>(i * kBlock + j)});
        std::ranges::push_heap(best, is_better);
      }
    }
  }
  std::ranges::sort(best, is_better);
  if (best.size() > count) best.resize(count);
  return best;
}

double score_of(double sum, int64_t tokens, double length_penalty) {
  return sum / std::pow(static_cast<double>(tokens), length_penalty);
}

// Whether no unfinished text can replace a finished one, `length` tokens into the search.
bool is_decided(const Search& search, int64_t length, const GenerationOptions& options) {
  if (std::ssize(search.finished) < options.beams) return false;
  if (options.early_stopping == data::EarlyStopping::yes) return true;
  const bool at_any_length =
      options.early_stopping == data::EarlyStopping::never && options.length_penalty > 0;
  const double hope =
      score_of(search.beams.front().sum, at_any_length ? options.max_new_tokens : length,
               options.length_penalty);
  return search.finished.back().score >= hope;
}

// Extends the search by a token.
void advance(Search& search, const std::vector<Candidate>& candidates, int64_t length,
             const data::ModelTokens& tokens, const GenerationOptions& options) {
  std::vector<Beam> beams;
  std::vector<int64_t> parents;
  std::vector<Hypothesis> finished = search.finished;
  for (int64_t rank = 0; rank < std::ssize(candidates); ++rank) {
    const Candidate& candidate = candidates[static_cast<size_t>(rank)];
    Beam beam = search.beams[static_cast<size_t>(candidate.beam)];
    beam.tokens.push_back(candidate.token);
    beam.sum = candidate.sum;
    const bool is_done =
        length == options.max_new_tokens || std::ranges::count(tokens.eos_ids, candidate.token) > 0;
    if (!is_done) {
      if (std::ssize(beams) == options.beams) continue;
      beams.push_back(std::move(beam));
      parents.push_back(candidate.beam);
    } else if (rank < options.beams) {
      const double score = score_of(beam.sum, length, options.length_penalty);
      finished.push_back({std::move(beam.tokens), score});
    }
  }
  std::ranges::stable_sort(finished, std::ranges::greater(), &Hypothesis::score);
  if (std::ssize(finished) > options.beams) finished.resize(static_cast<size_t>(options.beams));
  search = {search.source, std::move(beams), std::move(parents), std::move(finished), false};
  search.is_over = search.beams.empty() || is_decided(search, length, options);
}

}  // namespace

std::vector<std::vector<int64_t>> beam_search(const SequenceModel& model,
                                              const data::ModelTokens& tokens,
                                              const data::TokenPairs& starts,
                                              std::span<const int64_t> numbers,
                                              const GenerationOptions& options) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<Decoder> decoder = model.decode(starts.sources);
  std::vector<std::vector<int64_t>> texts(static_cast<size_t>(starts.rows()));
  std::vector<Search> searches(texts.size());
  for (size_t i = 0; i < searches.size(); ++i) searches[i].source = static_cast<int64_t>(i);
  std::vector<int64_t> last = starts.decoder_inputs.ids;
  // Enough that all beams can continue even if every end token is among the candidates, as in
  // transformers.
  const size_t candidates =
      std::max<size_t>(2, 1 + tokens.eos_ids.size()) * static_cast<size_t>(options.beams);
  for (int64_t place = 0; !searches.empty(); ++place) {
    end_if_stop_requested();
    const at::Tensor rows = logits(decoder->step(last), model.output());
    const auto forced = forced_token(tokens, place, options.max_new_tokens);
    std::vector<int64_t> first_rows;  // the first decoder row of each search
    int64_t decoder_rows = 0;
    for (const Search& search : searches) {
      first_rows.push_back(decoder_rows);
      decoder_rows += std::ssize(search.beams);
    }
    at::parallel_for(0, std::ssize(searches), 1, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        const int64_t size = rows.size(1);
        const auto best =
            best_candidates(searches[i], rows.const_data_ptr<float>() + first_rows[i] * size, size,
                            forced, candidates, numbers[static_cast<size_t>(searches[i].source)]);
        advance(searches[i], best, place + 1, tokens, options);
      }
    });
    std::vector<int64_t> kept;
    std::vector<Search> going_on;
    last.clear();
    for (size_t i = 0; i < searches.size(); ++i) {
      Search& search = searches[i];
      if (search.is_over) {
        texts[static_cast<size_t>(search.source)] = std::move(search.finished.front().tokens);
        continue;
      }
      for (size_t beam = 0; beam < search.beams.size(); ++beam) {
        kept.push_back(first_rows[i] + search.parents[beam]);
        last.push_back(search.beams[beam].tokens.back());
      }
      going_on.push_back(std::move(search));
    }
    searches = std::move(going_on);
    decoder->select(kept);
  }
  return texts;
}

}  // namespace rubric::models
