#include "metrics/ngram/nearest_references.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/field_text.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "text/numbers.h"
#include "text/quantities.h"

namespace rubric::metrics {
namespace {

ComparedWords words_of(std::string_view text) {
  ComparedWords words;
  const bool keeps_no_one = text::has_no_one(text);
  std::string word, before;
  for (const char c : ascii_lower(text) + " ") {
    const bool is_part =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (is_part) {
      word += c;
    } else if (!word.empty()) {
      ++words.in_digits[text::with_digits(word, before, keeps_no_one)];
      ++words.as_written[word];
      before = std::exchange(word, "");
    }
  }
  return words;
}

int count(const WordCounts& words) {
  int sum = 0;
  for (const auto& [word, times] : words) sum += times;
  return sum;
}

// The share of the reference's words in the candidate, and of the candidate's words in the
// reference.
std::pair<double, double> overlap(const WordCounts& reference, const WordCounts& candidate) {
  int common = 0;
  for (const auto& [word, times] : reference) {
    const auto found = candidate.find(word);
    if (found != candidate.end()) common += std::min(times, found->second);
  }
  return {common / std::max(1.0, static_cast<double>(count(reference))),
          common / std::max(1.0, static_cast<double>(count(candidate)))};
}

}  // namespace

ReferenceOrder::ReferenceOrder(std::span<const std::string> references) {
  for (const std::string& reference : references) {
    references_.push_back({.words = words_of(reference),
                           .normalised = text::normalize_numbers(reference) + "\n" +
                                         text::normalize_quantities(reference)});
  }
}

std::vector<size_t> ReferenceOrder::nearest(std::string_view candidate) const {
  const ComparedWords words = words_of(candidate);
  using Nearness = std::pair<std::pair<double, double>, std::pair<double, double>>;
  std::vector<std::pair<Nearness, size_t>> found;
  for (size_t i = 0; i < references_.size(); ++i) {
    const ComparedWords& reference = references_[i].words;
    found.emplace_back(Nearness(overlap(reference.in_digits, words.in_digits),
                                overlap(reference.as_written, words.as_written)),
                       i);
  }
  std::ranges::stable_sort(found, std::greater<>(), [](const auto& one) { return one.first; });
  std::set<std::string_view> known;
  std::vector<size_t> order;
  for (const auto& [near, i] : found) {
    if (known.insert(references_[i].normalised).second) order.push_back(i);
  }
  return order;
}

std::vector<size_t> nearest_references(const data::Answer& answer) {
  return ReferenceOrder(answer.references).nearest(answer.candidate);
}

ReadReferences read_references(const data::Answer& answer, data::AnswerEncoder& encoder) {
  const auto& inputs = encoder.answer_template().inputs;
  const std::vector<size_t> nearest = std::ranges::count(inputs, "reference") == 0
                                          ? std::vector<size_t>{0}
                                          : nearest_references(answer);
  ReadReferences read, too_long;
  for (const size_t i : nearest) {
    auto fields = encoder.fields_of(answer, answer.references[i]);
    const bool fits = nearest.size() == 1 || encoder.fits(fields);
    ReadReferences& of_these = fits ? read : too_long;
    read.too_long += fits ? 0 : 1;
    of_these.are_more = of_these.indices.size() == kMostReferences;
    if (read.are_more) break;
    if (of_these.are_more) continue;
    of_these.indices.push_back(i);
    of_these.fields.push_back(std::move(fields));
  }
  return read.indices.empty() ? too_long : read;
}

void LongReferences::add(const ReadReferences& read, const data::Answer& answer) {
  count += read.too_long;
  if (read.too_long > 0) records.push_back(data::record_name(answer));
}

void LongReferences::warn() const {
  if (count == 0) return;
  log_warning(counted(count, "reference") + own_field("reference") + (count == 1 ? " is" : " are") +
              " too long for the model and left out, as the row has another that fits: " +
              data::names_text(records, "records"));
}

}  // namespace rubric::metrics
