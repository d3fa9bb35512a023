// For programs: SIGINT and SIGTERM become a stop request, which long work answers where its state
// is consistent (end_if_stop_requested in core/context.h).
#pragma once

#include "rubric/context.h"

namespace rubric {

// From now on either signal ends the program at once with exit code 75. For programs that have done
// nothing yet that could be lost.
void exit_on_stop_signals();

// From now on the first signal only sets the stop request, and logs it unless is_quiet(). SIGTERM
// never does more, however often and late it arrives: one request reaches a process in several
// ways, from its scheduler, from a launcher that passes it on, and from the kernel when the
// launcher is killed, and what is about to be saved must survive all of them. SIGINT comes from a
// person: one that arrives a second or more after the request ends the program at once, an earlier
// one is the same request.
void catch_stop_signals();

// Cancelled by these signals.
CancellationToken stop_token();

}  // namespace rubric
