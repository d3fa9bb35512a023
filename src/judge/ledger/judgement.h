// What an entry of a ledger asks, and what its reply says: CHIE's four verdicts on an answer, or
// the better of two answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/ledger/entry.h"
#include "judge/verdicts/preference.h"

namespace rubric {

// What is sent. The answer's passage must be there.
std::vector<Message> entry_messages(const std::string& prompt, const LedgerEntry& entry);

// Whether the reply holds what was asked for: four verdicts, as published_verdicts() reads them, or
// a preference.
bool holds_verdict(const LedgerEntry& entry);

// The better answer of an entry that compares two: a is the candidate, whichever was shown first.
std::optional<Preference> entry_preference(const LedgerEntry& entry);

}  // namespace rubric
