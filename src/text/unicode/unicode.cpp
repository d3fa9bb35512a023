#include "text/unicode/unicode.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>

#include "core/error.h"
#include "core/text/utf8.h"

namespace rubric::text {

namespace {

UChar32 icu(char32_t c) {
  return static_cast<UChar32>(c);
}

// Whether Unicode version `major` already had the character.
bool assigned_in(int major, char32_t c) {
  UVersionInfo age;
  u_charAge(icu(c), age);
  return age[0] <= major;
}

constexpr int kCategoryVersion = 8;
constexpr int kDecompositionVersion = 9;
constexpr int kLetterVersion = 16;

const icu::Normalizer2& canonical_decomposition() {
  static const icu::Normalizer2& instance = []() -> const icu::Normalizer2& {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* const nfd = icu::Normalizer2::getNFDInstance(status);
    if (U_FAILURE(status)) {
      throw Error("ICU has no normalisation data", u_errorName(status),
                  "install the ICU library with its data");
    }
    return *nfd;
  }();
  return instance;
}

// Capital letters of Unicode 16 and 17, which Rust lower-cases, and ICU only from version 78 on.
struct CapitalRange {
  char32_t first, last, lower;  // `lower` is the lower case of `first`
};
constexpr CapitalRange kNewCapitals[] = {{0x1C89, 0x1C89, 0x1C8A},    {0xA7CB, 0xA7CB, 0x0264},
                                         {0xA7CC, 0xA7CC, 0xA7CD},    {0xA7CE, 0xA7CE, 0xA7CF},
                                         {0xA7D2, 0xA7D2, 0xA7D3},    {0xA7D4, 0xA7D4, 0xA7D5},
                                         {0xA7DA, 0xA7DA, 0xA7DB},    {0xA7DC, 0xA7DC, 0x019B},
                                         {0x10D50, 0x10D65, 0x10D70}, {0x16EA0, 0x16EB8, 0x16EBB}};

// Letters and numbers of Unicode 15.1 and 16, which ICU has from version 76 on.
struct Range {
  char32_t first, last;
};
constexpr Range kNewLetters[] = {
    {0x1C89, 0x1C8A},   {0xA7CB, 0xA7CD},   {0xA7DA, 0xA7DC},   {0x105C0, 0x105F3},
    {0x10D4A, 0x10D65}, {0x10D6F, 0x10D85}, {0x10EC2, 0x10EC4}, {0x11380, 0x11389},
    {0x1138B, 0x1138B}, {0x1138E, 0x1138E}, {0x11390, 0x113B5}, {0x113B7, 0x113B7},
    {0x113D1, 0x113D1}, {0x113D3, 0x113D3}, {0x11BC0, 0x11BE0}, {0x13460, 0x143FA},
    {0x16100, 0x1611D}, {0x16D40, 0x16D6C}, {0x18CFF, 0x18CFF}, {0x1E5D0, 0x1E5ED},
    {0x1E5F0, 0x1E5F0}, {0x2EBF0, 0x2EE5D}};
constexpr Range kNewNumbers[] = {{0x10D40, 0x10D49}, {0x116D0, 0x116E3}, {0x11BF0, 0x11BF9},
                                 {0x16130, 0x16139}, {0x16D70, 0x16D79}, {0x1CCF0, 0x1CCF9},
                                 {0x1E5F1, 0x1E5FA}};

bool is_in(std::span<const Range> ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](Range r) { return r.first <= c && c <= r.last; });
}

// Whether `c` had one of these categories in Unicode 16; `added` are characters that ICU may not
// know.
bool has_category(char32_t c, uint32_t categories, std::span<const Range> added) {
  const uint32_t category = U_GET_GC_MASK(icu(c));
  if ((category & categories) != 0) return assigned_in(kLetterVersion, c);
  return category == U_GC_CN_MASK && is_in(added, c);
}

// Marks of Unicode 16 (and U+11F5A), which ICU has from version 76 on.
struct MarkRange {
  char32_t first, last;
};
constexpr MarkRange kNewMarks[] = {{0x897, 0x897},     {0x10D69, 0x10D6D}, {0x10EFC, 0x10EFC},
                                   {0x113B8, 0x113C0}, {0x113C2, 0x113C2}, {0x113C5, 0x113C5},
                                   {0x113C7, 0x113CA}, {0x113CC, 0x113D0}, {0x113D2, 0x113D2},
                                   {0x113E1, 0x113E2}, {0x11F5A, 0x11F5A}, {0x1611E, 0x1612F},
                                   {0x1E5EE, 0x1E5EF}};
