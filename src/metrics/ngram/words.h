// The words of a text, as Python splits it, found 64 bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric {

// Bit i says whether byte i of 64 may begin white space. A first sieve: so do all up to the blank
// and all that are not ASCII.
inline uint64_t possible_spaces(const char* bytes) {
  uint64_t spaces = 0;
#ifdef __SSE2__
  for (int i = 0; i < 64; i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    const __m128i is_space = _mm_cmplt_epi8(block, _mm_set1_epi8(' ' + 1));  // of signed bytes
    spaces |= uint64_t{static_cast<uint16_t>(_mm_movemask_epi8(is_space))} << i;
  }
#else
  for (int i = 0; i < 64; ++i) {
    spaces |= uint64_t{static_cast<signed char>(bytes[i]) <= ' '} << i;
  }
#endif
  return spaces;
}

// Calls `use` with the position of every such byte of a text.
template <class Use>
void for_each_possible_space(std::string_view text, const Use& use) {
  for (size_t start = 0; start < text.size(); start += 64) {
    const char* block = text.data() + start;
    char last[64];
    if (text.size() - start < 64) {
      std::memset(last, 'x', sizeof(last));
      std::memcpy(last, block, text.size() - start);
      block = last;
    }
    uint64_t spaces = possible_spaces(block);
    for (; spaces != 0; spaces &= spaces - 1) {
      use(start + static_cast<size_t>(std::countr_zero(spaces)));
    }
  }
}

// Calls `use` with each word of Python's text.split(" "): at least one, which may be empty.
template <class Use>
void split_at_blanks(std::string_view text, const Use& use) {
  const char* word = text.data();
  for_each_possible_space(text, [&](size_t i) {
    const char* const here = text.data() + i;
    if (*here != ' ') return;
    use(std::string_view(word, here));
    word = here + 1;
  });
  use(std::string_view(word, text.data() + text.size()));
}

// The length in bytes of the white space that starts at `position`, else 0; 0 inside a character,
// too.
inline size_t white_space_at(std::string_view text, size_t position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte < 0x80) return is_python_space(byte) ? 1 : 0;
  size_t end = position;
  return is_python_space(decode_utf8(text, end)) ? end - position : 0;
}

// Calls `use` with each word of Python's text.split().
template <class Use>
void split_at_white_space(std::string_view text, const Use& use) {
  const char* word = text.data();
  for_each_possible_space(text, [&](size_t i) {
    const size_t length = white_space_at(text, i);
    if (length == 0) return;
    const char* const here = text.data() + i;
    if (here > word) use(std::string_view(word, here));
    word = here + length;
  });
  const char* const end = text.data() + text.size();
  if (end > word) use(std::string_view(word, end));
}

}  // namespace rubric
