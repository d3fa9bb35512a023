#include "judge/ledger/writer.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/text/utf8.h"
#include "data/rows/resumable_rows.h"
#include "judge/ledger/entry.h"
#include "judge/verdicts/reply.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::judge {

namespace {

std::string or_unknown(const std::string& text) {
  return text.empty() ? "unknown" : text;
}

// Describes the first difference: "the judge A there, B now".
std::string difference(const EntryJudge& there, const EntryJudge& now) {
  constexpr size_t kShown = 12;
  const auto differ = [](const char* what, const std::string& a, const std::string& b) {
    return std::string(what) + ": " + or_unknown(a) + " there, " + or_unknown(b) + " now";
  };
  if (there.judge != now.judge) return differ("another judge", there.judge, now.judge);
  if (there.prompt_hash == now.prompt_hash) {
    return differ("other parameters", there.parameters, now.parameters);
  }
  return differ("another prompt", there.prompt_hash.substr(0, kShown),
                now.prompt_hash.substr(0, kShown));
}

InputError another_judgement(const LedgerEntry& entry, const RecordedJudgement& there,
                             const std::filesystem::path& file) {
  return InputError("the ledger holds another judgement of id " + json_quote(entry.answer.id) +
                        " of " + entry.answer.source,
                    file.string() + ":" + std::to_string(there.line),
                    "give another --system-name, or another ledger");
}

const RecordedJudgement* find(const RecordedJudgements& recorded, const LedgerEntry& entry) {
  const auto found = recorded.judgements.find(judged_answer(entry));
  return found == recorded.judgements.end() ? nullptr : &found->second;
}

// Throws if the same request is recorded with another language: correcting a language must not be
// paid for again.
void require_new(const LedgerEntry& entry, const RecordedJudgements& recorded) {
  const auto found = recorded.keys.find(entry.key);
  if (found == recorded.keys.end()) return;
  const auto& [system, language, id, order] = found->second;
  const bool is_other = system != entry.answer.source || id != entry.answer.id;
  // The requests of a pair of equal answers are the same in both orders.
  if (is_other || order != entry.order) return;
  throw InputError("the ledger has a reply to the same request of id " + json_quote(id) + " of " +
                       system + ", under the language " + language,
                   recorded.file.string(),
                   "give that language, put the right one into the ledger's lines, or name another "
                   "ledger");
}

constexpr const char* kCannotWrite = "the ledger cannot be written";

void lock(int descriptor, const std::filesystem::path& file) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) throw_write_error(kCannotWrite, file);
  throw InputError("another process is writing this ledger", file.string(),
                   "wait for it, or write to another file");
}

}  // namespace

RecordedJudgements read_recorded(const std::filesystem::path& file, const LedgerJudge& judge,
                                 LedgerMix mix, VerdictParser parser) {
  const EntryJudge now = {judge.judge, judge.prompt.empty() ? "" : sha256(judge.prompt),
                          judge.parameters};
  RecordedJudgements recorded;
  recorded.file = file;
  recorded.end = visit_ledger(file, mix, [&](const LedgerEntry& entry, int64_t line) {
    if (!entry.prompt_hash.empty()) recorded.prompts.insert(entry.prompt_hash);
    const EntryJudge there = entry_judge(entry);
    if (there != now && mix == LedgerMix::refused) {
      throw InputError("the ledger was written with " + difference(there, now), file.string(),
                       "name another file, or ask for --mixed");
    }
    if (there != now) return;
    recorded.keys.emplace(entry.key, judged_answer(entry));
    RecordedJudgement& last = recorded.judgements[judged_answer(entry)];
    if (last.attempt > entry.attempt) return;
    last = {entry.key,
            sha256(to_json(entry).dump()),
            line,
            entry.attempt,
            holds_verdict(entry, parser),
            is_truncated(entry) || ends_in_thinking(entry.reply)};
    if (!last.is_valid) recorded.unread_reply = entry.reply;
  });
  return recorded;
}

std::vector<LedgerEntry> unrecorded(std::vector<LedgerEntry> entries,
                                    const RecordedJudgements& recorded) {
  std::erase_if(entries, [&](const LedgerEntry& entry) {
    const RecordedJudgement* const there = find(recorded, entry);
    if (there == nullptr) return false;
    if (there->line_hash == sha256(to_json(entry).dump())) return true;
    throw another_judgement(entry, *there, recorded.file);
  });
  return entries;
}

