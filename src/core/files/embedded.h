// Data files that are part of the programs (src/CMakeLists.txt embeds them): page.css, usage texts,
// and lists of words, *.tsv. A list is a section of its file, "[units]" and the lines behind it,
// with cells between tabs; \n, \t and \xFF stand for a line feed, a tab and a byte, "# " begins a
// comment.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubric {

struct EmbeddedFile {
  std::string_view path, text;  // path: below src
};
std::span<const EmbeddedFile> embedded_files();
std::string_view embedded_text(std::string_view path);

using Cells = std::vector<std::string>;
std::vector<Cells> embedded_rows(std::string_view path, std::string_view section);

// A list that is read when it is first used; a row is a word, a pair of texts, or cells.
template <class Row>
class EmbeddedList {
 public:
  constexpr EmbeddedList(const char* path, const char* section) : path_(path), section_(section) {}

  const std::vector<Row>& rows() const {
    std::call_once(once_, [&] {
      for (Cells& cells : embedded_rows(path_, section_)) {
        if constexpr (std::is_same_v<Row, std::string>)
          rows_.push_back(std::move(cells.at(0)));
        else if constexpr (std::is_same_v<Row, Cells>)
          rows_.push_back(std::move(cells));
        else
          rows_.emplace_back(std::move(cells.at(0)), std::move(cells.at(1)));
      }
    });
    return rows_;
  }
  auto begin() const { return rows().begin(); }
  auto end() const { return rows().end(); }

 private:
  const char *path_, *section_;
  mutable std::once_flag once_;
  mutable std::vector<Row> rows_;
};
using WordList = EmbeddedList<std::string>;
using WordPairs = EmbeddedList<std::pair<std::string, std::string>>;

}  // namespace rubric
