#include <algorithm>

#include <gtest/gtest.h>

#include "data/model_files/model_tokens.h"
#include "temporary_folder.h"

namespace rubric::data::generation_settings_test {

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

TEST(IgnoredGenerationSettings, AreAllThatIsNotKnownToChangeNothing) {
  const TemporaryFolder folder;
  folder.write("config.json", R"({"guidance_scale": 3, "d_model": 16, "stop_strings": ["e"]})");
  const auto settings = [&] { return ignored_generation_settings(folder.path()); };
  EXPECT_EQ(settings(), (Settings{"stop_strings [\"e\"]", "guidance_scale 3"}));
  folder.write("generation_config.json", R"({
      "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": [2], "decoder_start_token_id": 2,
      "forced_bos_token_id": 0, "forced_eos_token_id": 2, "_from_model_config": true,
      "transformers_version": "5.24.0", "use_cache": false, "cache_implementation": "static",
      "output_scores": true, "return_dict_in_generate": true, "guidance_scale": 1.0,
      "a_new_setting": null, "stop_strings": null})");
  EXPECT_EQ(settings(), Settings());
  folder.write("generation_config.json", R"({
      "sequence_bias": [[[5], 9.0]], "guidance_scale": 3.0, "force_words_ids": [[5]],
      "stop_strings": ["e"], "forced_decoder_ids": [[1, 7]], "renormalize_logits": true,
      "eta_cutoff": 0.1, "a_new_setting": 7})");
  const Settings found = settings();
  for (const char* const expected :
       {"sequence_bias [[[5], 9.0]]", "guidance_scale 3.0", "force_words_ids [[5]]",
        "stop_strings [\"e\"]", "forced_decoder_ids [[1, 7]]", "renormalize_logits true",
        "eta_cutoff 0.1", "a_new_setting 7"}) {
    EXPECT_EQ(std::ranges::count(found, expected), 1) << expected;
  }
  EXPECT_EQ(found.size(), 8u);
}

}  // namespace rubric::data::generation_settings_test
