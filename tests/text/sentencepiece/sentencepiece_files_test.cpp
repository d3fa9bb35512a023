#include "text/sentencepiece/sentencepiece_files.h"

#include "core/files/files.h"
#include "text/generation_fixtures.h"

namespace rubric::text::sentencepiece_files_test {

// A copy of a fixture's folder, to be changed.
struct Copy : TemporaryFolder {
  explicit Copy(const std::string& name) {
    std::filesystem::copy(generation_fixture(name), path());
  }
  // The message of the error that reading it with this file ends with.
  std::string error_with(const std::string& file, const std::string& text) const {
    write(file, text);
    return input_error([&] { read_sentencepiece_directory(path()); });
  }
};

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const size_t found = text.find(old);
  EXPECT_NE(found, std::string::npos) << old;
  return found == std::string::npos ? text : text.replace(found, old.size(), by);
}

TEST(SentencePieceFiles, ExtraIdsFollowThePieces) {
  const auto extra_ids = [](const Copy& folder) {
    return read_sentencepiece_directory(folder.path()).model.pieces.count() - 334;
  };
  Copy folder("plain");
  EXPECT_EQ(extra_ids(folder), 5u);
  folder.write("tokenizer_config.json", "{}");
  EXPECT_EQ(extra_ids(folder), 100u);
  folder.write("tokenizer_config.json", R"({"extra_ids": 0})");
  EXPECT_EQ(extra_ids(folder), 0u);
}

TEST(SentencePieceFiles, ScoresOfTokenizerJsonAreRoundedAsTheReferenceRoundsThem) {
  const auto score = [](const char* name) {
    const SentencePieceModel model = read_sentencepiece_directory(generation_fixture(name)).model;
    return model.scores[static_cast<size_t>(model.pieces.find("\u2581the"))];
  };
  EXPECT_EQ(score("plain"), -3.8704395294189453);
  // As transformers saves it again, in grown_tokenizer.json.
  EXPECT_EQ(score("saved"), -3.8704395294189458);
}

TEST(SentencePieceFiles, WhatDoesNotFitIsRefused) {
  const Copy plain("plain");
  const char* const config = "tokenizer_config.json";
  expect_says(plain.error_with(config, R"({"extra_ids": -1})"), {"extra_ids is -1", config});
  expect_says(plain.error_with(config, R"({"extra_ids": 1e9})"), {"extra_ids", config});
  expect_says(plain.error_with(config, R"({"tokenizer_class": "AlbertTokenizer"})"),
              {"AlbertTokenizer", "T5's"});
  expect_says(plain.error_with(config, R"({"eos_token": null})"), {"no eos_token"});
  expect_says(plain.error_with(config, R"({"pad_token": null})"), {"no pad_token"});
  expect_says(plain.error_with(config, R"({"legacy": 1})"), {"\"legacy\""});
  plain.write(config, "{}");
  expect_says(plain.error_with("added_tokens.json", R"({"<new>": 500})"),
              {"\"<new>\" has the id 500; behind the others it is 434"});
  expect_says(plain.error_with("added_tokens.json", R"({"</s>": 3})"), {"</s>", "id 3"});
  plain.write("added_tokens.json", "{}");
  expect_says(plain.error_with("spiece.model", ""), {"spiece.model"});
}

TEST(SentencePieceFiles, ATokenizerJsonMustBelongToTheModel) {
  const Copy saved("saved");
  const char* const file = "tokenizer.json";
  const std::string whole = read_file(saved.path() / file);
  EXPECT_EQ(saved.error_with(file, whole), "accepted");
  const std::string other = replaced(whole, "\"\u2581the\",", "\"\u2581thy\",");
  expect_says(saved.error_with(file, other), {"not that of spiece.model", file});
  expect_says(saved.error_with(file, replaced(whole, "Unigram", "BPE")), {"not a Unigram model"});
  expect_says(saved.error_with(file, replaced(whole, "Strip", "StripAll")), {"StripAll"});
  expect_says(saved.error_with(file, replaced(whole, "TemplateProcessing", "ByPosition")),
              {"ByPosition", "post_processor"});
  expect_says(saved.error_with(
                  file, replaced(whole, "\"byte_fallback\": false", "\"byte_fallback\": true")),
              {"\"byte_fallback\" is true"});
  expect_says(saved.error_with(file, replaced(whole, "\"unk_id\": 2", "\"unk_id\": null")),
              {"unk_id"});
  expect_says(saved.error_with(file, replaced(whole, "\"unk_id\": 2", "\"unk_id\": 9999")),
              {"unk_id is 9999"});
  expect_says(saved.error_with(file, replaced(whole, "\"id\": 0", "\"id\": 1")), {"id"});
  expect_says(saved.error_with(file, "[]"), {file});
}

}  // namespace rubric::text::sentencepiece_files_test
