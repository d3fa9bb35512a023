#include "cli/watch/text_plot.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rubric::cli {
namespace {

constexpr int kDotsAcross = 2, kDotsDown = 4;  // of a character

// The bit of each dot of a Braille pattern (Unicode, U+2800), by row and column.
constexpr int kDots[kDotsDown][kDotsAcross] = {
    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

std::string braille(int dots) {
  constexpr char kContinuation = static_cast<char>(0x80);
  return {static_cast<char>(0xE2), static_cast<char>(0xA0 | dots >> 6),
          static_cast<char>(kContinuation | (dots & 0x3F))};
}

// The mean of the points of each column of dots.
std::vector<std::optional<double>> means_of(const train::CurvePoints& curve, double last,
                                            int columns) {
  std::vector<double> sums(static_cast<size_t>(columns)), counts(sums.size());
  for (const auto& [step, value] : curve) {
    const double place = last > 0 ? step / last * (columns - 1) : 0;
    const auto column = static_cast<size_t>(std::clamp(std::lround(place), 0L, columns - 1L));
    sums[column] += value;
    ++counts[column];
  }
  std::vector<std::optional<double>> means(sums.size());
  for (size_t i = 0; i < means.size(); ++i) {
    if (counts[i] > 0) means[i] = sums[i] / counts[i];
  }
  return means;
}

class Canvas {
 public:
  Canvas(int width, int height) : width_(width), height_(height), dots_(place_of(0, height)) {}

  void set(int x, int y) {
    if (x < 0 || y < 0 || x >= width_ * kDotsAcross || y >= height_ * kDotsDown) return;
    dots_[place_of(x / kDotsAcross, y / kDotsDown)] |= kDots[y % kDotsDown][x % kDotsAcross];
  }

  // A line without gaps.
  void join(int x0, int y0, int x1, int y1) {
    const int steps = std::max({1, std::abs(x1 - x0), std::abs(y1 - y0)});
    for (int i = 0; i <= steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      set(static_cast<int>(std::lround(x0 + share * (x1 - x0))),
          static_cast<int>(std::lround(y0 + share * (y1 - y0))));
    }
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (int row = 0; row < height_; ++row) {
      std::string& line = lines.emplace_back();
      for (int i = 0; i < width_; ++i) line += braille(dots_[place_of(i, row)]);
    }
    return lines;
  }

 private:
  size_t place_of(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(width_) + static_cast<size_t>(column);
  }

  int width_, height_;
  std::vector<int> dots_;
};

}  // namespace

void widen(const train::CurvePoints& curve, PlotRange& range, bool& is_empty) {
  for (const auto& [step, value] : curve) {
    range = is_empty ? PlotRange{value, value}
                     : PlotRange{std::min(range.low, value), std::max(range.high, value)};
    is_empty = false;
  }
}

std::vector<std::string> plot_lines(const train::CurvePoints& curve, double last, PlotRange range,
                                    int width, int height) {
  Canvas canvas(width, height);
  const std::vector<std::optional<double>> means = means_of(curve, last, width * kDotsAcross);
  const int lowest = height * kDotsDown - 1;
  std::optional<std::pair<int, int>> before;
  for (int x = 0; x < std::ssize(means); ++x) {
    const std::optional<double>& mean = means[static_cast<size_t>(x)];
    if (!mean) continue;
    const double span = range.high - range.low;
    const double share = span > 0 ? (*mean - range.low) / span : 0.5;
    const int y = lowest - static_cast<int>(std::lround(share * lowest));
    if (before) {
      canvas.join(before->first, before->second, x, y);
    } else {
      canvas.set(x, y);
    }
    before = {x, y};
  }
  return canvas.lines();
}

}  // namespace rubric::cli
