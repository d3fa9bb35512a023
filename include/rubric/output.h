// How results are printed.
#pragma once

namespace rubric {

// html: the tables alone, for a notebook or a page; write_report() (rubric/result.h) writes a page.
enum class OutputFormat { text, json, markdown, csv, latex, html };

}  // namespace rubric
