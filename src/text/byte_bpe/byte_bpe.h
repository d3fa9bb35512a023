// Text as GPT-2 sees it before merging: bytes, cut into pieces (Radford et al. 2019, encoder.py;
// ByteLevel of `tokenizers`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rubric {

// The character under which vocabularies list a byte: itself where it is printable, else one from
// U+0100 on, such as Ġ for a blank. As UTF-8.
std::string byte_character(uint8_t byte);

// The bytes that a token of a vocabulary stands for; nothing when it has a character that is none
// of byte_character(), as tokens may have that are found in the text before it is cut.
std::optional<std::string> token_bytes(std::string_view token);

// The next piece of valid UTF-8 from `position` on, which moves behind it: what GPT-2's expression
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// matches there. Pieces leave nothing out. False at the end.
bool next_piece(std::string_view text, size_t& position, std::string_view& piece);

}  // namespace rubric
