// SIGINT and SIGTERM as a request that a long task answers where its state is whole.
#pragma once

namespace rubric {

// From now on either of the two signals ends the program at once with exit code 75: as long as
// nothing is done yet that could be lost.
void exit_on_stop_signals();

// From now on the first of the two signals only leaves a request, and says so unless is_quiet().
// One that comes a second later or more ends the program at once; one before that is the same
// request on another way: a launcher passes on what its scheduler sends to every process.
void catch_stop_signals();

bool is_stop_requested();

// Throws Interrupted when a stop has been requested. Whatever takes long calls it now and then,
// where what it has done so far can be thrown away; train() catches it and saves.
void end_if_stop_requested();

}  // namespace rubric
