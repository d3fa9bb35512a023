#include "text/tokenizer.h"

#include "core/files/files.h"
#include "text/tokenizer_fixtures.h"

namespace rubric::text::tokenizer_test {

TEST(OpenTokenizer, GoesByTheFilesOfTheFolder) {
  EXPECT_EQ(open_tokenizer(tokenizer_fixture("uncased"))->cls_id(), 2);
  EXPECT_EQ(open_tokenizer(byte_bpe_fixture("files"))->cls_id(), 0);
  EXPECT_EQ(open_tokenizer(byte_bpe_fixture("json"))->cls_id(), 0);
  const TemporaryFolder folder;
  folder.write("tokenizer.json", read_file(tokenizer_fixture("tokenizer_cased.json")));
  EXPECT_EQ(open_tokenizer(folder.path())->cls_id(), 2);
}

TEST(OpenTokenizer, OtherKindsAreRefusedByName) {
  const TemporaryFolder folder;
  expect_says(input_error([&] { open_tokenizer(folder.path()); }),
              {"no tokenizer", folder.path().string()});
  folder.write("tokenizer.json", R"({"model": {"type": "WordLevel"}})");
  expect_says(input_error([&] { open_tokenizer(folder.path()); }), {"\"WordLevel\"", "Unigram"});
}

}  // namespace rubric::text::tokenizer_test
