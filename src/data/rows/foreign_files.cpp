#include "data/rows/foreign_files.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/files/embedded.h"
#include "core/files/files.h"
#include "core/files/gzip.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"

namespace rubric::data {
namespace {

constexpr const char* kFromOther = "save its rows as CSV or JSON lines";

// Text may begin with a mark of UTF-8 and blanks, and HTML's letters may be capitals.
bool begins(std::string_view bytes, std::string_view magic) {
  if (bytes.starts_with(magic)) return true;
  if (!magic.starts_with('<')) return false;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  return start != bytes.npos && ascii_lower(bytes.substr(start, magic.size())) == magic;
}

// "UTF-16LE" or "UTF-16BE" of a text without a byte-order mark, most of whose characters are Latin;
// "" of any other.
std::string utf16_of(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return "";
  size_t zeros[2] = {0, 0};
  for (size_t i = 0; i < bytes.size(); ++i) zeros[i % 2] += bytes[i] == '\0' ? 1 : 0;
  const size_t characters = bytes.size() / 2;
  if (zeros[0] == 0 && zeros[1] * 2 > characters) return "UTF-16LE";
  return zeros[1] == 0 && zeros[0] * 2 > characters ? "UTF-16BE" : "";
}

InputError foreign(const std::string& name, std::string to_do, const std::string& file) {
  constexpr std::string_view kName = "FILE";
  for (size_t at = 0; (at = to_do.find(kName, at)) != std::string::npos; at += file.size()) {
    to_do.replace(at, kName.size(), file);
  }
  return InputError("the file is " + name + ", not text with rows", file, to_do);
}

}  // namespace

std::string first_bytes(const std::filesystem::path& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return "";
  std::string bytes(kFirstBytes, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), std::ssize(bytes));
  bytes.resize(static_cast<size_t>(stream.gcount()));
  if (!bytes.starts_with("\x1F\x8B")) return bytes;
  try {
    bytes.resize(kFirstBytes);
    bytes.resize(GzipReader(file, "").read(bytes.data(), kFirstBytes));
    return bytes;
  } catch (const InputError&) {
    return "";
  }
}

void refuse_foreign(std::string_view bytes, const std::string& file) {
  bytes = bytes.substr(0, kFirstBytes);
  static const std::vector<Cells> kinds = embedded_rows("data/rows/foreign_files.tsv", "kinds");
  for (const Cells& kind : kinds) {
    if (!begins(bytes, kind[0]) || bytes.find(kind[1]) == bytes.npos) continue;
    throw foreign(kind[2], kind[3], file);
  }
  if (const std::string encoding = utf16_of(bytes); !encoding.empty()) {
    throw InputError("the file is " + encoding + " without a byte-order mark", file,
                     "convert it: iconv -f " + encoding + " -t UTF-8 '" + file + "' > NEW");
  }
  constexpr size_t kHeader = 16;  // a text may have the character 0, too, but does not begin so
  const bool has_mark = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  if (!has_mark && bytes.substr(0, kHeader).find('\0') != bytes.npos) {
    throw foreign("binary", kFromOther, file);
  }
}

void require_utf8_text(std::string_view text, const std::string& file, int64_t line) {
  if (is_valid_utf8(text)) return;
  for (size_t begin = 0; begin < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (!is_valid_utf8(text.substr(begin, end - begin))) break;
    begin = end + 1;
  }
  throw InputError("not UTF-8", file + ":" + std::to_string(line),
                   "convert the file; one that Excel saved as \"CSV\" is often in WINDOWS-1252: "
                   "iconv -f WINDOWS-1252 -t UTF-8 '" +
                       file + "' > NEW");
}

void refuse_foreign_file(const std::filesystem::path& file) {
  refuse_foreign(first_bytes(file), file.string());
}

}  // namespace rubric::data
