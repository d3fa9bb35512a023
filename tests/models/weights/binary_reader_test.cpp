#include "models/weights/binary_reader.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "temporary_folder.h"

namespace rubric::models::binary_reader_test {

// Parts that begin and end inside pages, reach over several pieces, and are read again: what was
// dropped of the file comes back.
TEST(CopyFromFile, GivesEveryPartAsOftenAsItIsRead) {
  const TemporaryFolder folder;
  std::string content;
  for (uint32_t i = 0; content.size() < (9u << 20); ++i) content += std::to_string(i);
  write_file(folder.file("weights"), content);
  const MappedFile file(folder.file("weights"));
  const std::pair<size_t, size_t> parts[] = {
      {1, 9u << 20}, {4095, 2}, {0, 0}, {8192, 4096}, {5'000'003, 4'000'001}, {1, 9u << 20}};
  for (const auto& [begin, size] : parts) {
    const std::string_view part = file.bytes().substr(begin, size);
    std::string copy(part.size() + 1, '#');
    copy_from_file(part, copy.data());
    EXPECT_EQ(copy.back(), '#');
    copy.pop_back();
    EXPECT_EQ(copy, content.substr(begin, size)) << begin << " " << size;
  }
}

}  // namespace rubric::models::binary_reader_test
