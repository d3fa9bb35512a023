#include <algorithm>
#include <vector>

#include "core/text/utf8.h"
#include "eval/r4c/output.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

// In the plot's units: its width is 1, one line of text is 1 high.
constexpr double kBoxWidth = 0.41, kPadding = 0.4, kGap = 0.6;
constexpr double kRightBoxes = 1 - kBoxWidth;
constexpr double kLabelAt =
    0.3;  // position of the label along a line; few other lines are near its start
constexpr size_t kLineLength = 29;  // characters that a box holds
constexpr int kLineHeight = 14;     // pixels

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
    boxes.push_back({wrap(plot_text(step_text(step))), top});
    top = boxes.back().bottom() + kGap;
  }
  return boxes;
}

double bottom_of(const std::vector<Box>& boxes) {
  return boxes.empty() ? 0 : boxes.back().bottom();
}

std::string point(double x, double y) {
  return plot_number(x) + "," + plot_number(y);
}

void add_boxes(const std::vector<Box>& boxes, double left, std::string& labels,
               std::string& commands) {
  constexpr double kIndent = 0.012;
  for (const Box& box : boxes) {
    commands += "set object rectangle from " + point(left, box.top) + " to " +
                point(left + kBoxWidth, box.bottom()) +
                " fc rgb '#f6f8fa' fs solid border lc rgb '#57606a'\n";
    double line = box.top + kPadding + 0.5;
    for (const std::string& text : box.lines) {
      labels += plot_number(left + kIndent) + "\t" + plot_number(line++) + "\t" + text + "\n";
    }
  }
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
  std::string labels, similarities, commands;
  add_boxes(left, 0, labels, commands);
  add_boxes(right, kRightBoxes, labels, commands);
  for (const metrics::AlignedStep& pair : score.alignment) {
    const double from = left[pair.candidate].middle(), to = right[pair.reference].middle();
    commands += "set arrow from " + point(kBoxWidth, from) + " to " + point(kRightBoxes, to) +
                " nohead lw 1.5 lc rgb '#0072b2'\n";
    similarities += plot_number(kBoxWidth + kLabelAt * (kRightBoxes - kBoxWidth)) + "\t" +
                    plot_number(from + kLabelAt * (to - from)) + "\t" +
                    format_fixed(pair.similarity, 3) + "\n";
  }
  if (similarities.empty()) similarities = "0.5\t" + plot_number(height / 2) + "\t–\n";
  plot.commands = "$labels << EOD\n" + labels + "EOD\n$similarities << EOD\n" + similarities +
                  "EOD\nset xrange [0:1]\nset yrange [" + plot_number(height) +
                  ":0]\nset margins 0.5,0.5,0.2,0.2\nunset border\nunset tics\nunset grid\n"
                  "unset key\nset style textbox opaque noborder\n" +
                  commands +
                  "plot $labels using 1:2:3 with labels left font ',10', "
                  "$similarities using 1:2:3 with labels center boxed font ',10'\n";
  return plot;
}

}  // namespace rubric::eval
