// Directories that appear whole or not at all (AtomicDirectory), that detect damage to their files
// (SealedDirectory), and that are temporary (TemporaryDirectory).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rubric {

// A directory that appears whole or not at all. Its files are written into path(), a temporary
// directory beside the final place, which commit() renames. Without commit() (after an exception,
// say) nothing remains. The constructor removes what a killed process on this machine left of an
// earlier attempt.
class AtomicDirectory {
 public:
  // Throws InputError when anything other than an empty directory has this name already, or when
  // the parent is missing; Error when the parent is not writable.
  explicit AtomicDirectory(const std::filesystem::path& directory);
  ~AtomicDirectory();
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;

  const std::filesystem::path& path() const { return partial_; }
  void commit();

 private:
  std::filesystem::path directory_, partial_;
  int lock_ = -1;
};

// The file of a sealed directory that lists its other files with their size and SHA-256.
inline constexpr const char* kSeal = "DONE";

// The names of the entries of a directory, sorted. Throws Error.
std::vector<std::string> list_directory(const std::filesystem::path& folder);

// Writes DONE for these files of the directory; call it last. Throws Error naming a file that is
// missing or cannot be read.
void seal_directory(const std::filesystem::path& folder, const std::vector<std::string>& names);

// Reads the files that DONE lists and checks that they are what was sealed; ignores other files of
// the directory. Every member throws InputError when a file is not what was sealed (missing,
// different, or not a regular file), and Error when this cannot be checked (no permission, a disk
// error).
class SealedDirectory {
 public:
  explicit SealedDirectory(std::filesystem::path folder);  // reads only DONE

  std::vector<std::string> names() const;  // in order
  // Reads the whole file into memory, so that the bytes that were checked are the bytes that are
  // used.
  std::string read(const std::string& name) const;
  void require_whole() const;  // checks every file
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  struct Record {
    int64_t bytes;
    std::string sha256;
  };
  void require_size(const std::string& name, int64_t bytes) const;
  void require_hash(const std::string& name, const std::string& sha256) const;

  std::filesystem::path folder_;
  std::map<std::string, Record> records_;
};

// Where files are kept that can be made again: $XDG_CACHE_HOME/rubric, else ~/.cache/rubric; empty
// where neither is an absolute path.
std::filesystem::path user_cache();

// A new temporary directory; the destructor removes it with everything in it. Used to exchange
// files with other programs. Throws Error.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace rubric
