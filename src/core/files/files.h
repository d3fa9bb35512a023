// Reads files (whole, by lines or mapped into memory) and writes files that appear whole or not at
// all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace rubric {

// Whether `path` exists. Throws InputError with `what_to_do` when this cannot be determined (a
// directory without permission, a loop of symbolic links).
bool is_there(const std::filesystem::path& path, const std::string& what_to_do);

// The sorted names of a folder's entries of one type, but for names that are no text; of a folder
// of more than 1,000 entries some. None when it cannot be read.
std::vector<std::string> names_in(const std::filesystem::path& folder,
                                  std::filesystem::file_type type);

// What to do about a path at which there is nothing: "did you mean PATH?", by the nearest name of a
// file (or of another `type`) or, where a folder of the path is missing, of a folder; or that a
// symbolic link leads nowhere. "" when nothing is near.
std::string nearest_path(const std::filesystem::path& missing,
                         std::filesystem::file_type type = std::filesystem::file_type::regular);

// Throws InputError when the file is missing, a directory, or what Git LFS leaves in its place, or
// cannot be looked at.
void require_readable_file(const std::filesystem::path& path);

// Reads the whole file, or a pipe to its end. Throws as require_readable_file() does, and
// InputError when it is unreadable.
std::string read_file(const std::filesystem::path& path);

// Reads a text file whole: unpacked if it is compressed by gzip, and as UTF-8 without a byte-order
// mark; a file of UTF-16 is known by its mark. Throws as read_file() does, and InputError for
// damaged compressed data and for broken UTF-16. UTF-8 is not checked.
std::string read_text(const std::filesystem::path& path);

// Whether the bytes of a file that is there are its text, but for a mark of UTF-8: whether it is
// neither compressed nor UTF-16. Not for pipes, whose beginning can be read only once.
bool is_plain_text(const std::filesystem::path& path);

// The path without its ".gz", if it has one, whose extension then tells what is compressed.
std::filesystem::path without_gz(std::filesystem::path path);

// Throws InputError when `path` is a pipe or a device: what is read more than once, or hashed, must
// be a file.
void require_no_pipe(const std::filesystem::path& path);

// A temporary name for writing `path` before it is renamed to `path`: partial_prefix() and random
// digits, unique among all processes and machines.
std::filesystem::path partial_path(const std::filesystem::path& path);

// The prefix of this machine's temporary names for `path`: "NAME.partial-HOST-", HOST a hash of the
// machine's name.
std::string partial_prefix(const std::filesystem::path& path);

// The target of `path` if it is a symbolic link, else `path`: what a rename must replace so that
// the link is kept.
std::filesystem::path resolve_link(const std::filesystem::path& path);

// Names for a program's own streams, whatever they lead to. They can be read or written once.
inline constexpr const char* kStandardInput = "/dev/stdin";
inline constexpr const char* kStandardOutput = "/dev/stdout";

// A file that gets its name only once it is complete: it is written at partial_path(path), and
// commit() flushes it to disk and renames it. Without commit() (after an exception, say) nothing
// remains. The constructor removes what a killed process on this machine left of an earlier
// attempt. For a symbolic link its target is replaced; a device or a pipe (/dev/stdout) is written
// directly. Throws Error when the disk is full or the directory is not writable.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void open_partial();
  void flush_buffer();
  void write_through(std::string_view bytes);

  std::filesystem::path path_, partial_;  // partial_ is empty for a device
  int descriptor_ = -1;
  std::string buffer_;
};

// Writes a whole file through an AtomicFile.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// Creates the directory and its missing parents. Throws Error.
void make_directories(const std::filesystem::path& directory);

// The advice for a message when writing fails with this errno.
std::string write_advice(int error_number);

// Throws Error: "WHAT: ", errno's message, with write_advice().
[[noreturn]] void throw_write_error(const std::string& what, const std::filesystem::path& path);

// Writes all bytes to a file descriptor; false with errno when it cannot.
bool write_all(int descriptor, std::string_view bytes);

// The unsigned integer whose bytes, at most eight, begin with the lowest.
inline uint64_t little_endian(std::string_view bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    number |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return number;
}

// Flushes a directory's entries to disk, so that a rename in it survives a crash.
void sync_directory(const std::filesystem::path& directory);

// Reads a text file line by line, without line ends ("\n" or "\r\n") and without a leading
// byte-order mark. One that is compressed, of UTF-16 or a pipe is read whole, as by read_text().
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path);  // throws as read_text does
  bool next(std::string& line);
  int64_t line_number() const { return line_number_; }  // of the last line returned, from 1
  std::string where() const;                            // "file:line"

 private:
  std::filesystem::path path_;
  std::unique_ptr<std::istream> stream_;
  int64_t line_number_ = 0;
};

// A file mapped into memory, read-only. Throws as read_file does, and for a pipe or device.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  size_t size_ = 0;
};

// Whether two names lead to the same file, which need not exist, through symbolic or hard links,
// too. False for pipes and devices, which are never replaced.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// Throws InputError with `where` unless `file` can be written later: its directory is there and
// writable, and no directory has its name. An empty path stands for no file.
void require_writable(const std::filesystem::path& file, const std::string& where);

// Throws InputError with `where` when writing `file` would replace one of `others`. An empty path
// stands for no file.
void require_replaces_none(const std::filesystem::path& file,
                           std::span<const std::filesystem::path> others, const std::string& where);

// The directory of the running program (symbolic links resolved).
std::filesystem::path program_directory();

// The program or shared library that a function is in.
std::filesystem::path file_of_code(const void* function);

// The value of an environment variable, or "" when it is not set.
std::string environment(const char* name);

// Owns a file descriptor and closes it.
struct FileDescriptor {
  int value = -1;  // -1: none

  FileDescriptor() = default;
  ~FileDescriptor() {
    if (value >= 0) close(value);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
};

// Removes the unfinished temporary files of `path` that killed processes on this machine left;
// keeps those that are still being written.
void remove_abandoned_files(const std::filesystem::path& path);

}  // namespace rubric
