// The entries of a ledger that count.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/ledger/entry.h"

namespace rubric {

// What a suite counts.
enum class Judgements { verdicts, preferences };

// Of each answer, or of each pair in each order, the entry with the highest attempt, in the order
// of the first ones; of one `language` ("": of all). Throws InputError, naming `where`, for an
// entry of the other judgements, when none is of that language, and for a system with entries in
// several.
std::vector<const LedgerEntry*> last_attempts(std::span<const LedgerEntry> entries,
                                              Judgements counted, const std::string& language,
                                              const std::string& where);

}  // namespace rubric
