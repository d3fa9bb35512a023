// SIGINT and SIGTERM as a request that a long task answers when its state is whole.
#pragma once

namespace rubric {

// From now on the two signals only set a flag; a second one ends the program at once.
void catch_stop_signals();
bool stop_requested();

}  // namespace rubric
