// A WordPiece of a vocabulary's file and a configuration, in a directory without tokenizer.json.
#pragma once

#include "core/files/files.h"
#include "text/tokenizer_fixtures.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::text {

inline WordPiece wordpiece_of(const std::filesystem::path& vocab_txt, std::string_view config) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", read_file(vocab_txt));
  folder.write("tokenizer_config.json", config);
  return WordPiece::from_directory(folder.path());
}

}  // namespace rubric::text
