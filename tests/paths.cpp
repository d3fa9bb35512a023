#include "paths.h"

namespace rubric {

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

}  // namespace rubric
