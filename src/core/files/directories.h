// A folder that appears whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rubric {

// Its files are made in path(), beside the folder's place; commit() gives it its name. Without
// commit() (an exception, say) nothing remains; what a killed process of this machine left of an
// earlier attempt is removed when the next one begins.
class AtomicDirectory {
 public:
  // Throws InputError when something else than an empty folder has the name already, or when its
  // parent is missing; Error when the parent cannot be written.
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

// A folder that tells when it is damaged: its file DONE lists its files with size and SHA-256.

inline constexpr const char* kSeal = "DONE";

// What lies in the folder, sorted. Throws Error.
std::vector<std::string> names_in(const std::filesystem::path& folder);

// Writes DONE, last of all, for these files of the folder. Throws Error that names the one that is
// missing or cannot be read.
void seal_directory(const std::filesystem::path& folder, const std::vector<std::string>& names);

// The files that DONE lists: what is read here is what was sealed. Others in the folder are as if
// they were not there. All of it throws InputError where what is found is not what was sealed (a
// file is missing, differs, or is none), and Error where that cannot be told: the file is closed to
// this user, the disk fails.
class SealedDirectory {
 public:
  explicit SealedDirectory(std::filesystem::path folder);  // reads DONE alone

  std::vector<std::string> names() const;  // in order
  // The whole file, in memory: what was compared with DONE is what is used.
  std::string read(const std::string& name) const;
  void require_whole() const;  // compares every file
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

// Where files lie that go to another program and come from it.

// A new folder for temporary files that goes with everything in it. Throws Error.
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
