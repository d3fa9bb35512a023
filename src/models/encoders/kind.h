// What is known of a kind of encoders without opening one. No libtorch: the light program lists
// encoders too.
#pragma once

#include <span>
#include <string_view>

namespace rubric::models {

// The head of sequence classification that a kind was published with
// (models/encoders/classifier.h): the names of its layers and the activation behind the first.
struct ClassifierLayers {
  std::string_view dense = "pooler.dense";
  std::string_view activation = "tanh";
  const char* activation_key = nullptr;  // of config.json, where it may name another one
  std::string_view norm = "";            // behind the activation; "": none
  std::string_view output = "classifier";
};
inline constexpr ClassifierLayers kOutProjection = {.dense = "classifier.dense",
                                                    .output = "classifier.out_proj"};

struct EncoderKind {
  std::string_view name;                      // model_type of config.json: "bert"
  std::span<const std::string_view> aliases;  // other model_types that are read alike
  std::string_view title;                     // "BERT"
  std::string_view summary;                   // one line, with the source
  std::string_view tokenizer;                 // the kind of tokenizer it was published with
  std::string_view example;                   // a published model
  std::string_view prefix;  // before the names of its tensors, where a file has it: "bert."
  std::string_view word_embeddings = "embeddings.word_embeddings.weight";  // their name behind it
  // What the names of its pre-training heads begin with, besides BERT's "cls." and "lm_head.":
  // nothing is said of them.
  std::span<const std::string_view> pretraining_heads = {};
  ClassifierLayers classifier = {};
};

class ConfigFields;     // models/config_fields.h
struct EncoderFactory;  // models/encoders/encoder.h

// Reads and checks every field of config.json; reads no weights. Throws InputError naming the file
// and the field. Each kind declares and defines its own; where one is missing, linking fails.
template <const EncoderKind& kind>
EncoderFactory read_encoder(ConfigFields& fields);

}  // namespace rubric::models
