// The ledger: every reply of a judge, a line each, written as replies come by a process that may be
// killed meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "judge/ledger/entry.h"

namespace rubric::judge {

// Whether a ledger may hold replies of several judges, to several prompts or with several
// parameters.
enum class LedgerMix { refused, allowed };

// How a ledger's file ends, and what it was.
struct LedgerEnd {
  int64_t torn_bytes = 0;       // of a last line that was not written to its end
  bool lacks_line_end = false;  // the last line is whole, but for its end
  std::string sha256;           // of all the bytes that were read
};

// Called with each entry and its line's number, from 1.
using LedgerVisitor = std::function<void(LedgerEntry entry, int64_t line)>;

// Visits the entries of a ledger; a last line that a killed process left torn is left out. Throws
// InputError for any other line that is no entry, for a prompt_hash whose text does not stand in
// the first line that has it, for two entries of the same judge, answer and attempt and, where a
// mix is refused, for entries of several judges.
LedgerEnd visit_ledger(const std::filesystem::path& file, LedgerMix mix,
                       const LedgerVisitor& visit);

struct Ledger {
  std::vector<LedgerEntry> entries;  // line i + 1 is entry i
  int64_t torn_bytes = 0;            // as LedgerEnd's
  std::string sha256;                // as LedgerEnd's
};

Ledger read_ledger(const std::filesystem::path& file, LedgerMix mix = LedgerMix::refused);

// What is wanted of a ledger that may be a mix; "" for any of them: all.
struct LedgerChoice {
  std::string judge;        // the model
  std::string prompt_hash;  // how it begins
  std::string parameters;   // an object in one line, its members in order
};

// What one judge said. Throws InputError when nothing is chosen, and when it is of several judges,
// prompts or parameters after all.
Ledger read_ledger_of(const std::filesystem::path& file, const LedgerChoice& choice);

// The entries of a ledger that count.

// What a suite counts.
enum class Judgements { verdicts, preferences };

// Of each answer, or of each pair in each order, the entry with the highest attempt, in the order
// of the first ones; of one `language` ("": of all). Throws InputError, naming `where`, for an
// entry of the other judgements, when none is of that language, and for a system with entries in
// several.
std::vector<const LedgerEntry*> last_attempts(std::span<const LedgerEntry> entries,
                                              Judgements counted, const std::string& language,
                                              const std::string& where);

}  // namespace rubric::judge
