// Files packed by gzip.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace rubric {

// The unpacked bytes of a gzip file from its begin to its end, where its checksum is compared.
// Throws InputError, with what to do about it, for a file that is missing, no plain file, not
// packed, damaged or cut short.
class GzipReader {
 public:
  GzipReader(const std::filesystem::path& path, std::string what_to_do);

  // Up to `size` bytes; fewer at the end alone.
  size_t read(char* into, size_t size);

  // The next line with its "\n", until the next call; false at the end. At most 16 KB.
  bool next_line(std::string_view& line);

  uint64_t packed_size() const { return packed_size_; }  // of the file, in bytes
  int64_t line_number() const { return line_number_; }   // of the last line given, from 1

  [[noreturn]] void fail(const std::string& what) const;  // names the file and what to do

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };
  void check() const;

  std::string path_, what_to_do_;
  uint64_t packed_size_ = 0;
  std::unique_ptr<gzFile_s, Close> file_;
  int64_t line_number_ = 0;
  std::string line_;
};

// Files out of a gzipped tar archive that nobody vouches for.

// Unpacks the files named `wanted`, which lie in the archive's root, into the folder `directory`
// under the same names. The whole archive is read and checked, the sums that gzip and tar carry
// included. Throws InputError naming `archive` when a file is missing or there twice; when any path
// is absolute or holds "..", when anything is a link or a device; when it unpacks to far more than
// weights can be packed by (sixteen times its size, and 16 MB); and when it is damaged, cut short,
// or no such archive. Error when the folder cannot be written.
void unpack_tar_gz(const std::filesystem::path& archive, const std::vector<std::string>& wanted,
                   const std::filesystem::path& directory);

}  // namespace rubric