constexpr int kUnicode = 16;

int32_t break_class(char32_t c) {
  const auto character = static_cast<UChar32>(c);
  UVersionInfo age;
  u_charAge(character, age);
  if (age[0] > kUnicode) return U_GCB_OTHER;
  const int32_t found = u_getIntPropertyValue(character, UCHAR_GRAPHEME_CLUSTER_BREAK);
  const auto has = [c](MarkRange range) { return range.first <= c && c <= range.last; };
  return found == U_GCB_OTHER && std::ranges::any_of(kNewMarks, has) ? U_GCB_EXTEND : found;
}

bool is_pictograph(char32_t c) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC);
}

bool is_control(int32_t c) {
  return c == U_GCB_CR || c == U_GCB_LF || c == U_GCB_CONTROL;
}

bool extends(int32_t c) {
  return c == U_GCB_EXTEND || c == U_GCB_ZWJ || c == U_GCB_SPACING_MARK;
}

// GB6 to GB8: the letters of one Hangul syllable.
bool joins_hangul(int32_t before, int32_t behind) {
  if (before == U_GCB_L) {
    return behind == U_GCB_L || behind == U_GCB_V || behind == U_GCB_LV || behind == U_GCB_LVT;
  }
  if (before == U_GCB_LV || before == U_GCB_V) return behind == U_GCB_V || behind == U_GCB_T;
  return (before == U_GCB_LVT || before == U_GCB_T) && behind == U_GCB_T;
}

}  // namespace

bool is_white_space(char32_t c) {
  return u_isUWhiteSpace(icu(c));
}

bool is_letter(char32_t c) {
  return has_category(c, U_GC_L_MASK, kNewLetters);
}

bool is_number(char32_t c) {
  return has_category(c, U_GC_N_MASK, kNewNumbers);
}

bool is_punctuation(char32_t c) {
  return (U_GET_GC_MASK(icu(c)) & U_GC_P_MASK) != 0;
}

bool is_symbol(char32_t c) {
  return (U_GET_GC_MASK(icu(c)) & U_GC_S_MASK) != 0;
}

bool is_word_character(char32_t c) {
  constexpr uint32_t kWordCategories = U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK;
  return u_isUAlphabetic(icu(c)) || (U_GET_GC_MASK(icu(c)) & kWordCategories) != 0 ||
         u_hasBinaryProperty(icu(c), UCHAR_JOIN_CONTROL);
}

bool is_removed_by_bert(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  if (c == kReplacementCharacter) return true;
  constexpr uint32_t kControl = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK;
  return (U_GET_GC_MASK(icu(c)) & kControl) != 0 && assigned_in(kCategoryVersion, c);
}

bool is_bert_punctuation(char32_t c) {
  if (c < 0x80) return u_isgraph(icu(c)) && !u_isalnum(icu(c));
  // Both were punctuation in Unicode 8: the Canadian chi sign, the Sharada sandhi mark.
  if (c == 0x166D || c == 0x111C9) return true;
  return (U_GET_GC_MASK(icu(c)) & U_GC_P_MASK) != 0 && assigned_in(kCategoryVersion, c);
}

