// Packs and unpacks gzip, and unpacks files from gzipped tar archives that are not trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace rubric {

// Unpacks gzip data, several members one after another, too. Throws InputError with `where` for
// data that is damaged or truncated, and for data that unpacks to more than 256 MB and 200 times
// its size (texts are packed to a third or a tenth; deflate's best is 1,032 times).
std::string gunzip(std::string_view packed, const std::string& where);

// The same for equal bytes: the header has no time.
std::string gzip(std::string_view bytes);

// Reads the decompressed bytes of a gzip file from start to end, where it checks the checksum.
// Throws InputError with `what_to_do` for a file that is missing, not a regular file, not
// compressed, damaged or truncated.
class GzipReader {
 public:
  GzipReader(const std::filesystem::path& path, std::string what_to_do);

  // Reads `size` bytes; fewer only at the end.
  size_t read(char* into, size_t size);

  // Sets `line` to the next line with its "\n", valid until the next call; false at the end. Lines
  // have at most 16 KB.
  bool next_line(std::string_view& line);

  uint64_t packed_size() const { return packed_size_; }  // compressed size of the file in bytes
  int64_t line_number() const { return line_number_; }   // of the last line returned, from 1

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

// Unpacks the files named `wanted`, which must lie in the archive's root, into `directory` under
// the same names, with the program tar; other entries are passed over. Throws InputError naming
// `archive` when a file is missing, occurs twice or is no file, when all that the archive holds, or
// such a file, is larger than sixteen times the archive and 16 MB (more than weights can be
// compressed), and for what is damaged, truncated, or no gzipped tar archive. Throws Error where
// there is no tar.
void unpack_tar_gz(const std::filesystem::path& archive, const std::vector<std::string>& wanted,
                   const std::filesystem::path& directory);

}  // namespace rubric
