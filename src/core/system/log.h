// Messages to stderr; stdout belongs to results. Plain strings only: files that include libtorch
// cannot include spdlog, whose fmt clashes with the one libtorch ships.
#pragma once

#include <string>

namespace rubric {

void set_quiet(bool quiet);     // only warnings and errors from now on
bool is_quiet();                // may be asked in a signal handler
void set_warnings(bool shown);  // false where another process gives the same ones
void log_info(const std::string& message);
void log_warning(const std::string& message);
void log_error(const std::string& message);

// True when somebody watches: a progress bar may be drawn.
bool stderr_is_terminal();

}  // namespace rubric
