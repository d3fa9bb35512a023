#include "metrics/neural/recipes/head.h"

#include <algorithm>
#include <numeric>

#include "distributed/collective.h"
#include "metrics/neural/encoder_fit.h"

namespace rubric::metrics {
namespace {

// TruncationStrategy::LongestFirst of `tokenizers` for two texts.
void cut_longest_of_two(std::vector<int64_t>& first, std::vector<int64_t>& second, int64_t most) {
  auto* shorter = &first;
  auto* longer = &second;
  if (first.size() > second.size()) std::swap(shorter, longer);
  int64_t small = std::ssize(*shorter);
  int64_t large = small > most ? small : std::max(small, most - small);
  if (small + large > most) {
    small = most / 2;
    large = most - small;
  }
  shorter->resize(static_cast<size_t>(small));
  longer->resize(static_cast<size_t>(large));
}

void cut(std::vector<std::vector<int64_t>>& texts, const std::string& how, int64_t most) {
  const auto total = [&] {
    return std::accumulate(texts.begin(), texts.end(), int64_t{0},
                           [](int64_t sum, const auto& ids) { return sum + std::ssize(ids); });
  };
  const int64_t surplus = total() - most;
  if (how == "first" && std::ssize(texts.front()) > surplus) {
    texts.front().resize(texts.front().size() - static_cast<size_t>(surplus));
  } else if (texts.size() == 2) {
    cut_longest_of_two(texts[0], texts[1], most);
  } else {
    for (int64_t i = 0; i < surplus; ++i) {
      std::ranges::max_element(texts, {}, &std::vector<int64_t>::size)->pop_back();
    }
  }
}

}  // namespace

std::vector<int64_t> TextReader::ids(std::string_view text) const {
  std::vector<int64_t> ids;
  tokenizer->encode(text, ids);
  return ids;
}

bool TextReader::append_row(std::vector<std::vector<int64_t>> texts, const Recipe& recipe,
                            data::TokenBatch& rows) const {
  const text::TokensAround& around = tokenizer->around();
  const int64_t between = recipe.separators > 0 ? recipe.separators : around.separators;
  int64_t length =
      std::ssize(around.before) + std::ssize(around.after) + between * (std::ssize(texts) - 1);
  const int64_t most = std::max<int64_t>(max_length - length, 0);
  for (const auto& ids : texts) length += std::ssize(ids);
  const bool is_cut = length > max_length, is_cut_at_end = is_cut && recipe.cut == "end";
  if (is_cut && !is_cut_at_end) cut(texts, recipe.cut, most);
  const size_t begin = rows.ids.size();
  const auto append = [&](const std::vector<int64_t>& ids, int64_t segment) {
    rows.ids.insert(rows.ids.end(), ids.begin(), ids.end());
    rows.segments.resize(rows.ids.size(), segment);
  };
  append(around.before, 0);
  const std::vector<int64_t> separators(static_cast<size_t>(between), tokenizer->sep_id());
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) append(separators, i == 1 ? 0 : 1);
    append(texts[i], i == 0 ? 0 : 1);
  }
  if (is_cut_at_end) {
    rows.ids.resize(begin + static_cast<size_t>(max_length) - around.after.size());
    rows.segments.resize(rows.ids.size());
  }
  append(around.after, texts.size() == 1 ? 0 : 1);
  rows.offsets.push_back(std::ssize(rows.ids));
  return is_cut;
}

TextReader open_reader(const std::filesystem::path& directory, const models::Encoder& encoder,
                       const Recipe& recipe) {
  TextReader reader{text::open_tokenizer(directory),
                    std::min(recipe.max_length, longest_text(directory, encoder.limits()))};
  require_fit(encoder, *reader.tokenizer, directory);
  constexpr int64_t kMostSpecialTokens = 8;  // around and between the texts of a row
  if (reader.max_length <= kMostSpecialTokens) {
    throw InputError("the model takes " + std::to_string(reader.max_length) +
                         " tokens, too few for the texts of the recipe " + recipe.name,
                     directory.string(), "use another model");
  }
  return reader;
}

at::Tensor predict_on_ranks(const data::TokenBatch& rows, int64_t columns,
                            const models::Encoder& encoder, const distributed::Ranks& ranks,
                            const std::function<at::Tensor(const models::PackedTokens&)>& predict) {
  return distributed::gather_shares(ranks, {rows.rows(), columns}, [&](WorkShare share) {
    return predict_rows(rows, kTokensPerThread, encoder.device(), predict, {}, share);
  });
}

}  // namespace rubric::metrics
