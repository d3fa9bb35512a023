// METEOR's data in small: tests/fixtures/meteor/data, in a folder of the test's own, since the
// index of the paraphrases is made beside them.
#pragma once

#include <filesystem>

#include "paths.h"
#include "temporary_folder.h"

namespace rubric {

class MeteorFolder {
 public:
  MeteorFolder() {
    std::filesystem::copy(std::string(fixtures_folder()) + "/meteor/data", folder_.path(),
                          std::filesystem::copy_options::recursive);
  }
  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path table() const { return path() / "data" / "paraphrase-en.gz"; }
  std::filesystem::path index() const { return path() / "data" / "paraphrase-en.gz.index"; }

 private:
  TemporaryFolder folder_;
};

}  // namespace rubric
