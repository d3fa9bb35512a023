#include "eval/report/plots.h"

#include <cstdio>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/utf8.h"
#include "core/files/work_folder.h"
#include "eval/report/html.h"

namespace rubric {
namespace {

constexpr int kWidth = 420;

bool is_gnuplot_there(const WorkFolder& folder) {
  try {
    return run_process({"gnuplot", "--version"},
                       {"/dev/null", folder.file("version"), folder.file("errors")}) == 0;
  } catch (const Error&) {
    return false;
  }
}

std::string script_of(const Plot& plot) {
  return "set encoding utf8\n"
         "set terminal svg size " +
         std::to_string(kWidth) + "," + std::to_string(plot.height) +
         " noenhanced font 'sans-serif,13' background rgb 'white'\n"
         "set datafile separator '\\t'\n"
         "set border lc rgb '#57606a'\nset grid lc rgb '#d0d7de'\n" +
         plot.commands;
}

// gnuplot's document as an element of a page: its size is its place's, its title and description
// ours, and names of foreign pages, which HTML does not need, are gone.
std::string as_element(const std::string& document, const Plot& plot) {
  const size_t body = document.find("<g id=\"gnuplot_canvas\">");
  const size_t end = document.rfind("</svg>");
  if (body == std::string::npos || end == std::string::npos) return "";
  std::string element = "<svg role=\"img\" viewBox=\"0 0 " + std::to_string(kWidth) + " " +
                        std::to_string(plot.height) + "\"><title>" + escape_html(plot.title) +
                        "</title><desc>" + escape_html(plot.description) + "</desc>" +
                        document.substr(body, end - body) + "</svg>";
  for (size_t at = 0; (at = element.find("xlink:href", at)) != std::string::npos;) {
    element.erase(at, std::string_view("xlink:").size());
  }
  return element;
}

std::string draw_svg(const Plot& plot, const WorkFolder& folder) {
  write_file(folder.file("plot"), script_of(plot));
  const int status = run_process({"gnuplot", "-d", folder.file("plot").string()},
                                 {"/dev/null", folder.file("svg"), folder.file("errors")});
  std::string element = status == 0 ? as_element(read_file(folder.file("svg")), plot) : "";
  if (element.empty()) {
    log_warning("gnuplot could not draw \"" + plot.title +
                "\": " + read_file(folder.file("errors")));
  }
  return element;
}

}  // namespace

std::string plot_text(std::string_view text) {
  std::string plain;
  for (const char c : repair_utf8(text)) {
    const bool is_control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    if (c == '\'' || c == '`') {
      plain += "’";
    } else if (c == '"') {
      plain += "”";
    } else {
      plain += is_control ? ' ' : c == '\\' ? '/' : c;
    }
  }
  return plain;
}

std::string plot_quote(std::string_view text) {
  return "'" + plot_text(text) + "'";
}

std::string plot_number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.8g", value);
  return text;
}

std::vector<Picture> draw(const std::vector<Plot>& plots) {
  std::vector<Picture> pictures;
  if (plots.empty()) return pictures;
  try {
    const WorkFolder folder;
    if (!is_gnuplot_there(folder)) {
      throw Error("gnuplot is not installed", "", "apt-get install gnuplot-nox");
    }
    for (const Plot& plot : plots) {
      std::string svg = draw_svg(plot, folder);
      if (!svg.empty()) pictures.push_back({plot.title, plot.description, std::move(svg)});
    }
  } catch (const Error& error) {  // no reason to lose what the pictures would show
    log_warning(std::string("the report has no pictures: ") + error.what());
  }
  return pictures;
}

}  // namespace rubric
