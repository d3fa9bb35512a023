// The part of judge/ledger.h that writes.
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "data/resumable_rows.h"
#include "judge/ledger.h"

namespace rubric {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file) {
  const int error = errno;
  throw Error(std::string("the ledger cannot be written: ") + std::strerror(error), file.string(),
              write_advice(error));
}

// InputError when what is there was judged by another.
void require_judge(const Ledger& ledger, const LedgerJudge& judge,
                   const std::filesystem::path& file) {
  if (ledger.entries.empty()) return;
  const std::string& earlier = ledger.entries.front().judge;
  const bool is_other_judge = earlier != judge.judge;
  if (!is_other_judge && ledger.prompt == judge.prompt) return;
  const auto hash = [](const std::string& prompt) {
    constexpr size_t kShown = 12;
    return prompt.empty() ? "unknown" : sha256(prompt).substr(0, kShown);
  };
  throw InputError(is_other_judge ? "the ledger is of another judge: " + earlier + " there, " +
                                        judge.judge + " now"
                                  : "the ledger is of another prompt: " + hash(ledger.prompt) +
                                        " there, " + hash(judge.prompt) + " now",
                   file.string(), "keep a ledger for each judge and prompt: name another file");
}

}  // namespace

LedgerWriter::LedgerWriter(const std::filesystem::path& file, LedgerJudge judge)
    : file_(file), judge_(std::move(judge)) {
  require_resumable(file);
  descriptor_.value = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_.value < 0) fail(file_);
  if (flock(descriptor_.value, LOCK_EX | LOCK_NB) != 0) {
    throw InputError("another process is writing this ledger", file.string(),
                     "wait for it, or write to another file");
  }
  ledger_ = read_ledger(file);
  require_judge(ledger_, judge_, file);
  is_empty_ = ledger_.entries.empty();
  const off_t end = lseek(descriptor_.value, 0, SEEK_END) - ledger_.torn_bytes;
  if (ledger_.torn_bytes > 0 && ftruncate(descriptor_.value, end) != 0) fail(file_);
  if (lseek(descriptor_.value, end, SEEK_SET) < 0) fail(file_);
  if (ledger_.lacks_line_end) write("\n");
}

void LedgerWriter::append(std::span<const LedgerEntry> entries) {
  std::string lines;
  for (const LedgerEntry& entry : entries) {
    Json json = to_json(entry);
    if (is_empty_ && !judge_.prompt.empty()) json["prompt"] = judge_.prompt;
    is_empty_ = false;
    lines += json.dump() + "\n";
  }
  write(lines);
}

void LedgerWriter::flush() {
  if (fsync(descriptor_.value) != 0) fail(file_);
}

void LedgerWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_.value, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(file_);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace rubric
