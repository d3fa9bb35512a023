#include "metrics/meteor/paraphrase_index.h"

#include <algorithm>
#include <cstring>
#include <system_error>

#include "core/error.h"
#include "core/hash.h"
#include "core/system/log.h"

namespace rubric::metrics {
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

// The possible paths of the index: beside the table, then in the user's cache, under a name
// specific to the table.
std::vector<fs::path> places_of_index(const fs::path& table,
                                      const ParaphraseTableIdentity& identity) {
  std::vector<fs::path> places = {table.string() + ".index"};
  fs::path cache = environment("XDG_CACHE_HOME");
  if (!cache.is_absolute()) cache = fs::path(environment("HOME")) / ".cache";
  if (cache.is_absolute()) {
    places.push_back(cache / "rubric" /
                     ("paraphrases-" + std::to_string(identity.checksum) + ".index"));
  }
  return places;
}

// Opens the index file in the first place whose directory is writable.
std::unique_ptr<AtomicFile> begin_index(const std::vector<fs::path>& places, fs::path& chosen) {
  for (const fs::path& place : places) {
    std::error_code exists_or_fails;  // opening the file reports it
    if (place != places.front()) fs::create_directories(place.parent_path(), exists_or_fails);
    try {
      chosen = place;
      return std::make_unique<AtomicFile>(place);
    } catch (const Error& error) {
      log_info(error.what());
    }
  }
  throw InputError("the index of METEOR's paraphrases can be written nowhere",
                   "tried " + join({places.begin(), places.end()}),
                   "set XDG_CACHE_HOME to a writable directory");
}

// Opens the index of the table; makes it first if there is no usable one.
std::unique_ptr<MappedFile> open_index(const fs::path& table) {
  const ParaphraseTableIdentity identity = identify_paraphrase_table(table);
  const std::vector<fs::path> places = places_of_index(table, identity);
  std::string reason = "there is none yet";
  for (const fs::path& place : places) {
    std::error_code closed;  // not readable: not usable, and begin_index tries the next place
    if (!fs::exists(place, closed)) continue;
    auto file = std::make_unique<MappedFile>(place);
    const std::string fault = fault_of(file->bytes(), identity);
    if (fault.empty()) return file;
    reason = "the one there is " + fault;
  }
  fs::path index;
  const auto writer = begin_index(places, index);
  log_info("Making the index of METEOR's paraphrases, " + index.string() + " (" + reason +
           "): some seconds, once");
  make_paraphrase_index(table, *writer);
  writer->commit();
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
  nodes_of_words_.resize(words_.size());
  for (uint32_t i = first_child_[0]; i < first_child_[1]; ++i) {
    nodes_of_words_[last_word_[i]] = node(i);
  }
}

int32_t ParaphraseIndex::word(std::string_view text) const {
  const auto found = words_.find(text);
  return found == words_.end() ? -1 : found->second;
}

ParaphraseIndex::Node ParaphraseIndex::node(uint32_t index) const {
  return {first_child_[index], first_child_[index + 1], first_unit_[index], first_unit_[index + 1]};
}

uint32_t ParaphraseIndex::child(const Node& parent, int32_t word) const {
  const uint16_t* const begin = last_word_ + parent.first_child;
  const uint16_t* const end = last_word_ + parent.end_child;
  const uint16_t* const found = std::lower_bound(begin, end, word);
  return found != end && *found == word ? static_cast<uint32_t>(found - last_word_) : 0;
}

void ParaphraseIndex::find(std::span<const int32_t> words, std::vector<Found>& found) const {
  found.clear();
  if (words.empty() || words[0] < 0) return;
  Node at = nodes_of_words_[static_cast<size_t>(words[0])];
  for (size_t length = 1;; ++length) {
    if (at.first_unit < at.end_unit) {
      const uint16_t* const paraphrases = units_ + at.first_unit;
      // They are compared soon, and are not near those of the previous phrases.
      __builtin_prefetch(paraphrases);
      found.push_back({static_cast<int32_t>(length), {paraphrases, at.end_unit - at.first_unit}});
    }
    if (length == words.size() || words[length] < 0) return;
    const uint32_t next = child(at, words[length]);
    if (next == 0) return;
    at = node(next);
  }
}

uint64_t ParaphraseIndex::table_checksum() const {
  return header_of(file_->bytes()).table_checksum;
}

}  // namespace rubric::metrics
