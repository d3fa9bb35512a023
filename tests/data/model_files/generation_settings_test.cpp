#include <gtest/gtest.h>

#include "data/model_files/model_tokens.h"
#include "temporary_folder.h"

namespace rubric::data {
namespace {

using Settings = std::vector<std::string>;

TEST(IgnoredGenerationSettings, AreThoseThatSayMoreThanTransformersDefaults) {
  const TemporaryFolder folder;
  folder.write("config.json", R"({"num_beams": 4, "no_repeat_ngram_size": 3})");
  const auto settings = [&] { return ignored_generation_settings(folder.path()); };
  // In effect as long as there is no generation_config.json.
  EXPECT_EQ(settings(), (Settings{"num_beams 4", "no_repeat_ngram_size 3"}));
  folder.write("generation_config.json", R"({"num_beams": 4, "length_penalty": 1.0, "do_sample":
      false, "early_stopping": true, "min_length": null, "eos_token_id": 2, "max_length": 142})");
  EXPECT_EQ(settings(), (Settings{"num_beams 4", "max_length 142", "early_stopping true"}));
  folder.write("generation_config.json",
               R"({"diversity_penalty": 0.5, "encoder_no_repeat_ngram_size": 2, "top_k": 50,
                   "suppress_tokens": [3], "bad_words_ids": [[4, 5]], "temperature": 0.7})");
  EXPECT_EQ(settings(),
            (Settings{"encoder_no_repeat_ngram_size 2", "diversity_penalty 0.5", "temperature 0.7",
                      "suppress_tokens [3]", "bad_words_ids [[4, 5]]"}));
}

}  // namespace
}  // namespace rubric::data
