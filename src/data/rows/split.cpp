#include "data/rows/split.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"
#include "data/answers/answer_rows.h"
#include "data/rows/copied_rows.h"
#include "data/rows/rows.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
namespace {

// The position of a text, uniform in [0, 1).
double position_of(const std::string& text, uint64_t seed) {
  return uniform(random_bits(seed, Purpose::split, sha256_bits(text)));
}

// The position of every distinct text.
std::map<std::string, double> positions_of(std::span<const std::string> texts, uint64_t seed) {
  std::map<std::string, double> positions;
  for (const std::string& text : texts) {
    if (!positions.contains(text)) positions[text] = position_of(text, seed);
  }
  return positions;
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

}  // namespace

std::vector<Part> split_texts(std::span<const std::string> texts, const SplitOptions& options,
                              const std::string& where) {
  const std::map<std::string, double> positions = positions_of(texts, options.seed);
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
