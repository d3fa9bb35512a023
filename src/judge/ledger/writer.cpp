#include "judge/ledger/writer.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
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

std::string line_hash(LedgerEntry entry) {
  entry.parser = VerdictParser::published;
  return sha256(to_json(entry).dump());
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

// Whether the open file still has this name: another writer may have removed it (~LedgerWriter).
bool has_name(int descriptor, const std::filesystem::path& file) {
  struct stat opened = {}, named = {};
  return fstat(descriptor, &opened) == 0 && stat(file.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

RecordedJudgements read_recorded(const std::filesystem::path& file, const LedgerJudge& judge,
                                 LedgerMix mix) {
  const EntryJudge now = {judge.judge, judge.prompt.empty() ? "" : sha256(judge.prompt),
                          judge.parameters};
  RecordedJudgements recorded;
  recorded.file = file;
  recorded.end = visit_ledger(file, mix, [&](LedgerEntry entry, int64_t line) {
    entry.parser = judge.parser;
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
    last = {
        entry.key,     line_hash(entry),     line,
        entry.attempt, holds_verdict(entry), is_truncated(entry) || ends_in_thinking(entry.reply)};
    if (!last.is_valid) recorded.unread_reply = reply_sample(entry);
  });
  return recorded;
}

std::vector<LedgerEntry> unrecorded(std::vector<LedgerEntry> entries,
                                    const RecordedJudgements& recorded) {
  std::erase_if(entries, [&](const LedgerEntry& entry) {
    const RecordedJudgement* const there = find(recorded, entry);
    if (there == nullptr) return false;
    if (there->line_hash == line_hash(entry)) return true;
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
                           LedgerMix mix)
    : prompt_(judge.prompt), file_(file) {
  data::require_resumable(file);
  do {
    if (descriptor_.value >= 0) close(std::exchange(descriptor_.value, -1));
    is_created_ = !std::filesystem::exists(file);
    descriptor_.value = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_.value < 0) throw_write_error(kCannotWrite, file_);
    lock(descriptor_.value, file_);
  } while (!has_name(descriptor_.value, file_));
  before_ = read_recorded(file, judge, mix);
  has_prompt_ = prompt_.empty() || before_.prompts.contains(sha256(prompt_));
  const LedgerEnd& end = before_.end;
  const off_t size = lseek(descriptor_.value, 0, SEEK_END) - end.torn_bytes;
  if (end.torn_bytes > 0 && ftruncate(descriptor_.value, size) != 0)
    throw_write_error(kCannotWrite, file_);
  if (lseek(descriptor_.value, size, SEEK_SET) < 0) throw_write_error(kCannotWrite, file_);
  if (end.lacks_line_end) write("\n");
}

LedgerWriter::~LedgerWriter() {
  if (is_created_ && lseek(descriptor_.value, 0, SEEK_END) == 0)
    unlink(resolve_link(file_).c_str());
}

void LedgerWriter::append(std::span<const LedgerEntry> entries) {
  std::string lines;
  for (const LedgerEntry& entry : entries) {
    Json json = to_json(entry);
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

void require_a_verdict(const std::vector<LedgerEntry>& entries, const std::filesystem::path& file) {
  if (std::ranges::any_of(entries, holds_verdict)) return;
  throw Error(unread_text(std::ssize(entries), reply_sample(entries.front())), file.string(),
              "name the column of the replies with --field reply=COLUMN, or another reading of "
              "them with --parser");
}

ImportedReplies import_replies(std::vector<LedgerEntry> entries, LedgerWriter& writer) {
  ImportedReplies imported;
  imported.replies = std::ssize(entries);
  for (const LedgerEntry& entry : entries) {
    imported.invalid += holds_verdict(entry) ? 0 : 1;
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
