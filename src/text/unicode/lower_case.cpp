#include "text/unicode/lower_case.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>

#include "core/error.h"

namespace rubric {

std::string lower_case(std::string_view text) {
  const int bits = std::reduce(text.begin(), text.end(), 0, std::bit_or<>());
  std::string lower;
  if ((bits & 0x80) == 0) {  // ASCII
    lower.resize(text.size());
    std::ranges::transform(text, lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return lower;
  }
  if (text.size() > INT32_MAX) throw InputError("a text of more than 2 GiB cannot be normalised");
  icu::StringByteSink<std::string> sink(&lower);
  UErrorCode status = U_ZERO_ERROR;
  const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  icu::CaseMap::utf8ToLower("", 0, piece, sink, nullptr, status);
  if (U_FAILURE(status)) throw Error(std::string("cannot lower case: ") + u_errorName(status));
  return lower;
}

}  // namespace rubric
