# Writes OUTPUT, a .cpp with build_id() and version_with_build() of include/rubric/version.h, from the
# source files under SOURCES and include/rubric beside it, and from SETTINGS, a text: libtorch's
# version, the build type and -march. Lines that begin with // and white space at the ends of lines do
# not count, except in files with a raw string, where they may be part of it.
file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${SOURCES}" "${SOURCES}/*.cpp" "${SOURCES}/*.h"
  "${SOURCES}/*.txt" "${SOURCES}/*.tsv" "${SOURCES}/*.css" "${SOURCES}/*.js" "${SOURCES}/../include/rubric/*.h"
  "${SOURCES}/../models/recipes/*.yaml")
list(FILTER files EXCLUDE REGEX "CMakeLists\\.txt$")
list(SORT files)
set(hashes "${SETTINGS}\n")
foreach(file IN LISTS files)
  file(READ "${SOURCES}/${file}" text)
  if(NOT text MATCHES "R\"[^ \n]*\\(")
    string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
    string(REGEX REPLACE "\n([ \t]*//[^\n]*\n|\n)+" "\n" text "\n${text}")
  endif()
  string(SHA256 hash "${text}")
  string(APPEND hashes "${file} ${hash}\n")
endforeach()
string(SHA256 id "${hashes}")
string(SUBSTRING "${id}" 0 12 id)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [=[
#include "rubric/version.h"

namespace rubric {

const char* build_id() {
  return "@id@";
}

std::string version_with_build() {
  return std::string(kVersion) + "+" + build_id();
}

}  // namespace rubric
]=] @ONLY)
