// METEOR's paraphrase table (paraphrase-en.gz), and how its index is made.
#pragma once

#include <cstdint>
#include <filesystem>

#include "metrics/meteor/paraphrase_index.h"

namespace rubric {

// What tells one table from another at no cost.
struct ParaphraseTableIdentity {
  uint64_t bytes = 0, checksum = 0;  // as in ParaphraseIndexHeader
};
ParaphraseTableIdentity identify_paraphrase_table(const std::filesystem::path& table);

ParaphraseIndexHeader new_paraphrase_index_header();  // with magic and version

// Reads the whole table, and writes its index for the caller to commit.
void make_paraphrase_index(const std::filesystem::path& table, AtomicFile& index);

}  // namespace rubric
