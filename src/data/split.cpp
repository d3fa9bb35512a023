#include "data/split.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"
#include "data/answer_template.h"

namespace rubric {
namespace {

// Of a text, uniform in [0, 1).
double position_of(const std::string& text, uint64_t seed) {
  return uniform(random_bits(seed, Purpose::split, sha256_bits(text)));
}

// The place of every distinct text.
std::map<std::string, double> positions_of(std::span<const Answer> answers,
                                           const SplitOptions& options, const std::string& where) {
  std::map<std::string, double> positions;
  for (const Answer& answer : answers) {
    const std::string& text = options.by == "passage" ? answer.passage : answer.question;
    if (text.empty()) {
      throw InputError("the row has no " + options.by + " to split by", record_place(where, answer),
                       "name its field with --field " + options.by + "=…, or split --by " +
                           (options.by == "passage" ? "question" : "passage"));
    }
    if (!positions.contains(text)) positions[text] = position_of(text, options.seed);
  }
  return positions;
}

// The least position in [low, high) that a sample of that many texts leaves out, else `high`; and
// how many texts there are below it.
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

std::vector<Part> split_answers(std::span<const Answer> answers, const SplitOptions& options,
                                const std::string& where) {
  const std::map<std::string, double> positions = positions_of(answers, options, where);
  std::vector<Part> parts;
  double low = 0;
  for (const Share& share : options.shares) {
    // The last part takes what rounding leaves.
    const bool is_last = parts.size() + 1 == options.shares.size();
    const double high = is_last ? 1 : low + share.share;
    const auto named = options.sample.find(share.name);
    const auto [end, texts] =
        sampled_end(positions, low, high,
                    named == options.sample.end() ? std::nullopt : std::optional(named->second));
    Part part{share.name, {}, texts};
    for (size_t row = 0; row < answers.size(); ++row) {
      const Answer& answer = answers[row];
      const double position =
          positions.at(options.by == "passage" ? answer.passage : answer.question);
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

}  // namespace rubric