bool is_cjk_ideograph(char32_t c) {
  if (c < 0x3400) return false;
  return c <= 0x4DBF || (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B81F) ||
         (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

bool is_accent(char32_t c) {
  if (c == 0x1734) return true;  // Hanunoo pamudpod, a nonspacing mark until Unicode 14
  if ((U_GET_GC_MASK(icu(c)) & U_GC_MN_MASK) == 0 || !assigned_in(kCategoryVersion, c))
    return false;
  // Nonspacing marks only since Unicode 9 (Mongolian baluda), 11 (Sharada) and 12 (Javanese).
  return c != 0x1885 && c != 0x1886 && c != 0xA9BD && c != 0x111C9;
}

void append_decomposition(char32_t c, std::u32string& out) {
  icu::UnicodeString decomposed;
  if (!canonical_decomposition().getDecomposition(icu(c), decomposed) ||
      !assigned_in(kDecompositionVersion, c)) {
    out += c;
    return;
  }
  for (int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
    out += static_cast<char32_t>(decomposed.char32At(i));
  }
}

int combining_class(char32_t c) {
  const uint8_t value = u_getCombiningClass(icu(c));
  return value != 0 && assigned_in(kDecompositionVersion, c) ? value : 0;
}

void append_lower_case(char32_t c, std::string& out) {
  if (c == 0x0130) {  // İ, the only character whose lower case is two: i and a dot above
    out += "i\u0307";
    return;
  }
  for (const CapitalRange& range : kNewCapitals) {
    if (c < range.first) break;
    if (c <= range.last) return append_utf8(range.lower + (c - range.first), out);
  }
  append_utf8(static_cast<char32_t>(u_tolower(icu(c))), out);
}

namespace {

bool is_ascii(std::string_view text) {
  return (std::reduce(text.begin(), text.end(), 0, std::bit_or<>()) & 0x80) == 0;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower;
  if (is_ascii(text)) {
    lower.resize(text.size());
    std::ranges::transform(text, lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return lower;
  }
  if (text.size() > INT32_MAX) {
    throw InputError("a text of more than 2 GiB cannot be normalised", "", "divide it");
  }
  icu::StringByteSink<std::string> sink(&lower);
  UErrorCode status = U_ZERO_ERROR;
  const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  icu::CaseMap::utf8ToLower("", 0, piece, sink, nullptr, status);
  if (U_FAILURE(status)) throw Error(std::string("cannot lower case: ") + u_errorName(status));
  return lower;
}

std::string_view strip(std::string_view text) {
  for (size_t next = 0; !text.empty() && is_python_space(decode_utf8(text, next)); next = 0) {
    text.remove_prefix(next);
  }
  return strip_end(text);
}

std::string_view strip_end(std::string_view text) {
  for (size_t end = text.size(); end > 0 && is_python_space(decode_utf8_backwards(text, end));) {
    text = text.substr(0, end);
  }
  return text;
}

size_t grapheme_end(std::string_view text, size_t position) {
  char32_t c = decode_utf8(text, position);
  int32_t before = break_class(c);
  bool after_pictograph = is_pictograph(c);  // only marks follow it, then a joiner (GB11)
  bool is_half_flag = before == U_GCB_REGIONAL_INDICATOR;
  for (size_t next = position; position < text.size(); position = next) {
    c = decode_utf8(text, next);
    const int32_t behind = break_class(c);
    if (before == U_GCB_CR && behind == U_GCB_LF) return next;
    if (is_control(before) || is_control(behind)) return position;
    const bool completes_flag = is_half_flag && behind == U_GCB_REGIONAL_INDICATOR;
    const bool joins_pictograph = before == U_GCB_ZWJ && after_pictograph && is_pictograph(c);
    if (!extends(behind) && before != U_GCB_PREPEND && !joins_hangul(before, behind) &&
        !joins_pictograph && !completes_flag) {
      return position;
    }
    if (behind != U_GCB_EXTEND && behind != U_GCB_ZWJ) after_pictograph = is_pictograph(c);
    is_half_flag = behind == U_GCB_REGIONAL_INDICATOR && !completes_flag;
    before = behind;
  }
  return position;
}

bool is_mark(char32_t c) {
  return (U_GET_GC_MASK(icu(c)) & U_GC_M_MASK) != 0 && assigned_in(kDecompositionVersion, c);
}

std::string normal_form(std::string_view text, NormalForm form) {
  UErrorCode status = U_ZERO_ERROR;
  static const icu::UnicodeSet known(icu::UnicodeString("[:age=9.0:]"), status);  // up to Unicode 9
  const icu::Normalizer2* const newest =
      form == NormalForm::c    ? icu::Normalizer2::getNFCInstance(status)
      : form == NormalForm::d  ? icu::Normalizer2::getNFDInstance(status)
      : form == NormalForm::kc ? icu::Normalizer2::getNFKCInstance(status)
                               : icu::Normalizer2::getNFKDInstance(status);
  std::string result;
  if (U_SUCCESS(status)) {
    const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
    icu::UnicodeString normalized;
    icu::FilteredNormalizer2(*newest, known)
        .normalize(icu::UnicodeString::fromUTF8(piece), normalized, status);
    normalized.toUTF8String(result);
  }
  if (U_FAILURE(status)) throw Error("ICU cannot normalise a text", u_errorName(status));
  return result;
}

std::string to_nfd(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  const icu::UnicodeString decomposed =
      canonical_decomposition().normalize(icu::UnicodeString::fromUTF8(piece), status);
  if (U_FAILURE(status)) throw Error("ICU cannot decompose a text", u_errorName(status));
  std::string result;
  return decomposed.toUTF8String(result);
}

namespace {

// What \w matches in Python (marks are not part of words), except the underscore, which was removed
// as punctuation.
bool is_python_word_character(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return (U_MASK(u_charType(static_cast<UChar32>(c))) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
}

void append_blank(std::string& text) {
  if (!text.empty() && text.back() != ' ') text += ' ';
}

bool is_article(std::string_view word) {
  return word.size() <= 3 && (word == "a" || word == "an" || word == "the");
}

// Ends the run of word characters that began at `start`; replaces an article by a space.
void finish_word(std::string& text, size_t start) {
  const std::string_view word = std::string_view(text).substr(start);
  if (!is_article(word)) return;
  text.resize(start);
  append_blank(text);
}

}  // namespace

namespace {

enum class AnswerByte : uint8_t { other, word, punctuation, space };

constexpr std::array<AnswerByte, 128> kAnswerBytes = [] {
  std::array<AnswerByte, 128> bytes{};
  for (char32_t c = 0; c < bytes.size(); ++c) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_word) bytes[c] = AnswerByte::word;
    if (is_ascii_punctuation(c)) bytes[c] = AnswerByte::punctuation;
    if (is_ascii_python_space(c)) bytes[c] = AnswerByte::space;
  }
  return bytes;
}();

// The same for ASCII, in one pass. What it writes is never longer than what it has read.
void normalize_ascii_answer(std::string_view text, std::string& normalized) {
  normalized.resize(text.size());
  char* const begin = normalized.data();
  char *word = begin, *end = begin;
  const auto append_blank = [&] {
    if (end > begin && end[-1] != ' ') *end++ = ' ';
  };
  const auto finish_word = [&] {
    if (!is_article({word, end})) return;
    end = word;
    append_blank();
  };
  for (const char c : text) {
    const AnswerByte kind = kAnswerBytes[static_cast<unsigned char>(c)];
    if (kind == AnswerByte::punctuation) continue;
    if (kind == AnswerByte::word) {
      *end++ = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      continue;
    }
    finish_word();
    if (kind == AnswerByte::space) {
      append_blank();
    } else {
      *end++ = c;
    }
    word = end;
  }
  finish_word();
  if (end > begin && end[-1] == ' ') --end;
  normalized.resize(static_cast<size_t>(end - begin));
}

}  // namespace

std::string normalize_answer(std::string_view text) {
  std::string normalized;
  normalize_answer(text, normalized);
  return normalized;
}

void normalize_answer(std::string_view text, std::string& normalized) {
  if (is_ascii(text)) return normalize_ascii_answer(text, normalized);
  const std::string lower = lower_case(text);
  normalized.clear();
  normalized.reserve(lower.size());
  size_t word_start = 0;
  for (size_t i = 0; i < lower.size();) {
    const size_t start = i;
    const char32_t c = decode_utf8(lower, i);
    if (is_ascii_punctuation(c)) continue;  // removed before the articles, so that "t.he" is one
    const bool in_word = is_python_word_character(c);
    if (!in_word) finish_word(normalized, word_start);
    if (is_python_space(c)) {
      append_blank(normalized);
    } else {
      normalized.append(lower, start, i - start);
    }
    if (!in_word) word_start = normalized.size();
  }
  finish_word(normalized, word_start);
  if (normalized.ends_with(' ')) normalized.pop_back();
}

std::vector<std::string_view> words_as_written(std::string_view text) {
  std::vector<std::string_view> words;
  size_t begin = 0;  // of the word at hand
  for (size_t position = 0; position < text.size();) {
    const size_t end = position;
    if (!is_python_space(decode_utf8(text, position))) continue;
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = position;
  }
  if (begin < text.size()) words.push_back(text.substr(begin));
  return words;
}

}  // namespace rubric::text
