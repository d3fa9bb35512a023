#include "data/model_files/gguf.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "data/model_files/model_directory.h"
#include "messages.h"
#include "models/weights/little_endian.h"
#include "paths.h"
#include "sanitized.h"

namespace rubric::data::gguf_test {

namespace fs = std::filesystem;
using models::to_little_endian;

const fs::path kLlama = fs::path(fixtures_folder()) / "gguf/llama.gguf";

Json file_of(const NamedTexts& files, std::string_view name) {
  for (const auto& [each, text] : files) {
    if (each == name) return Json::parse(text, each);
  }
  return Json();
}

// The refusal of the file with one text of it replaced by another of the same length.
std::string refusal_with(const std::string& text, const std::string& by) {
  std::string bytes = read_file(kLlama);
  bytes.replace(bytes.find(text), text.size(), by);
  const fs::path file = fs::path(testing::TempDir()) / "changed.gguf";
  std::ofstream(file, std::ios::binary) << bytes;
  return input_error([&] { gguf_model_files(GgufFile(file)); });
}

TEST(GgufFiles, ConfigIsItsOwners) {
  const Json config = file_of(gguf_model_files(GgufFile(kLlama)), "config.json");
  const std::pair<const char*, const char*> expected[] = {
      {"model_type", "\"llama\""},  {"hidden_size", "48"},
      {"num_hidden_layers", "2"},   {"num_attention_heads", "6"},
      {"num_key_value_heads", "2"}, {"head_dim", "8"},
      {"intermediate_size", "64"},  {"max_position_embeddings", "64"},
      {"rms_norm_eps", "1e-05"},    {"rope_theta", "10000"},
      {"vocab_size", "261"},        {"tie_word_embeddings", "true"},
      {"bos_token_id", "0"},        {"eos_token_id", "260"},
      {"attention_bias", "false"},  {"rope_scaling", R"({"rope_type": "linear", "factor": 2})"},
  };
  for (const auto& [key, value] : expected) {
    ASSERT_NE(config.find(key), nullptr) << key;
    EXPECT_EQ(config.find(key)->dump(), value) << key;
  }
}

TEST(GgufFiles, TokenizerIsItsOwners) {
  const NamedTexts files = gguf_model_files(GgufFile(kLlama));
  const Json tokenizer = file_of(files, "tokenizer.json");
  EXPECT_EQ(at_pointer(tokenizer, "/model/merges", "").dump(), R"(["t h", "th e", "Ġ the"])");
  EXPECT_EQ(at_pointer(tokenizer, "/model/vocab/the", "").dump(), "258");
  EXPECT_EQ(at_pointer(tokenizer, "/added_tokens/0/special", "").dump(), "true");
  EXPECT_EQ(at_pointer(tokenizer, "/added_tokens/1/special", "").dump(), "false");
  EXPECT_EQ(at_pointer(tokenizer, "/pre_tokenizer/pretokenizers/0/type", "").string(), "Digits");
  EXPECT_EQ(at_pointer(tokenizer, "/post_processor/single/0/SpecialToken/id", "").string(),
            "<|endoftext|>");
  const Json config = file_of(files, "tokenizer_config.json");
  EXPECT_EQ(config.find("eos_token")->string(), "<|im_end|>");
  EXPECT_EQ(config.find("chat_template")->string(), "{{ messages }}");
}

TEST(GgufFiles, WhatIsNotImplementedIsNamed) {
  for (const auto& [text, by, named] :
       {std::tuple("GGUF", "GGML", "no GGUF file"),
        {"smollm", "smollX", "tokenizer.ggml.pre"},
        {"llama.rope.freq_base", "llama.rope.freq_XXXX", "llama.rope.freq_XXXX"},
        {"llama", "lXama", "architecture"},
        {"gpt2", "bert", "tokenizer.ggml.model"}}) {
    SCOPED_TRACE(by);
    EXPECT_NE(refusal_with(text, by).find(named), std::string::npos) << refusal_with(text, by);
  }
}

TEST(GgufFiles, ChangedBytesAreReadOrRefused) {
  const std::string whole = read_file(kLlama);
  const fs::path file = fs::path(testing::TempDir()) / "damaged.gguf";
  for (size_t at = 0; at < 7000; at += is_sanitized() ? 35 : 7) {
    std::string changed = whole.substr(0, 20000);
    changed[at] = static_cast<char>(changed[at] ^ (at % 2 == 0 ? 0x81 : 0x03));
    changed += whole.substr(20000);
    std::ofstream(file, std::ios::binary) << changed;
    input_error([&] { gguf_model_files(GgufFile(file)); });
  }
}

// llama.cpp's default where the file does not say whether a text has a beginning: by the tokenizer.
TEST(GgufFiles, LlamasTextsHaveABeginningUnlessTheFileSaysOtherwise) {
  std::string bytes = read_file(kLlama);
  const std::string key = "tokenizer.ggml.add_bos_token";
  bytes.replace(bytes.find(key), key.size(), "tokenizer.ggml.add_bos_tokeX");
  const auto post_processor = [&](const std::string& pre) {
    std::string changed = bytes;
    changed.replace(changed.find("smollm"), 6, pre);
    // The text's length stands before it.
    changed[changed.find(pre) - 8] = static_cast<char>(pre.size());
    const fs::path file = fs::path(testing::TempDir()) / "beginning.gguf";
    std::ofstream(file, std::ios::binary) << changed;
    return file_of(gguf_model_files(GgufFile(file)), "tokenizer.json")
        .find("post_processor")
        ->dump();
  };
  EXPECT_EQ(post_processor("smollm"), "null");
  EXPECT_NE(post_processor("llama-bpe").find("<|endoftext|>"), std::string::npos);
}

// A value of another type is named, as is a setting for each layer.
TEST(GgufFiles, TypesAreChecked) {
  const auto refusal = [](const std::string& key, uint32_t type, std::string_view value) {
    std::string bytes =
        "GGUF" + to_little_endian(3, 4) + to_little_endian(0, 8) + to_little_endian(2, 8);
    const auto add = [&](const std::string& name, uint32_t of, std::string_view content) {
      bytes += to_little_endian(name.size(), 8) + name + to_little_endian(of, 4);
      bytes += content;
    };
    add("general.architecture", 8, to_little_endian(5, 8) + "llama");
    add(key, type, value);
    const fs::path file = fs::path(testing::TempDir()) / "types.gguf";
    std::ofstream(file, std::ios::binary) << bytes;
    return input_error([&] { gguf_model_files(GgufFile(file)); });
  };
  const std::string list = to_little_endian(4, 4) + to_little_endian(1, 8) + to_little_endian(2, 4);
  EXPECT_NE(refusal("llama.attention.head_count_kv", 9, list).find("is a list"), std::string::npos);
  EXPECT_NE(refusal("tokenizer.ggml.bos_token_id", 8, to_little_endian(1, 8) + "x")
                .find("tokenizer.ggml.bos_token_id"),
            std::string::npos);
}

TEST(GgufFiles, AModelDirectoryIsMadeOnce) {
  const fs::path cache = fs::path(testing::TempDir()) / "gguf-cache";
  fs::remove_all(cache);
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  const fs::path directory = find_model(kLlama.string());
  EXPECT_EQ(find_model(kLlama.string()), directory);
  EXPECT_EQ(config_place(directory), fs::canonical(kLlama).string());  // what messages name
  EXPECT_EQ(find_model(kLlama.parent_path().parent_path().string() + "/gguf/llama.gguf"),
            directory);
  EXPECT_EQ(model_files(directory).size(), 4u);
  // A folder with several files is no model.
  EXPECT_NE(input_error([&] { find_model(kLlama.parent_path().string()); }).find("several"),
            std::string::npos);
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace rubric::data::gguf_test
