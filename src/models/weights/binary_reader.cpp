#include "models/weights/binary_reader.h"

#include <algorithm>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"

namespace rubric::models {

void copy_from_file(std::string_view part, void* destination) {
  constexpr size_t kPiece = 1 << 22;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  char* to = static_cast<char*>(destination);
  while (!part.empty()) {
    const std::string_view chunk = part.substr(0, kPiece);
    std::memcpy(to, chunk.data(), chunk.size());
    to += chunk.size();
    part.remove_prefix(chunk.size());
    // Releases the pages up to here, including the last one of the part before. They are read from
    // the file again if anyone needs them.
    const auto address = reinterpret_cast<uintptr_t>(chunk.data());
    const uintptr_t begin = address / page * page, end = (address + chunk.size()) / page * page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
}

std::string_view PickleReader::take(uint64_t count) {
  if (count > pickle_.size() - position_) fail("cut short, or a length runs past the end");
  const std::string_view bytes = pickle_.substr(position_, count);
  position_ += count;
  return bytes;
}

std::string_view PickleReader::take_line() {
  const std::string_view text =
      take(std::min(pickle_.find('\n', position_), pickle_.size()) - position_);
  take(1);
  return text;
}

uint64_t PickleReader::take_unsigned(size_t bytes) {
  return little_endian(take(bytes));
}

int64_t PickleReader::take_signed(uint64_t bytes) {
  if (bytes > 8) fail("a number of more than 64 bits");
  if (bytes == 0) return 0;
  const size_t unused = 64 - 8 * bytes;
  return static_cast<int64_t>(take_unsigned(bytes) << unused) >> unused;
}

void PickleReader::fail(const std::string& what) const {
  throw InputError(
      what, where_ + ": byte " + std::to_string(position_) + " of the pickle",
      "save model.state_dict() alone with torch.save, or convert the model to safetensors");
}

}  // namespace rubric::models
