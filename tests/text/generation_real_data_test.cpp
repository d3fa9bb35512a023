// All files under $RUBRIC_DATA through the fixtures' tokenizers and back, against hashes of the
// reference's ids and decoded texts.
#include "text/generation_fixtures.h"
#include "text/real_data.h"

namespace rubric::text::generation_real_data_test {

TEST(GenerationRealData, EveryFileGivesTheIdsAndTheDecodedTextOfTheReference) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Json expected = Json::parse_file(generation_fixture("real_data.json"));
  for (const auto& [name, files] : expected.object()) {
    SCOPED_TRACE(name);
    const auto tokenizer = open_generation_tokenizer(generation_fixture(name));
    expect_ids_of_files(*tokenizer, files, data,
                        [&](const Ids& ids) { return tokenizer->decode(ids); });
  }
}

TEST(GenerationRealData, OfDecodersToo) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Json expected = Json::parse_file(decoder_fixture("real_data.json"));
  const auto every = static_cast<size_t>(expected.require_integer("every", ""));
  for (const auto& [name, files] : expected.require("tokenizers", "").object()) {
    SCOPED_TRACE(name);
    const auto tokenizer = open_generation_tokenizer(decoder_fixture(name));
    expect_ids_of_files(
        *tokenizer, files, data, [&](const Ids& ids) { return tokenizer->decode(ids); }, every);
  }
}

}  // namespace rubric::text::generation_real_data_test
