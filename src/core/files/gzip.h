// Files packed by gzip.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

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

}  // namespace rubric
