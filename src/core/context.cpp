#include "core/context.h"

#include <utility>

#include "core/error.h"

namespace rubric {
namespace {

thread_local const Context* of_thread = nullptr;

// Never destroyed: threads may log while the program ends.
Context& of_program() {
  static auto* const context = new Context();
  return *context;
}

}  // namespace

const Context& current_context() {
  return of_thread != nullptr ? *of_thread : of_program();
}

ContextScope::ContextScope(Context context) : context_(std::move(context)), outer_(of_thread) {
  of_thread = &context_;
}

ContextScope::~ContextScope() {
  of_thread = outer_;
}

void set_program_context(const Context& context) {
  of_program() = context;
}

bool is_stop_requested() {
  return current_context().cancellation.is_cancelled();
}

void end_if_stop_requested() {
  if (!is_stop_requested()) return;
  throw Interrupted("stopped on request");
}

}  // namespace rubric
