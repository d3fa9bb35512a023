#include "paths.h"

#include "core/context.h"
#include "core/system/terminal.h"

namespace rubric {

// A test program has the context of a program: messages on stderr, stop signals, files beside it.
[[maybe_unused]] const bool kHasContext = (set_program_context(terminal_context()), true);

const char* fixtures_folder() {
  return RUBRIC_SOURCE "/tests/fixtures";
}
const char* source_folder() {
  return RUBRIC_SOURCE;
}
const char* programs_folder() {
  return RUBRIC_BIN;
}
const char* minilm_folder() {
  return RUBRIC_SOURCE "/.deps/minilm";
}
const char* mpnet_folder() {
  return RUBRIC_SOURCE "/.deps/mpnet";
}
const char* fetched_folder() {
  return RUBRIC_SOURCE "/.deps";
}

}  // namespace rubric
