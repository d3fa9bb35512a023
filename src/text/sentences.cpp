#include "text/sentences.h"

#include <memory>

#include <unicode/brkiter.h>
#include <unicode/filteredbrk.h>
#include <unicode/utext.h>

#include "core/error.h"
#include "text/unicode/unicode.h"

namespace rubric::text {
namespace {

std::unique_ptr<icu::BreakIterator> english_sentences() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale english("en_US");
  std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createSentenceInstance(english, status));
  const std::unique_ptr<icu::FilteredBreakIteratorBuilder> builder(
      icu::FilteredBreakIteratorBuilder::createInstance(english, status));
  if (U_SUCCESS(status)) breaks.reset(builder->build(breaks.release(), status));
  if (U_FAILURE(status)) throw Error("ICU lacks its data of English sentences");
  return breaks;
}

}  // namespace

std::vector<std::string> sentences_of(std::string_view text) {
  thread_local const std::unique_ptr<icu::BreakIterator> breaks = english_sentences();
  const icu::UnicodeString wide =
      icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  breaks->setText(wide);
  std::vector<std::string> sentences;
  for (int32_t begin = breaks->first(), end = breaks->next(); end != icu::BreakIterator::DONE;
       begin = end, end = breaks->next()) {
    std::string sentence;
    wide.tempSubStringBetween(begin, end).toUTF8String(sentence);
    sentence = strip(sentence);
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace rubric::text
