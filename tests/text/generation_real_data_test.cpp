// All files under $RUBRIC_DATA through the fixtures' tokenizers and back, against hashes of the
// reference's ids and decoded texts.
#include "text/generation_fixtures.h"
#include "text/real_data.h"

namespace rubric::text {
namespace {

std::string hash_of_decoded(const GenerationTokenizer& tokenizer,
                            const std::vector<std::string>& texts) {
  std::string bytes;
  for (const std::string& text : texts) bytes += tokenizer.decode(encode(tokenizer, text)) + '\xFF';
  return sha256(bytes);
}

TEST(GenerationRealData, EveryFileGivesTheIdsAndTheDecodedTextOfTheReference) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Json expected = Json::parse_file(generation_fixture("real_data.json"));
  for (const auto& [name, files] : expected.object()) {
    SCOPED_TRACE(name);
    const auto tokenizer = open_generation_tokenizer(generation_fixture(name));
    expect_ids_of_files(*tokenizer, files, data);
    for (const auto& [file, totals] : files.object()) {
      const std::filesystem::path path = std::filesystem::path(data) / file;
      if (!std::filesystem::exists(path)) continue;
      const auto texts = texts_of(path, totals.require_string("kind", file));
      EXPECT_EQ(hash_of_decoded(*tokenizer, texts), totals.require_string("decoded", file)) << file;
    }
  }
}

}  // namespace
}  // namespace rubric::text
