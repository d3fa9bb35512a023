#include "models/weights/torch_file.h"

#include <cstdint>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "models/weights/binary_reader.h"

namespace rubric {
namespace {

// Numbers and offsets are those of PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 to 4.3.16 and
// 4.5.3.
//
// libtorch has a reader too, but it inflates the record "version" before anyone can check the size:
// a file of 3 MB takes 18 GB. As torch.save never compresses, nothing needs inflating here.
class ZipArchive {
 public:
  ZipArchive(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::map<std::string, std::string_view> records() const {
    constexpr uint64_t kEntrySize = 46, kStored = 0;
    std::map<std::string, std::string_view> records;
    std::string_view rest = directory();
    while (!rest.empty()) {
      if (slice(rest, 0, 4) != "PK\1\2") fail("its directory is damaged");
      const uint64_t name_size = number(rest, 28, 2), extra_size = number(rest, 30, 2);
      const std::string_view path = slice(rest, kEntrySize, name_size);
      const std::string name(path.substr(path.find('/') + 1));
      if (number(rest, 10, 2) != kStored) fail("the record " + json_quote(name) + " is compressed");
      const std::string_view extra = slice(rest, kEntrySize + name_size, extra_size);
      if (!records.emplace(name, content(rest.substr(0, kEntrySize), extra)).second) {
        fail("the record " + json_quote(name) + " occurs twice");
      }
      const uint64_t whole = kEntrySize + name_size + extra_size + number(rest, 32, 2);
      rest.remove_prefix(slice(rest, 0, whole).size());
    }
    return records;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("not a zip file as torch.save writes it: " + what, file_, kFetchAgain);
  }

  std::string_view slice(std::string_view bytes, uint64_t offset, uint64_t size) const {
    if (offset > bytes.size() || size > bytes.size() - offset) fail("cut short or damaged");
    return bytes.substr(offset, size);
  }

  uint64_t number(std::string_view bytes, uint64_t offset, uint64_t size) const {
    return little_endian(slice(bytes, offset, size));
  }

  // The record that says where the directory is must end the file: torch.save writes no archive
  // comment, and without one there is nothing to search for.
  std::string_view directory() const {
    constexpr uint64_t kEndSize = 22, kLocatorSize = 20;
    const uint64_t end = bytes_.size() < kEndSize ? 0 : bytes_.size() - kEndSize;
    if (slice(bytes_, end, 4) != "PK\5\6") fail("its end is missing");
    if (end < kLocatorSize || slice(bytes_, end - kLocatorSize, 4) != "PK\6\7") {
      return slice(bytes_, number(bytes_, end + 16, 4), number(bytes_, end + 12, 4));
    }
    const uint64_t end64 = number(bytes_, end - kLocatorSize + 8, 8);
    if (slice(bytes_, end64, 4) != "PK\6\6") fail("its end is damaged");
    return slice(bytes_, number(bytes_, end64 + 48, 8), number(bytes_, end64 + 40, 8));
  }

  std::string_view content(std::string_view entry, std::string_view extra) const {
    constexpr uint64_t kLocalSize = 30, kZip64 = 1, kIn64Bits = 0xffffffff;
    uint64_t size = number(entry, 24, 4), offset = number(entry, 42, 4);
    while (!extra.empty()) {  // fields of (kind, size, content)
      const std::string_view field = slice(extra, 4, number(extra, 2, 2));
      if (number(extra, 0, 2) == kZip64) {  // uncompressed size, compressed size, offset
        uint64_t next = 0;
        if (size == kIn64Bits) size = number(field, std::exchange(next, next + 8), 8);
        if (number(entry, 20, 4) == kIn64Bits) next += 8;
        if (offset == kIn64Bits) offset = number(field, next, 8);
      }
      extra.remove_prefix(4 + field.size());
    }
    if (slice(bytes_, offset, 4) != "PK\3\4") fail("a record is damaged");
    const uint64_t names = number(bytes_, offset + 26, 2) + number(bytes_, offset + 28, 2);
    return slice(bytes_, offset + kLocalSize + names, size);
  }

  std::string_view bytes_;
  const std::string& file_;
};

}  // namespace

std::map<std::string, std::string_view> read_zip_records(std::string_view bytes,
                                                         const std::string& file) {
  return ZipArchive(bytes, file).records();
}

}  // namespace rubric
