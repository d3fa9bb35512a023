// All files under $RUBRIC_DATA through the fixtures' vocabulary, against hashes of the reference's
// ids.
#include "text/byte_bpe/byte_bpe.h"
#include "text/real_data.h"

namespace rubric::text::byte_bpe_real_data_test {

TEST(ByteBpeRealData, EveryFileGivesTheIdsOfTheReference) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Json expected = Json::parse_file(byte_bpe_fixture("real_data.json"));
  for (const auto& [name, files] : expected.object()) {
    SCOPED_TRACE(name);
    expect_ids_of_files(ByteBpe::from_directory(byte_bpe_fixture(name)), files, data);
  }
}

}  // namespace rubric::text::byte_bpe_real_data_test
