#include "models/weights/binary_reader.h"

#include <algorithm>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace rubric {

void copy_from_file(std::string_view part, void* destination) {
  constexpr size_t kPiece = 1 << 22;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  char* to = static_cast<char*>(destination);
  while (!part.empty()) {
    const std::string_view piece = part.substr(0, kPiece);
    std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
    part.remove_prefix(piece.size());
    // The pages up to here, the one that ends the part before among them. Should anyone want them
    // they are read from the file again.
    const auto address = reinterpret_cast<uintptr_t>(piece.data());
    const uintptr_t begin = address / page * page, end = (address + piece.size()) / page * page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
}

}  // namespace rubric
