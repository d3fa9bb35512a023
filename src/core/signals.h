// SIGINT and SIGTERM as a request that a long task answers where its state is whole.
#pragma once

namespace rubric {

// From now on the first of the two signals only leaves a request. One that comes a second later or
// more ends the program at once; one before that is the same request on another way: a launcher
// passes on what its scheduler sends to every process.
void catch_stop_signals();

bool is_stop_requested();

// Throws Interrupted when a stop has been requested. Whatever takes long calls it now and then,
// where what it has done so far can be thrown away; train() catches it and saves.
void end_if_stop_requested();

}  // namespace rubric
