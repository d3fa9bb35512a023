// Turns SIGINT and SIGTERM into a stop request, which a long task answers where its state is
// consistent.
#pragma once

namespace rubric {

// From now on either signal ends the program at once with exit code 75. For programs that have done
// nothing yet that could be lost.
void exit_on_stop_signals();

// From now on the first signal only sets the stop request, and logs it unless is_quiet(). A signal
// that arrives a second later or more ends the program at once. One that arrives earlier is ignored
// as the same request: a launcher passes on a signal that its scheduler sends to every process.
void catch_stop_signals();

bool is_stop_requested();

// Throws Interrupted when a stop has been requested. Long tasks call it regularly where their work
// so far can be discarded; train() catches it and saves a checkpoint.
void end_if_stop_requested();

}  // namespace rubric
