#include <algorithm>
#include <vector>

#include "core/text/utf8.h"
#include "eval/r4c/output.h"
#include "eval/report/svg.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

constexpr double kEdge = 8, kBoxWidth = 0.4 * kPlotWidth;  // pixels, as what follows
constexpr double kLeftBoxes = kEdge, kRightBoxes = kPlotWidth - kEdge - kBoxWidth;
constexpr double kIndent = 6;
constexpr double kLabelAt =
    0.3;  // position of the label along a line; few other lines are near its start
constexpr size_t kLineLength = 27;  // characters that a box holds
// Here a line of text is 1 high, and in the picture:
constexpr double kPadding = 0.4, kGap = 0.6;
constexpr double kLineHeight = 14;

struct Box {
  std::vector<std::string> lines;
  double top = 0;

  double height() const { return static_cast<double>(lines.size()) + 2 * kPadding; }
  double bottom() const { return top + height(); }
  double middle() const { return top + height() / 2; }
};

// Breaks the text into lines at blanks, and within words longer than a line.
std::vector<std::string> wrap(const std::string& text) {
  const std::u32string characters = decode_utf8(text);
  std::u32string_view rest = characters;
  std::vector<std::string> lines;
  do {
    size_t end = rest.size();
    if (end > kLineLength) {
      const size_t blank = rest.rfind(U' ', kLineLength);
      end = blank == rest.npos || blank == 0 ? kLineLength : blank;
    }
    lines.push_back(encode_utf8(rest.substr(0, end)));
    rest.remove_prefix(std::min(rest.find_first_not_of(U' ', end), rest.size()));
  } while (!rest.empty());
  return lines;
}

std::vector<Box> boxes_of(const data::Derivation& derivation) {
  std::vector<Box> boxes;
  double top = kGap;
  for (const data::DerivationStep& step : derivation) {
    boxes.push_back({wrap(step_text(step)), top});
    top = boxes.back().bottom() + kGap;
  }
  return boxes;
}

double bottom_of(const std::vector<Box>& boxes) {
  return boxes.empty() ? 0 : boxes.back().bottom();
}

std::string drawn(const std::vector<Box>& boxes, double left) {
  std::string elements;
  for (const Box& box : boxes) {
    elements += svg_rect(left, kLineHeight * box.top, kBoxWidth, kLineHeight * box.height(), "box");
    double baseline = box.top + kPadding + 0.78;
    for (const std::string& text : box.lines) {
      elements += svg_text(left + kIndent, kLineHeight * baseline++, text, "small");
    }
  }
  return elements;
}

// A line from the middle of one box to that of another, with the similarity near its start.
std::string drawn(const metrics::AlignedStep& pair, double from, double to) {
  const std::string similarity = format_fixed(pair.similarity, 3);
  const double start = kLeftBoxes + kBoxWidth, x = start + kLabelAt * (kRightBoxes - start),
               y = kLineHeight * (from + kLabelAt * (to - from));
  return "<g class=\"point s0\">" +
         svg_title("step " + std::to_string(pair.candidate + 1) + " and step " +
                   std::to_string(pair.reference + 1) + " of the reference: similarity " +
                   similarity) +
         svg_line(start, kLineHeight * from, kRightBoxes, kLineHeight * to, "line") +
         svg_text(x, y + 4, similarity, "small middle halo") + "</g>";
}

}  // namespace

Plot alignment_plot(const R4cQuestion& question, size_t scorer) {
  const metrics::DerivationScore& score = question.scores[scorer];
  const std::vector<Box> left = boxes_of(question.candidate),
                         right = boxes_of(question.references[score.reference]);
  const double height = std::max(bottom_of(left), bottom_of(right)) + kGap;
  Plot plot;
  plot.title = alignment_title(question, scorer);
  plot.description =
      "The derivation's steps on the left, the reference's on the right; lines join aligned steps "
      "and bear their similarity. A table of this page holds the same.";
  plot.height = static_cast<int>(kLineHeight * height);
  plot.drawing = drawn(left, kLeftBoxes) + drawn(right, kRightBoxes);
  for (const metrics::AlignedStep& pair : score.alignment) {
    plot.drawing += drawn(pair, left[pair.candidate].middle(), right[pair.reference].middle());
  }
  if (score.alignment.empty()) {
    plot.drawing += svg_text(kPlotWidth / 2.0, kLineHeight * height / 2, "–", "small middle");
  }
  return plot;
}

}  // namespace rubric::eval
