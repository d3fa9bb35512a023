#include "metrics/paraphrase_index.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "metrics/paraphrase_table.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

uint64_t size_of(const ParaphraseIndexHeader& header) {
  const uint64_t nodes = header.nodes, units = header.units;
  return sizeof(header) + 2 * sizeof(uint32_t) * (nodes + 1) + sizeof(uint16_t) * (nodes + units) +
         header.text_bytes;
}

ParaphraseIndexHeader header_of(std::string_view bytes) {
  ParaphraseIndexHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

// Why the file cannot serve as the index of this table; "" when it can.
std::string fault_of(std::string_view bytes, const ParaphraseTableIdentity& table) {
  if (bytes.size() < sizeof(ParaphraseIndexHeader)) return "damaged";
  const ParaphraseIndexHeader header = header_of(bytes);
  const ParaphraseIndexHeader ours = new_paraphrase_index_header();
  if (std::memcmp(header.magic, ours.magic, sizeof(header.magic)) != 0) return "of another kind";
  if (header.version != ours.version) return "of another version";
  if (header.table_bytes != table.bytes || header.table_checksum != table.checksum) {
    return "of another table";
  }
  const std::string_view payload = bytes.substr(sizeof(header));
  if (size_of(header) != bytes.size() ||
      sha256(payload) != std::string_view(header.checksum, sizeof(header.checksum))) {
    return "damaged";
  }
  return "";
}

// The index of the table, made first where there is none that can serve.
std::unique_ptr<MappedFile> open_index(const fs::path& table) {
  const ParaphraseTableIdentity identity = identify_paraphrase_table(table);
  const fs::path index = table.string() + ".index";
  std::string reason = "there is none yet";
  if (is_there(index, "correct its folder")) {
    auto file = std::make_unique<MappedFile>(index);
    const std::string fault = fault_of(file->bytes(), identity);
    if (fault.empty()) return file;
    reason = "the one there is " + fault;
  }
  log_info("Making the index of METEOR's paraphrases, " + index.string() + " (" + reason +
           "): some seconds, once");
  make_paraphrase_index(table, index);
  auto file = std::make_unique<MappedFile>(index);
  if (const std::string fault = fault_of(file->bytes(), identity); !fault.empty()) {
    throw Error("the index just made is " + fault, index.string(), "look for a fault of the disk");
  }
  return file;
}

}  // namespace

ParaphraseIndex::ParaphraseIndex(const fs::path& table) : file_(open_index(table)) {
  const std::string_view bytes = file_->bytes();
  const ParaphraseIndexHeader header = header_of(bytes);
  const char* position = bytes.data() + sizeof(header);
  const auto take = [&position]<class T>(const T*& array, size_t count) {
    array = reinterpret_cast<const T*>(position);
    position += count * sizeof(T);
  };
  take(first_child_, header.nodes + 1);
  take(first_unit_, header.nodes + 1);
  take(last_word_, header.nodes);
  take(units_, header.units);
  std::string_view text(position, header.text_bytes);
  while (!text.empty()) {
    const size_t end = text.find('\n');
    words_.emplace(text.substr(0, end), static_cast<uint16_t>(words_.size()));
    text.remove_prefix(end + 1);
  }
  nodes_of_words_.assign(words_.size(), 0);
  for (uint32_t node = first_child_[0]; node < first_child_[1]; ++node) {
    nodes_of_words_[last_word_[node]] = node;
  }
}

int32_t ParaphraseIndex::word(std::string_view text) const {
  const auto found = words_.find(text);
  return found == words_.end() ? -1 : found->second;
}

uint32_t ParaphraseIndex::child(uint32_t node, int32_t word) const {
  const uint16_t* const begin = last_word_ + first_child_[node];
  const uint16_t* const end = last_word_ + first_child_[node + 1];
  const uint16_t* const found = std::lower_bound(begin, end, word);
  return found != end && *found == word ? static_cast<uint32_t>(found - last_word_) : 0;
}

void ParaphraseIndex::find(std::span<const int32_t> words, std::vector<Found>& found) const {
  found.clear();
  uint32_t node = 0;
  for (size_t i = 0; i < words.size() && words[i] >= 0; ++i) {
    node = i == 0 ? nodes_of_words_[static_cast<size_t>(words[i])] : child(node, words[i]);
    if (node == 0) return;
    const uint32_t begin = first_unit_[node], end = first_unit_[node + 1];
    if (begin < end) found.push_back({static_cast<int32_t>(i + 1), {units_ + begin, end - begin}});
  }
}

uint64_t ParaphraseIndex::table_checksum() const {
  return header_of(file_->bytes()).table_checksum;
}

}  // namespace rubric
