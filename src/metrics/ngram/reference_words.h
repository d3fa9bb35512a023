// The references of a row as numbered words, kept for the rows behind it that have the same ones:
// those of several systems that answered one question.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/ngram/numbering.h"

namespace rubric {

class ReferenceWords {
 public:
  ReferenceWords() = default;
  ReferenceWords(const ReferenceWords&) = delete;  // words_ refers to texts_
  ReferenceWords& operator=(const ReferenceWords&) = delete;

  // `split` calls what it is given with each word of a text. Says whether the references are others
  // than those of the call before.
  template <class Split>
  bool read(std::span<const std::string> references, const Split& split) {
    if (std::ranges::equal(references, texts_)) return false;
    texts_.assign(references.begin(), references.end());
    split_.clear();
    ends_.clear();
    for (const std::string& text : texts_) {
      split(text, [&](std::string_view word) { split_.push_back(word); });
      ends_.push_back(split_.size());
    }
    words_.reset(split_.size());
    numbers_.clear();
    for (const std::string_view word : split_) numbers_.push_back(words_.add(word));
    return true;
  }

  size_t size() const { return ends_.size(); }  // references
  // The words of a reference by number.
  std::span<const uint32_t> operator[](size_t reference) const {
    const size_t start = reference == 0 ? 0 : ends_[reference - 1];
    return std::span(numbers_).subspan(start, ends_[reference] - start);
  }
  size_t words() const { return numbers_.size(); }                          // of all references
  uint32_t distinct_words() const { return words_.count(); }                // numbered from 0 on
  uint32_t find(std::string_view word) const { return words_.find(word); }  // else kUnnumbered

 private:
  std::vector<std::string> texts_;
  std::vector<std::string_view> split_;  // their words
  Numbering<std::string_view> words_;
  std::vector<uint32_t> numbers_;
  std::vector<size_t> ends_;  // of each reference in numbers_
};

}  // namespace rubric
