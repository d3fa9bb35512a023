// An index of METEOR's paraphrase table in a file that is mapped into memory, and how it is made.
// Java needs ten seconds and 2 GB to read the table, 5 million phrase pairs in gzip.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/files/files.h"

namespace rubric::metrics {

// The file: this header, then
//   uint32 first_child[nodes + 1]   the phrases as a tree of words, breadth first; node 0 is the
//                                   empty phrase, the children of a node go up by word
//   uint32 first_unit[nodes + 1]    where the paraphrases of the phrase that ends there begin
//   uint16 last_word[nodes]
//   uint16 units[units]             the paraphrases in the table's order: for each the number of
//                                   its words, then the words
//   char text[text_bytes]           the words by number, each ended by '\n'
// in this machine's byte order. The checksum detects damage, but not a malicious file; the same
// holds for token stores.
struct ParaphraseIndexHeader {
  char magic[8];
  uint32_t version, nodes, units, text_bytes;
  uint64_t table_bytes;     // size of the table's file in bytes
  uint64_t table_checksum;  // its last 8 bytes: gzip's CRC-32 and length of the content
  char checksum[64];        // SHA-256 of the bytes after the header, hexadecimal
};

// The maximum words of a phrase, and the maximum distinct words of a table.
inline constexpr size_t kLongestPhrase = 64;
inline constexpr size_t kMostParaphraseWords = 65536;

class ParaphraseIndex {
 public:
  // Opens the index of a table, a gzip file in which an entry is a line with its probability (which
  // METEOR does not use), a line with the phrase, and a line with the paraphrase. The index is
  // TABLE.index or, if that directory is not writable, a file in the user's cache
  // ($XDG_CACHE_HOME/rubric, else ~/.cache/rubric). It is made, in some seconds, when it is
  // missing, damaged or of another table. Throws InputError when the table is missing or damaged,
  // and when the index can be written to neither place.
  explicit ParaphraseIndex(const std::filesystem::path& table);

  int32_t word(std::string_view text) const;  // number of the word; -1: not in the table

  // The paraphrases of a phrase of `length` words: for each the number of its words, then the
  // words.
  struct Found {
    int32_t length;
    std::span<const uint16_t> paraphrases;
  };
  // Finds every phrase with paraphrases that is a prefix of `words` (numbers), shortest first.
  void find(std::span<const int32_t> words, std::vector<Found>& found) const;

  size_t word_count() const { return words_.size(); }
  uint64_t table_checksum() const;

 private:
  // A phrase in the tree: the ranges of its children and its paraphrases.
  struct Node {
    uint32_t first_child = 0, end_child = 0, first_unit = 0, end_unit = 0;
  };
  Node node(uint32_t index) const;
  uint32_t child(const Node& parent, int32_t word) const;  // index of the child; 0: none

  std::unique_ptr<MappedFile> file_;
  const uint32_t *first_child_, *first_unit_;
  const uint16_t *last_word_, *units_;
  std::unordered_map<std::string_view, uint16_t> words_;
  std::vector<Node> nodes_of_words_;  // phrases of one word, by word number; empty: none
};

// Identifies a table without reading all of it.
struct ParaphraseTableIdentity {
  uint64_t bytes = 0, checksum = 0;  // as in ParaphraseIndexHeader
};
ParaphraseTableIdentity identify_paraphrase_table(const std::filesystem::path& table);

ParaphraseIndexHeader new_paraphrase_index_header();  // with magic and version set

// Reads the whole table and writes its index; the caller commits the file.
void make_paraphrase_index(const std::filesystem::path& table, AtomicFile& index);

}  // namespace rubric::metrics
