// Names that a program shares with rubric's libraries, also where it is compiled to hide its own.
#pragma once

#define RUBRIC_PUBLIC __attribute__((visibility("default")))
