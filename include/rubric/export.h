// What a shared library of rubric shows: what is marked, and nothing else.
#pragma once

#define RUBRIC_PUBLIC __attribute__((visibility("default")))