std::vector<LedgerEntry> unjudged(std::vector<LedgerEntry> entries,
                                  const RecordedJudgements& recorded, int64_t attempts) {
  std::erase_if(entries, [&](LedgerEntry& entry) {
    const RecordedJudgement* const there = find(recorded, entry);
    if (there == nullptr) {
      require_new(entry, recorded);
      return false;
    }
    if (there->key != entry.key) throw another_judgement(entry, *there, recorded.file);
    entry.attempt = there->attempt + 1;
    return there->is_valid || there->is_cut_off || there->attempt >= attempts;
  });
  return entries;
}

LedgerWriter::LedgerWriter(const std::filesystem::path& file, const LedgerJudge& judge,
                           LedgerMix mix, VerdictParser parser)
    : prompt_(judge.prompt), file_(file), parser_(parser) {
  data::require_resumable(file);
  descriptor_.value = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_.value < 0) throw_write_error(kCannotWrite, file_);
  lock(descriptor_.value, file_);
  before_ = read_recorded(file, judge, mix, parser);
  has_prompt_ = prompt_.empty() || before_.prompts.contains(sha256(prompt_));
  const LedgerEnd& end = before_.end;
  const off_t size = lseek(descriptor_.value, 0, SEEK_END) - end.torn_bytes;
  if (end.torn_bytes > 0 && ftruncate(descriptor_.value, size) != 0)
    throw_write_error(kCannotWrite, file_);
  if (lseek(descriptor_.value, size, SEEK_SET) < 0) throw_write_error(kCannotWrite, file_);
  if (end.lacks_line_end) write("\n");
}

void LedgerWriter::append(std::span<const LedgerEntry> entries) {
  std::string lines;
  for (const LedgerEntry& entry : entries) {
    Json json = to_json(entry, parser_);
    if (!has_prompt_) json["prompt"] = prompt_;
    has_prompt_ = true;
    lines += json.dump() + "\n";
  }
  write(lines);
}

void LedgerWriter::flush() {
  if (!has_unflushed_) return;
  if (fsync(descriptor_.value) != 0) throw_write_error(kCannotWrite, file_);
  sync_directory(resolve_link(file_).parent_path());
  has_unflushed_ = false;
}

void LedgerWriter::write(std::string_view bytes) {
  has_unflushed_ = true;
  if (!write_all(descriptor_.value, bytes)) throw_write_error(kCannotWrite, file_);
}

Error no_reply_read(int64_t count, const std::string& reply, const std::filesystem::path& ledger,
                    const std::string& hint) {
  constexpr size_t kShown = 300;
  const std::string start = repair_utf8(std::string_view(reply).substr(0, kShown));
  return Error("no verdict could be read in " + counted(count, "reply", "replies") + "; one is " +
                   json_quote(start + (reply.size() > kShown ? "…" : "")),
               ledger.string(), hint);
}

void require_a_verdict(const std::vector<LedgerEntry>& entries, VerdictParser parser,
                       const std::filesystem::path& ledger) {
  const auto is_read = [&](const LedgerEntry& entry) { return holds_verdict(entry, parser); };
  if (std::ranges::any_of(entries, is_read)) return;
  throw no_reply_read(std::ssize(entries), entries.front().reply, ledger,
                      "name the column of the replies with --field reply=COLUMN, or another "
                      "reading of them with --parser");
}

ImportedReplies import_replies(std::vector<LedgerEntry> entries, LedgerWriter& writer,
                               VerdictParser parser) {
  ImportedReplies imported;
  imported.replies = std::ssize(entries);
  for (const LedgerEntry& entry : entries) {
    imported.invalid += holds_verdict(entry, parser) ? 0 : 1;
    imported.disagreements +=
        published_verdicts(entry.reply) != strict_verdicts(entry.reply) ? 1 : 0;
  }
  entries = unrecorded(std::move(entries), writer.before());
  imported.added = std::ssize(entries);
  writer.append(entries);
  writer.flush();
  return imported;
}

}  // namespace rubric::judge
