#include "text/icu_words.h"

#include <memory>

#include <unicode/ubrk.h>
#include <unicode/utext.h>
#include <unicode/uvernum.h>

#include "core/error.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric {
namespace {

void require_success(UErrorCode status, const std::string& language) {
  if (U_SUCCESS(status)) return;
  throw Error("ICU cannot find words: " + std::string(u_errorName(status)), language);
}

bool is_blank(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (!is_white_space(decode_utf8(text, at))) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> icu_words(std::string_view text, const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UBreakIterator, decltype(&ubrk_close)> boundaries(
      ubrk_open(UBRK_WORD, language.c_str(), nullptr, 0, &status), &ubrk_close);
  require_success(status, language);
  const std::unique_ptr<UText, decltype(&utext_close)> units(
      utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status),
      &utext_close);
  ubrk_setUText(boundaries.get(), units.get(), &status);
  require_success(status, language);
  std::vector<std::string> words;
  size_t begin = 0;
  for (int32_t end = ubrk_next(boundaries.get()); end != UBRK_DONE;
       end = ubrk_next(boundaries.get())) {
    const std::string_view word = text.substr(begin, static_cast<size_t>(end) - begin);
    begin = static_cast<size_t>(end);
    if (!is_blank(word)) words.emplace_back(word);
  }
  return words;
}

std::string icu_version() {
  return U_ICU_VERSION;
}

}  // namespace rubric
