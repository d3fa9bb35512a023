// All files under $RUBRIC_DATA through a tokenizer, against hashes of the reference's ids.
#pragma once

#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "core/files/files.h"
#include "core/hash.h"
#include "sanitized.h"
#include "text/tokenizer_fixtures.h"

namespace rubric {

inline void append_strings(const Json& value, std::vector<std::string>& texts) {
  if (value.is_string()) {
    texts.push_back(value.string());
  } else if (value.is_array()) {
    for (const Json& item : value.array()) append_strings(item, texts);
  } else if (value.is_object()) {
    for (const auto& [key, item] : value.object()) {
      texts.push_back(key);
      append_strings(item, texts);
    }
  }
}

inline std::vector<std::string> lines_of(std::string_view bytes) {
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    lines.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return lines;
}

// What counts as a text: see "kind" in tests/fixtures/README.md.
inline std::vector<std::string> texts_of(const std::filesystem::path& path,
                                         const std::string& kind) {
  std::vector<std::string> texts;
  if (kind == "json") {
    append_strings(Json::parse_file(path), texts);
    return texts;
  }
  std::vector<std::string> lines = lines_of(read_file(path));
  if (kind == "lines") return lines;
  for (const std::string& line : lines) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    append_strings(Json::parse(line, path.string()), texts);
  }
  return texts;
}

// Turns the ids of a text back into text.
using Decode = std::function<std::string(const Ids&)>;

struct Totals {
  size_t ids = 0;
  std::string sha256;
  std::string decoded;  // the hash of the decoded texts, where there is a `decode`
};

inline Totals totals_of(const text::Tokenizer& tokenizer, const std::vector<std::string>& texts,
                        const Decode& decode) {
  std::vector<uint32_t> all;
  std::string decoded;
  for (const std::string& text : texts) {
    const Ids ids = encode(tokenizer, text);
    all.insert(all.end(), ids.begin(), ids.end());
    all.push_back(0xFFFFFFFF);
    if (decode) decoded += decode(ids) + '\xFF';
  }
  static_assert(std::endian::native == std::endian::little);  // as the reference wrote them
  std::string bytes(all.size() * sizeof(uint32_t), '\0');
  std::memcpy(bytes.data(), all.data(), bytes.size());
  return {all.size() - texts.size(), sha256(bytes), decode ? sha256(decoded) : ""};
}

// `files` says of each file how it is read, and what comes of it. With sanitizers every eighth file
// is read, others with each tokenizer. Of the texts of a file, the first of `every` many counts.
// Hashes may be short.
inline void expect_ids_of_files(const text::Tokenizer& tokenizer, const Json& files,
                                const std::filesystem::path& data, const Decode& decode = nullptr,
                                size_t every_text = 1) {
  static size_t tokenizers = 0;
  const size_t every = is_sanitized() ? 8 : 1;
  size_t compared = 0, number = tokenizers++;
  for (const auto& [file, totals] : files.object()) {
    const std::filesystem::path path = data / file;
    if (number++ % every != 0 || !std::filesystem::exists(path)) continue;
    ++compared;
    std::vector<std::string> texts;
    for (size_t i = 0; std::string & text : texts_of(path, totals.require_string("kind", file))) {
      if (i++ % every_text == 0) texts.push_back(std::move(text));
    }
    EXPECT_EQ(texts.size(), static_cast<size_t>(totals.require_integer("texts", file))) << file;
    const Totals found = totals_of(tokenizer, texts, decode);
    EXPECT_EQ(found.ids, static_cast<size_t>(totals.require_integer("ids", file))) << file;
    const auto expect_hash = [&](const char* key, const std::string& hash) {
      const std::string& expected = totals.require_string(key, file);
      EXPECT_EQ(hash.substr(0, expected.size()), expected) << key << " of " << file;
    };
    expect_hash("sha256", found.sha256);
    if (decode) expect_hash("decoded", found.decoded);
  }
  EXPECT_GT(compared, 0u) << "none of the files is under " << data;
}

}  // namespace rubric
