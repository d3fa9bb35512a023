#include "data/rationales/marked_text.h"

#include <algorithm>
#include <array>

#include "core/text/ascii.h"

namespace rubric {
namespace {

constexpr std::array<std::string_view, 6> kMarks = {"[question]",   "[choice]", "[premise]",
                                                    "[hypothesis]", "[answer]", "[rationale]"};

// The mark with which the text begins; "" where there is none.
std::string_view mark_at(std::string_view text) {
  const auto found =
      std::ranges::find_if(kMarks, [&](std::string_view mark) { return text.starts_with(mark); });
  return found == kMarks.end() ? std::string_view() : *found;
}

}  // namespace

std::vector<MarkedPart> split_at_marks(std::string_view text) {
  text = text.substr(0, text.find("<eos>"));
  std::vector<MarkedPart> parts = {{}};
  for (size_t i = 0; i < text.size();) {
    const std::string_view mark = mark_at(text.substr(i));
    if (mark.empty()) {
      parts.back().text += text[i++];
    } else {
      parts.push_back({std::string(mark), ""});
      i += mark.size();
    }
  }
  for (MarkedPart& part : parts) part.text = trim(part.text);
  return parts;
}

}  // namespace rubric
