// METEOR's paraphrase table as a file that is mapped into memory: the table itself, 5 million
// phrase pairs as gzip, takes Java ten seconds and 2 GB to read.
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
//   uint16 units[units]             paraphrases, in the table's order: the number of words, the
//   words char text[text_bytes]           the words by number, each ended by '\n'
// in this machine's byte order. The checksum finds damage; against a file made to attack there is
// none, as for token stores.
struct ParaphraseIndexHeader {
  char magic[8];
  uint32_t version, nodes, units, text_bytes;
  uint64_t table_bytes;     // size of the table's file
  uint64_t table_checksum;  // its last 8 bytes: gzip's CRC-32 and length of what it holds
  char checksum[64];        // SHA-256 of what follows, hexadecimal
};

// Phrases have no more words than this, and a table no more different words.
inline constexpr size_t kLongestPhrase = 64;
inline constexpr size_t kMostParaphraseWords = 65536;

class ParaphraseIndex {
 public:
  // Of a table, a gzip file: an entry is a line with its probability (which METEOR does not use),
  // the phrase, and the paraphrase. The index stands beside it, as TABLE.index, or in the user's
  // cache ($XDG_CACHE_HOME/rubric, else ~/.cache/rubric) where that folder cannot be written. It is
  // made when it is missing, damaged or another table's: some seconds, once. Throws InputError when
  // the table is missing or damaged, and when the index can be written in neither place.
  explicit ParaphraseIndex(const std::filesystem::path& table);

  int32_t word(std::string_view text) const;  // its number; -1 when the table lacks it

  // The paraphrases of a phrase of `length` words: for each the number of its words, then they.
  struct Found {
    int32_t length;
    std::span<const uint16_t> paraphrases;
  };
  // Of every phrase that `words` (numbers) begin with and that has any, the shortest first.
  void find(std::span<const int32_t> words, std::vector<Found>& found) const;

  size_t word_count() const { return words_.size(); }
  uint64_t table_checksum() const;

 private:
  // A phrase in the tree: where its children and its paraphrases begin and end.
  struct Node {
    uint32_t first_child = 0, end_child = 0, first_unit = 0, end_unit = 0;
  };
  Node node(uint32_t index) const;
  uint32_t child(const Node& parent, int32_t word) const;  // its index; 0: none

  std::unique_ptr<MappedFile> file_;
  const uint32_t *first_child_, *first_unit_;
  const uint16_t *last_word_, *units_;
  std::unordered_map<std::string_view, uint16_t> words_;
  std::vector<Node> nodes_of_words_;  // phrases of one word, by its number; empty: none
};

// METEOR's paraphrase table (paraphrase-en.gz), and how its index is made.

// What tells one table from another at no cost.
struct ParaphraseTableIdentity {
  uint64_t bytes = 0, checksum = 0;  // as in ParaphraseIndexHeader
};
ParaphraseTableIdentity identify_paraphrase_table(const std::filesystem::path& table);

ParaphraseIndexHeader new_paraphrase_index_header();  // with magic and version

// Reads the whole table, and writes its index for the caller to commit.
void make_paraphrase_index(const std::filesystem::path& table, AtomicFile& index);

}  // namespace rubric::metrics
