// Files that are no text, such as Parquet's and Excel's: what they are, and how they become rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rubric::data {

// How many bytes of a file tell what it is.
inline constexpr size_t kFirstBytes = 4096;

// The first bytes of a regular file, at most kFirstBytes, unpacked if it is compressed by gzip; ""
// of a pipe, and of what cannot be read, which is an error of the file's reader.
std::string first_bytes(const std::filesystem::path& file);

// Throws InputError for bytes that begin a file of a known kind that is no text of rows; the
// message has the command that converts the file. `bytes`: as many as there are, up to kFirstBytes.
void refuse_foreign(std::string_view bytes, const std::string& file);

// The same for first_bytes().
void refuse_foreign_file(const std::filesystem::path& file);

// Throws InputError, with the place and the command that converts the file, for text that is not
// UTF-8; `line`: the number of its first.
void require_utf8_text(std::string_view text, const std::string& file, int64_t line = 1);

}  // namespace rubric::data
