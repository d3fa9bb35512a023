#include "train/settings/nearest_reference.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/text/ascii.h"

namespace rubric {
namespace {

using Words = std::map<std::string, int>;  // and how often

Words words_of(const std::string& text) {
  Words words;
  std::string word;
  for (const char c : ascii_lower(text) + " ") {
    const bool is_part =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (is_part) {
      word += c;
    } else if (!word.empty()) {
      ++words[std::exchange(word, "")];
    }
  }
  return words;
}

int count(const Words& words) {
  int sum = 0;
  for (const auto& [word, times] : words) sum += times;
  return sum;
}

// The share of the reference's words that the candidate has, and of the candidate's that the
// reference has.
std::pair<double, double> overlap(const Words& reference, const Words& candidate) {
  int common = 0;
  for (const auto& [word, times] : reference) {
    const auto found = candidate.find(word);
    if (found != candidate.end()) common += std::min(times, found->second);
  }
  return {common / std::max(1.0, static_cast<double>(count(reference))),
          common / std::max(1.0, static_cast<double>(count(candidate)))};
}

}  // namespace

const std::string& nearest_reference(const Answer& answer) {
  const Words candidate = words_of(answer.candidate);
  const std::string* nearest = &answer.references.front();
  std::pair<double, double> best = overlap(words_of(*nearest), candidate);
  for (const std::string& reference : answer.references) {
    const auto now = overlap(words_of(reference), candidate);
    if (now <= best) continue;
    best = now;
    nearest = &reference;
  }
  return *nearest;
}

}  // namespace rubric
