// SIGINT and SIGTERM as a request that a long task answers where its state is whole.
#pragma once

namespace rubric {

// From now on either of the two signals ends the program at once with exit code 75: as long as
// nothing is done yet that could be lost.
void exit_on_stop_signals();

// From now on the first of the two signals only leaves a request, and says so unless is_quiet().
// SIGTERM never does more, however often and late it comes: one request reaches a process by
// several ways, from its scheduler, from a launcher that passes it on, and from the kernel when the
// launcher is killed, and none of them may cost what is about to be saved. SIGINT is a person's:
// one that comes a second after the request or later ends the program at once; one before that is
// the same request.
void catch_stop_signals();

bool is_stop_requested();

// Throws Interrupted when a stop has been requested. Whatever takes long calls it now and then,
// where what it has done so far can be thrown away; train() catches it and saves.
void end_if_stop_requested();

}  // namespace rubric
