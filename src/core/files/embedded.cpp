#include "core/files/embedded.h"

#include <algorithm>
#include <string>

#include "core/error.h"

namespace rubric {

extern const EmbeddedFile kEmbeddedFiles[];
extern const size_t kEmbeddedCount;

std::span<const EmbeddedFile> embedded_files() {
  return {kEmbeddedFiles, kEmbeddedCount};
}

std::string_view embedded_text(std::string_view path) {
  const auto found = std::ranges::find(embedded_files(), path, &EmbeddedFile::path);
  if (found == embedded_files().end()) throw Error(std::string(path) + " is not embedded");
  return found->text;
}

namespace {

// \n, \t, \\ and \xFF
void unescape(std::string& cell) {
  for (size_t at = cell.find('\\'); at < cell.size(); at = cell.find('\\', at + 1)) {
    const char escape = cell.at(at + 1);
    const bool is_byte = escape == 'x';
    const char byte = is_byte ? static_cast<char>(std::stoi(cell.substr(at + 2, 2), nullptr, 16))
                      : escape == 'n' ? '\n'
                      : escape == 't' ? '\t'
                                      : escape;
    cell.replace(at, is_byte ? 4 : 2, 1, byte);
  }
}

}  // namespace

std::vector<Cells> embedded_rows(std::string_view path, std::string_view section) {
  std::vector<Cells> rows;
  bool is_inside = false;
  for (std::string_view rest = embedded_text(path); !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.starts_with('[') && line.ends_with(']')) {
      is_inside = line.substr(1, line.size() - 2) == section;
    } else if (is_inside && !line.empty() && !line.starts_with("# ")) {
      Cells& cells = rows.emplace_back();
      for (size_t begin = 0, end = 0; end != line.npos; begin = end + 1) {
        end = line.find('\t', begin);
        std::string& cell = cells.emplace_back(line.substr(begin, end - begin));
        unescape(cell);
      }
    }
  }
  if (rows.empty()) throw Error(std::string(path) + " has no section " + std::string(section));
  return rows;
}

}  // namespace rubric
