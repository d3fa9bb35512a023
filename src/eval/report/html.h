// What every page of ours shares.
#pragma once

#include <string>
#include <string_view>

#include "eval/report/table.h"

namespace rubric {

// Text as HTML, safe in elements and between quotes; invalid UTF-8 is repaired.
std::string escape_html(std::string_view text);

std::string html_paragraph(std::string_view text, std::string_view style = "");

// With its notes below; scrolls sideways where it is wider than the page. One with long texts wraps
// them, and on a phone each row is a card.
std::string html_table(const Table& table);

// A table of texts to be read and filled in: cells wrap, and on a phone each row is a card.
std::string html_reading_table(const Table& table);

// A whole page: inline style for light, dark and print, no script. `body` is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace rubric
