// For programs: messages and progress on stderr, as the commands show them, and the context that a
// program's main() sets.
#pragma once

#include <string>

#include "core/context.h"
#include "rubric/context.h"

namespace rubric {

void set_quiet(bool quiet);     // only warnings and errors from now on
bool is_quiet();                // safe in a signal handler
void set_warnings(bool shown);  // false where another process prints the same ones

// The columns of the terminal that shows the output: $COLUMNS, else those of stdout; 0 if stdout is
// no terminal.
size_t terminal_width();

// "1:02:03", or "2:03" below an hour.
std::string duration_text(double seconds);

// Prints messages as lines, and progress as a bar on a terminal, else as a line now and then.
class TerminalObserver : public Observer {
 public:
  void log(LogLevel level, const std::string& message) override;
  void progress(const ProgressUpdate& update) override;

 private:
  void clear_bar();

  std::string task_;
  double shown_at_ = 0;  // ProgressUpdate::seconds
  bool is_drawn_ = false;
};

// The context of a program: its terminal, the stop signals that it catches (core/system/signals.h),
// and what lies beside it (core/files/shipped_files.h).
Context terminal_context();

}  // namespace rubric
