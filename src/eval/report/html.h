// The template of every page: HTML elements, and the page that has the style for light, dark,
// phones and print and the script that sorts tables and shows the rows behind points.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "eval/report/table.h"

namespace rubric::eval {

inline constexpr size_t kMostPageBytes = 1'500'000;

// Escapes text for HTML, in elements and quoted attributes; invalid UTF-8 is repaired.
std::string escape_html(std::string_view text);

// A text of at most `most_bytes`, or its beginning and how many bytes follow.
std::string cut_text(std::string_view text, size_t most_bytes);

// JSON without what ends a script element, or a line of JavaScript (U+2028 and U+2029).
std::string script_json(const Json& json);

// Very long text is cut.
std::string html_paragraph(std::string_view text, std::string_view style = "");

// The table with its notes below; scrolls inside itself when it is larger than the page. Cells with
// intervals also draw them, on a scale of their column, and say n where the pointer is. A table
// with long texts wraps them, and on a phone each row is a card. Rows and notes that would make the
// element larger than `most_bytes` are counted instead.
std::string html_table(const Table& table, size_t most_bytes = kMostPageBytes / 2);

// A table of texts to read and fill in: cells wrap, and on a phone each row is a card. Cut
// likewise.
std::string html_reading_table(const Table& table, size_t most_bytes = kMostPageBytes / 2);

// A whole page that needs no other file and no network. `body` is HTML. Its Content-Security-Policy
// allows its own style and script only.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace rubric::eval
