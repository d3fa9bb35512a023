#include "data/rows/split.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/rows/copied_rows.h"
#include "data/rows/rows.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
namespace {

// A distinct text: the bits that its position comes from, and how many rows have it.
struct CountedText {
  uint64_t bits = 0;
  int64_t rows = 0;

  // Uniform in [0, 1).
  double position(uint64_t seed) const { return uniform(random_bits(seed, Purpose::split, bits)); }
};

using CountedTexts = std::map<std::string, CountedText>;

CountedTexts count_texts(std::span<const std::string> texts) {
  CountedTexts counted;
  for (const std::string& text : texts) {
    CountedText& one = counted[text];
    if (one.rows++ == 0) one.bits = sha256_bits(text);
  }
  return counted;
}

// The smallest position in [low, high) that a sample of that size leaves out, else `high`; and the
// number of texts below it.
std::pair<double, int64_t> sampled_end(const std::map<std::string, double>& positions, double low,
                                       double high, std::optional<int64_t> sample) {
  std::vector<double> inside;
  for (const auto& [text, position] : positions) {
    if (position >= low && position < high) inside.push_back(position);
  }
  std::ranges::sort(inside);
  const bool is_cut = sample && *sample < std::ssize(inside);
  if (!is_cut) return {high, std::ssize(inside)};
  return {inside[static_cast<size_t>(*sample)], *sample};
}

// How many rows a seed gives each part.
std::vector<int64_t> sizes_of(const CountedTexts& texts, const std::vector<Share>& shares,
                              uint64_t seed) {
  std::vector<double> ends;  // of the parts but the last, which ends at 1
  double end = 0;
  for (size_t i = 0; i + 1 < shares.size(); ++i) ends.push_back(end += shares[i].share);
  std::vector<int64_t> sizes(shares.size());
  for (const auto& [text, counted] : texts) {
    const auto part = std::ranges::upper_bound(ends, counted.position(seed)) - ends.begin();
    sizes[static_cast<size_t>(part)] += counted.rows;
  }
  return sizes;
}

// The largest difference to a share, as a part of that share.
double worst_miss(const std::vector<int64_t>& sizes, const std::vector<Share>& shares,
                  double rows) {
  double worst = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const double wanted = shares[i].share * rows;
    worst = std::max(worst, std::abs(static_cast<double>(sizes[i]) - wanted) / wanted);
  }
  return worst;
}

// The parts, before a sample of them, whose rows miss their share by more than a third of it, and
// the seed below 100 that comes closest; "" where none does.
std::string shares_note(const CountedTexts& counted, size_t all, const SplitOptions& options) {
  constexpr double kMuch = 1.0 / 3;
  constexpr uint64_t kSeeds = 100;
  const std::vector<Share>& shares = options.shares;
  const auto rows = static_cast<double>(all);
  const std::vector<int64_t> sizes = sizes_of(counted, shares, options.seed);
  std::vector<std::string> missed;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const double wanted = shares[i].share * rows;
    if (std::abs(static_cast<double>(sizes[i]) - wanted) <= std::max(1.0, kMuch * wanted)) continue;
    missed.push_back(shares[i].name + " has " + std::to_string(sizes[i]) + " of " +
                     std::to_string(all) + " rows in place of " +
                     std::to_string(std::llround(wanted)));
  }
  if (missed.empty()) return "";
  uint64_t best = options.seed;
  double least = worst_miss(sizes, shares, rows);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const double miss = worst_miss(sizes_of(counted, shares, seed), shares, rows);
    if (miss < least) std::tie(best, least) = std::pair(seed, miss);
  }
  std::string note = join(missed, "; ") + ": a hash chooses the part of a " + options.by +
                     ", so that more rows move none, and shares of few are not exact";
  if (best == options.seed) return note;
  std::vector<std::string> better;
  const std::vector<int64_t> better_sizes = sizes_of(counted, shares, best);
  for (size_t i = 0; i < shares.size(); ++i) {
    better.push_back(shares[i].name + " " + std::to_string(better_sizes[i]));
  }
  return note + "; --seed " + std::to_string(best) + " gives " + join(better);
}

}  // namespace

std::vector<Part> split_texts(std::span<const std::string> texts, const SplitOptions& options,
                              const std::string& where) {
  const CountedTexts counted = count_texts(texts);
  std::map<std::string, double> positions;
  for (const auto& [text, one] : counted) positions[text] = one.position(options.seed);
  std::vector<Part> parts;
  double low = 0;
  for (const Share& share : options.shares) {
    // The last part ends at exactly 1, whatever the rounding of the shares.
    const bool is_last = parts.size() + 1 == options.shares.size();
    const double high = is_last ? 1 : low + share.share;
    const auto named = options.sample.find(share.name);
    const auto [end, distinct] =
        sampled_end(positions, low, high,
                    named == options.sample.end() ? std::nullopt : std::optional(named->second));
    Part part{share.name, {}, distinct};
    for (size_t row = 0; row < texts.size(); ++row) {
      const double position = positions.at(texts[row]);
      if (position >= low && position < end) part.rows.push_back(row);
    }
    if (part.rows.empty()) {
      throw InputError("no row comes into " + share.name + ": there are " +
                           std::to_string(positions.size()) + " distinct " + options.by + "s",
                       where, "give it a larger share, or choose another --seed");
    }
    parts.push_back(std::move(part));
    low = high;
  }
  const std::string note = shares_note(counted, texts.size(), options);
  if (!note.empty()) log_warning(note);
  return parts;
}

std::vector<Part> split_answers(std::span<const Answer> answers, const SplitOptions& options,
                                const std::string& where) {
  std::vector<std::string> texts;
  for (const Answer& answer : answers) {
    texts.push_back(options.by == "passage" ? answer.passage : answer.question);
    if (!texts.back().empty()) continue;
    throw InputError("the row has no " + options.by + " to split by", record_place(where, answer),
                     "name its field with --field " + options.by + "=…, or split --by " +
                         (options.by == "passage" ? "question" : "passage"));
  }
  return split_texts(texts, options, where);
}

SplitRows split_rows(const std::filesystem::path& file, const InputFormat& format,
                     const SplitOptions& options) {
  SplitRows split;
  std::vector<std::string> texts;
  CopiedRows copies;
  const auto add = [&](Json row, const std::string& where) {
    if (find_field(row, options.by) == nullptr) row.require(options.by, where);
    texts.push_back(optional_text(row, options.by, where));
    if (texts.back().empty()) {
      throw InputError("the row has no " + options.by + " to split by", where,
                       "fill it in, or split --by another field");
    }
    copies.add(row, where);
    split.rows.push_back(std::move(row));
    return true;
  };
  visit_rows(file, format, add, is_text_field);
  if (texts.empty()) throw no_rows(file);
  warn_of_copies(copies.places(), kCopiesStayTogether);
  split.parts = split_texts(texts, options, file.string());
  return split;
}

}  // namespace rubric::data
