// Files in and out: whole, by lines or mapped, and writes that appear whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include <unistd.h>

namespace rubric {

// Whether there is something at `path`. Throws InputError with `what_to_do` when that cannot be
// told: in a folder closed to us, through a loop of symbolic links.
bool is_there(const std::filesystem::path& path, const std::string& what_to_do);

// The whole file; a pipe is read to its end. Throws InputError when it is missing, a folder, or
// unreadable.
std::string read_file(const std::filesystem::path& path);

// `path` with an end that no other process on any machine chooses: where it is made before it is
// renamed to `path`. The part before the random digits is partial_prefix().
std::filesystem::path partial_path(const std::filesystem::path& path);

// What the names of this machine's partial_path()s of `path` begin with: "NAME.partial-HOST-", HOST
// a hash of the machine's name.
std::string partial_prefix(const std::filesystem::path& path);

// The file that a rename to `path` must name so that what is there keeps its place: the target of a
// symbolic link, else `path` itself.
std::filesystem::path behind_link(const std::filesystem::path& path);

// A file that gets its name only once it is complete: written at partial_path(path), flushed to
// disk and renamed by commit(). Without commit() (an exception, say) nothing remains; what a killed
// process of this machine left of an earlier attempt is removed when the next one begins. Behind a
// symbolic link it is the link's target that is replaced; a device or a pipe (/dev/stdout) is
// written to at once. Throws Error when the disk is full or the folder cannot be written.
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

void write_file(const std::filesystem::path& path, std::string_view bytes);  // one AtomicFile

// The folder and those above it, where they are not there. Throws Error.
void make_directories(const std::filesystem::path& directory);

// What to do when writing fails with this errno.
std::string write_advice(int error_number);

// Flushes a folder's entries to disk, so that a rename in it survives a crash.
void sync_directory(const std::filesystem::path& directory);

// Lines of a text file one at a time, without their ends ("\n" or "\r\n") and without a leading
// byte-order mark.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path);  // throws as read_file does
  bool next(std::string& line);
  int64_t line_number() const { return line_number_; }  // of the last line given, from 1
  std::string where() const;                            // "file:line"

 private:
  std::filesystem::path path_;
  std::ifstream stream_;
  int64_t line_number_ = 0;
};

// A file's bytes mapped into memory, read-only. Throws as read_file does, and for a pipe or device.
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

// The folder of the running program (symbolic links resolved).
std::filesystem::path program_directory();

// The environment variable's value, or "" when it is not set.
std::string environment(const char* name);

// An open file of the system, closed with its owner.

struct Descriptor {
  int value = -1;  // -1: none

  Descriptor() = default;
  ~Descriptor() {
    if (value >= 0) close(value);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

// What processes that were killed have left of files that appear whole (AtomicFile).

// Removes what killed processes of this machine left of `path`; what is still being written stays.
void remove_abandoned_files(const std::filesystem::path& path);

}  // namespace rubric
