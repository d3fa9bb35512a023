#include <gtest/gtest.h>
#include <zlib.h>

#include "messages.h"
#include "metrics/meteor/meteor_folder.h"
#include "metrics/meteor/paraphrase_index.h"

namespace rubric::metrics::paraphrase_table_test {

TEST(ParaphraseTable, ManyDifferentWordsAreRefused) {
  const TemporaryFolder folder;
  const std::string table = folder.file("t.gz");
  std::string text;
  for (size_t i = 0; i < kMostParaphraseWords; ++i) text += "0.1\nw" + std::to_string(i) + "\nw0\n";
  const auto write = [&] {
    const gzFile file = gzopen(table.c_str(), "wb1");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
  };
  write();
  EXPECT_EQ(ParaphraseIndex(table).word_count(), kMostParaphraseWords);
  text += "0.1\nw0\nanother\n";
  write();
  expect_contains(input_error([&] { const ParaphraseIndex index(table); }),
                  "too many different words");
}

TEST(ParaphraseTable, IsIdentifiedByItsSizeAndEnd) {
  const MeteorFolder folder;
  const ParaphraseTableIdentity identity = identify_paraphrase_table(folder.table());
  EXPECT_EQ(identity.bytes, std::filesystem::file_size(folder.table()));
  EXPECT_NE(identity.checksum, 0u);
  expect_contains(input_error([&] { identify_paraphrase_table(folder.path() / "x.gz"); }),
                  "no such file");
}

}  // namespace rubric::metrics::paraphrase_table_test
