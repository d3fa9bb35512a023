// The context of the work on this thread (rubric/context.h). The functions of the library set it;
// folders ask for it where they log, may be stopped or look for a file, so that not every function
// needs it as a parameter.
#pragma once

#include "rubric/context.h"

namespace rubric {

// The context of the innermost ContextScope of this thread, else the program's, else an empty one.
const Context& current_context();

// Makes `context` this thread's while it lives. What starts threads gives each of them a
// scope with the context of its own.
class ContextScope {
 public:
  explicit ContextScope(Context context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  const Context context_;
  const Context* const outer_;
};

// The context of threads without a scope. For the main() of a program: a library has none.
void set_program_context(const Context& context);

bool is_stop_requested();  // whether the context's token is cancelled

// Throws Interrupted when a stop has been requested. Long tasks call it regularly where their work
// so far can be discarded; the training loop catches it and saves a checkpoint. What to do then, a
// program says (src/cli/shared/program.cpp).
void end_if_stop_requested();

}  // namespace rubric
