// Which replies of a judge's ledger count, and how they are read.
#pragma once

#include <string>

namespace rubric {

// Whose replies of a ledger; what is "" may be any, if it is the same in all. And how to read them.
struct JudgeChoice {
  std::string judge = {};        // the model
  std::string prompt_hash = {};  // how the hash of its prompt begins
  std::string parameters = {};   // a JSON object on one line, its members sorted
  // "published" or "strict", for all replies; "": each by the parser that the ledger names for it.
  std::string parser = {};
};

}  // namespace rubric
