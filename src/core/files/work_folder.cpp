#include "core/files/work_folder.h"

#include <cstdlib>

#include "core/error.h"

namespace rubric {

namespace fs = std::filesystem;

WorkFolder::WorkFolder() {
  std::string name = (fs::temp_directory_path() / "rubric-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw Error("cannot make a temporary folder", name);
  path_ = name;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rubric
