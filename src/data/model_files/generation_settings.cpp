#include "data/model_files/generation_settings.h"

#include <utility>

#include "core/json/json.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric {

std::vector<std::string> ignored_generation_settings(const std::filesystem::path& model_directory) {
  Json config = read_optional_object(model_directory / "generation_config.json");
  if (config.is_null() || config.object().empty()) {
    config = Json::parse_file(model_directory / "config.json");
  }
  std::vector<std::string> settings;
  for (const auto& [name, usual] : {std::pair("num_beams", Json(1)),
                                    {"num_beam_groups", Json(1)},
                                    {"do_sample", Json(false)},
                                    {"max_length", Json(20)},
                                    {"max_new_tokens", Json()},
                                    {"min_length", Json(0)},
                                    {"min_new_tokens", Json(0)},
                                    {"no_repeat_ngram_size", Json(0)},
                                    {"encoder_no_repeat_ngram_size", Json(0)},
                                    {"length_penalty", Json(1)},
                                    {"repetition_penalty", Json(1)},
                                    {"encoder_repetition_penalty", Json(1)},
                                    {"exponential_decay_length_penalty", Json()},
                                    {"diversity_penalty", Json(0)},
                                    {"early_stopping", Json(false)},
                                    {"temperature", Json(1)},
                                    {"top_k", Json(50)},
                                    {"top_p", Json(1)},
                                    {"min_p", Json()},
                                    {"typical_p", Json(1)},
                                    {"suppress_tokens", Json()},
                                    {"begin_suppress_tokens", Json()},
                                    {"bad_words_ids", Json()}}) {
    const Json* const value = config.find(name);
    if (value == nullptr || value->is_null()) continue;
    const bool is_usual = value->is_number() && usual.is_number()
                              ? value->number() == usual.number()
                              : value->dump() == usual.dump();
    if (!is_usual) settings.push_back(std::string(name) + " " + value->dump());
  }
  return settings;
}

}  // namespace rubric
