// SVG elements as text: what the pictures of a report are made of. Coordinates are pixels in the
// picture's field, y from the top; `style` names classes of the page's style, which holds colours
// and sizes, so that a picture follows light and dark.
#pragma once

#include <string>
#include <string_view>

namespace rubric::eval {

std::string svg_number(double value);  // at most two decimals

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view style);
std::string svg_rect(double x, double y, double width, double height, std::string_view style);
std::string svg_circle(double x, double y, double radius, std::string_view style);
std::string svg_text(double x, double y, std::string_view text, std::string_view style);  // escaped
std::string svg_title(std::string_view text);  // what a pointer over its parent shows; escaped

}  // namespace rubric::eval
