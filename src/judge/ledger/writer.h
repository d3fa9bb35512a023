// Appends to a ledger, and finds what it holds already, so that nothing is asked or added twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/files.h"
#include "judge/ledger/ledger.h"

namespace rubric::judge {

// The judge of new entries.
struct LedgerJudge {
  std::string judge;                                // the model
  std::string prompt;                               // the text; "": unknown
  std::string parameters;                           // a JSON object on one line; "": unknown
  VerdictParser parser = VerdictParser::published;  // says which replies hold verdicts
};

// The last attempt recorded for an answer.
struct RecordedJudgement {
  std::string key;        // of the request
  std::string line_hash;  // SHA-256 of the text of to_json(entry), whatever its parser
  int64_t line = 0;       // line number, from 1
  int64_t attempt = 0;
  bool is_valid = false;    // the reply holds verdicts
  bool is_cut_off = false;  // is_truncated() or ends_in_thinking(): asking again gives the same
};

struct RecordedJudgements {
  std::filesystem::path file;
  std::map<JudgedAnswer, RecordedJudgement> judgements;  // of this judge
  // by request key, an answer of that request
  std::map<std::string, JudgedAnswer> keys;
  std::string unread_reply;  // reply_sample() of a last reply without verdicts
  // Hashes of the prompts whose text the file contains.
  std::set<std::string> prompts;
  LedgerEnd end;
};

// Replies are read by the judge's parser. Throws InputError as visit_ledger() does and, with
// LedgerMix::refused, when the ledger has another judge, prompt or parameters.
RecordedJudgements read_recorded(const std::filesystem::path& file, const LedgerJudge& judge,
                                 LedgerMix mix);

// The entries that are not recorded. Throws InputError when a different judgement of the same
// answer is recorded.
std::vector<LedgerEntry> unrecorded(std::vector<LedgerEntry> entries,
                                    const RecordedJudgements& recorded);

// The entries still to be judged, with the number of their next attempt: those without a recorded
// reply, or with fewer than `attempts` replies, none with verdicts and the last not cut off by the
// limit of its tokens or inside its thinking, as the same request would be again. Throws InputError
// when a reply to a different request about the same answer is recorded.
std::vector<LedgerEntry> unjudged(std::vector<LedgerEntry> entries,
                                  const RecordedJudgements& recorded, int64_t attempts);

// Appends to a ledger. Locks the file, and creates it if it is missing; a file that was created and
// got no reply is removed in the end.
class LedgerWriter {
 public:
  // Removes an incomplete last line. Throws InputError as read_recorded() does, and when the file
  // is a pipe, a directory, or being written by another process; Error when it is not writable.
  LedgerWriter(const std::filesystem::path& file, const LedgerJudge& judge,
               LedgerMix mix = LedgerMix::refused);
  ~LedgerWriter();
  LedgerWriter(const LedgerWriter&) = delete;
  LedgerWriter& operator=(const LedgerWriter&) = delete;

  // The content of the file when it was opened.
  const RecordedJudgements& before() const { return before_; }

  void append(std::span<const LedgerEntry> entries);  // written without buffering
  void flush();                                       // flushes to disk

 private:
  void write(std::string_view bytes);

  std::string prompt_;
  std::filesystem::path file_;
  FileDescriptor descriptor_;  // locked
  RecordedJudgements before_;
  bool is_created_ = false;  // by this writer
  bool has_prompt_ = false;  // the file contains the prompt's text
  bool has_unflushed_ = false;
};

// Replies that were recorded elsewhere.
struct ImportedReplies {
  int64_t replies = 0;
  int64_t added = 0;          // to the ledger; the others were there
  int64_t invalid = 0;        // without four verdicts
  int64_t disagreements = 0;  // replies that the strict parser reads differently
};

// Throws Error when none of the replies to be imported from `file` holds verdicts: before a ledger
// is opened, as replies of a wrong column must not be in it.
void require_a_verdict(const std::vector<LedgerEntry>& entries, const std::filesystem::path& file);

// Appends the entries that the ledger does not hold, and flushes them to disk. Throws InputError as
// unrecorded() does.
ImportedReplies import_replies(std::vector<LedgerEntry> entries, LedgerWriter& writer);

}  // namespace rubric::judge
