#include "eval/report/svg.h"

#include <cmath>
#include <initializer_list>
#include <utility>

#include "eval/report/html.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::string start_tag(std::string_view name,
                      std::initializer_list<std::pair<const char*, double>> numbers,
                      std::string_view style) {
  std::string tag = "<" + std::string(name);
  for (const auto& [key, value] : numbers) {
    tag += std::string(" ") + key + "=\"" + svg_number(value) + "\"";
  }
  return tag + " class=\"" + std::string(style) + "\"";
}

}  // namespace

std::string svg_number(double value) {
  std::string text = format_fixed(std::isfinite(value) ? value : 0, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view style) {
  return start_tag("line", {{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}}, style) + "/>";
}

std::string svg_rect(double x, double y, double width, double height, std::string_view style) {
  return start_tag("rect", {{"x", x}, {"y", y}, {"width", width}, {"height", height}}, style) +
         "/>";
}

std::string svg_circle(double x, double y, double radius, std::string_view style) {
  return start_tag("circle", {{"cx", x}, {"cy", y}, {"r", radius}}, style) + "/>";
}

std::string svg_text(double x, double y, std::string_view text, std::string_view style) {
  return start_tag("text", {{"x", x}, {"y", y}}, style) + ">" + escape_html(text) + "</text>";
}

std::string svg_title(std::string_view text) {
  return "<title>" + escape_html(text) + "</title>";
}

}  // namespace rubric::eval
