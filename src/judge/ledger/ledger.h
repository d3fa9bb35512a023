// Reads a ledger: a file with every reply of a judge, one line each, written as replies arrive,
// whose last line may be torn if the writer was killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/ledger/entry.h"
#include "rubric/judge_choice.h"

namespace rubric::judge {

// Whether a ledger may mix replies of several judges, prompts or parameters.
enum class LedgerMix { refused, allowed };

// The end of a ledger's file, and its hash.
struct LedgerEnd {
  int64_t torn_bytes = 0;       // length of an incomplete last line
  bool lacks_line_end = false;  // the last line is complete except for its line end
  std::string sha256;           // of all bytes read
};

// Called with each entry and its line number, from 1.
using LedgerVisitor = std::function<void(LedgerEntry entry, int64_t line)>;

// Visits the entries of a ledger; skips an incomplete last line, which a killed process left.
// Throws InputError for any other line that is not an entry, for a prompt_hash whose prompt is not
// in the first line that has it, for two entries with the same judge, answer and attempt and, with
// LedgerMix::refused, for entries of several judges.
LedgerEnd visit_ledger(const std::filesystem::path& file, LedgerMix mix,
                       const LedgerVisitor& visit);

struct Ledger {
  std::vector<LedgerEntry> entries;  // line i + 1 is entry i
  int64_t torn_bytes = 0;            // as in LedgerEnd
  std::string sha256;                // as in LedgerEnd
};

// "ledger:3f9a…|judge:gpt-4o|prompt:5b01…", for the signature of what is computed from the replies
// of one judge.
std::string ledger_signature(const Ledger& ledger);

Ledger read_ledger(const std::filesystem::path& file, LedgerMix mix = LedgerMix::refused);

// Reads the entries of one judge. Throws InputError when no entry matches, and when the matching
// entries have several judges, prompts or parameters.
Ledger read_ledger_of(const std::filesystem::path& file, const JudgeChoice& choice);

// The same, or the whole ledger, of one judge, if none is chosen. A chosen parser replaces that of
// every entry. Warns if its last line is incomplete.
Ledger read_chosen_ledger(const std::filesystem::path& file, const JudgeChoice& choice = {});

// The kind of judgement that a suite uses.
enum class Judgements { verdicts, preferences };

// The entry with the highest attempt for each answer, or for each pair in each order, sorted by
// first attempts; only of `language` ("": all). Throws InputError, naming `where`, for an entry of
// the other kind of judgement, when no entry has that language, and for a system with entries in
// several languages.
std::vector<const LedgerEntry*> last_attempts(std::span<const LedgerEntry> entries,
                                              Judgements counted, const std::string& language,
                                              const std::string& where);

// What the last reply about an answer says; nullopt: it cannot be read, which is no verdict.
struct LastVerdicts {
  const LedgerEntry* entry;
  std::optional<Verdicts> verdicts;
};

// Of the last attempts in all languages, each by its entry's parser. Throws InputError as
// last_attempts() does, and when no reply can be read.
std::vector<LastVerdicts> last_verdicts(const Ledger& ledger, const std::string& where);

// The note on replies that cannot be read, and what that means: "6 replies hold no verdicts
// (--parser strict reads 5 of them): WHAT"; "" if all can be.
std::string unread_note(std::span<const LastVerdicts> replies, const std::string& what);

}  // namespace rubric::judge
