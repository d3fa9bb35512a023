#include "judge/ledger/ledger_writer.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "data/rows/resumable_rows.h"

namespace rubric {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file) {
  const int error = errno;
  throw Error(std::string("the ledger cannot be written: ") + std::strerror(error), file.string(),
              write_advice(error));
}

void lock(int descriptor, const std::filesystem::path& file) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) fail(file);
  throw InputError("another process is writing this ledger", file.string(),
                   "wait for it, or write to another file");
}

}  // namespace

LedgerWriter::LedgerWriter(const std::filesystem::path& file, const LedgerJudge& judge,
                           LedgerMix mix)
    : prompt_(judge.prompt), file_(file) {
  require_resumable(file);
  descriptor_.value = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_.value < 0) fail(file_);
  lock(descriptor_.value, file_);
  before_ = read_recorded(file, judge, mix);
  has_prompt_ = prompt_.empty() || before_.prompts.contains(sha256(prompt_));
  const LedgerEnd& end = before_.end;
  const off_t size = lseek(descriptor_.value, 0, SEEK_END) - end.torn_bytes;
  if (end.torn_bytes > 0 && ftruncate(descriptor_.value, size) != 0) fail(file_);
  if (lseek(descriptor_.value, size, SEEK_SET) < 0) fail(file_);
  if (end.lacks_line_end) write("\n");
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
  if (fsync(descriptor_.value) != 0) fail(file_);
  sync_directory(behind_link(file_).parent_path());
  has_unflushed_ = false;
}

void LedgerWriter::write(std::string_view bytes) {
  has_unflushed_ = true;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_.value, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(file_);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace rubric
