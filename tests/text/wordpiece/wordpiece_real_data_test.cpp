// All files under $RUBRIC_DATA through MiniLM's and MPNet's vocabularies, against hashes of the
// reference's ids.
#include <iostream>

#include "paths.h"
#include "text/real_data.h"
#include "text/wordpiece/wordpiece_fixture.h"

namespace rubric::text::wordpiece_real_data_test {

TEST(WordPieceRealData, EveryFileGivesTheIdsOfTheReference) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::filesystem::path minilm = minilm_folder(), mpnet = mpnet_folder();
  if (!std::filesystem::exists(minilm / "vocab.txt")) GTEST_SKIP() << "no MiniLM at " << minilm;

  const Json expected = Json::parse_file(tokenizer_fixture("real_data.json"));
  for (const auto& [name, files] : expected.object()) {
    SCOPED_TRACE(name);
    const bool is_mpnet = name == "mpnet_base";
    if (is_mpnet && !std::filesystem::exists(mpnet)) {
      std::cout << "without MPNet's vocabulary: no MPNet at " << mpnet
                << " (scripts/setup --mpnet)\n";
      continue;
    }
    const WordPiece tokenizer =
        name == "minilm_cased" ? wordpiece_of(minilm / "vocab.txt", R"({"do_lower_case": false})")
                               : WordPiece::from_directory(is_mpnet ? mpnet : minilm);
    expect_ids_of_files(tokenizer, files, data);
  }
}

}  // namespace rubric::text::wordpiece_real_data_test
