#include "metrics/meteor/paraphrase_index.h"

#include <algorithm>
#include <cstring>
#include <system_error>

#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/gzip.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "metrics/meteor/normalizer.h"

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
  if (std::memcmp(header.magic, ours.magic, sizeof(header.magic)) != 0) return "not an index";
  if (header.version != ours.version) return "an index of another version";
  if (header.table_bytes != table.bytes || header.table_checksum != table.checksum) {
    return "the index of another table";
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
  if (const fs::path cache = user_cache(); !cache.empty()) {
    places.push_back(cache / ("paraphrases-" + std::to_string(identity.checksum) + ".index"));
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
  throw InputError("cannot write the index of METEOR's paraphrases",
                   "tried " + join({places.begin(), places.end()}),
                   "set XDG_CACHE_HOME to a writable directory");
}

// Opens the index of the table; makes it first if there is no usable one.
std::unique_ptr<MappedFile> open_index(const fs::path& table) {
  const ParaphraseTableIdentity identity = identify_paraphrase_table(table);
  const std::vector<fs::path> places = places_of_index(table, identity);
  std::string reason = "it does not exist yet";
  for (const fs::path& place : places) {
    std::error_code closed;  // not readable: not usable, and begin_index tries the next place
    if (!fs::exists(place, closed)) continue;
    auto file = std::make_unique<MappedFile>(place);
    const std::string fault = fault_of(file->bytes(), identity);
    if (fault.empty()) return file;
    reason = "the existing file is " + fault;
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

namespace {

namespace fs = std::filesystem;

constexpr const char* kInstallParaphrases = "run scripts/setup --meteor";

struct Node {
  uint32_t parent;
  uint16_t word;
};

// A paraphrase of the phrase that ends at a node; `unit` is its index in Table::units.
struct Entry {
  uint32_t node, unit;
};

// The table in memory; nodes are in order of creation.
struct Table {
  std::unordered_map<std::string, uint16_t> numbers;
  std::vector<std::string> words;
  std::vector<Node> nodes = {{0, 0}};
  std::unordered_map<uint64_t, uint32_t> children;  // by parent and word
  std::vector<Entry> entries;
  std::vector<uint16_t> units;
};

uint16_t number_of(std::string_view word, Table& table, const GzipReader& lines) {
  const auto [found, is_new] =
      table.numbers.try_emplace(std::string(word), static_cast<uint16_t>(table.words.size()));
  if (is_new) {
    if (table.words.size() == kMostParaphraseWords) lines.fail("too many different words");
    table.words.emplace_back(word);
  }
  return found->second;
}

uint32_t child_of(uint32_t parent, uint16_t word, Table& table) {
  const uint64_t key = uint64_t{parent} << 16 | word;
  const auto [found, is_new] =
      table.children.try_emplace(key, static_cast<uint32_t>(table.nodes.size()));
  if (is_new) table.nodes.push_back({parent, word});
  return found->second;
}

std::vector<std::string_view> phrase_of(std::string_view line, const GzipReader& lines) {
  std::vector<std::string_view> words = meteor_words(line);
  if (words.empty() || words.size() > kLongestPhrase) {
    lines.fail("a phrase of no word, or of more than " + std::to_string(kLongestPhrase));
  }
  return words;
}

Table read_table(const fs::path& path) {
  GzipReader lines(path, kInstallParaphrases);
  Table table;
  std::string_view line;
  while (lines.next_line(line)) {
    if (!lines.next_line(line)) lines.fail("an entry ends before its phrase");
    uint32_t node = 0;
    for (const std::string_view word : phrase_of(line, lines)) {
      node = child_of(node, number_of(word, table, lines), table);
    }
    if (!lines.next_line(line)) lines.fail("an entry ends before its paraphrase");
    const std::vector<std::string_view> paraphrase = phrase_of(line, lines);
    if (table.units.size() > UINT32_MAX - kLongestPhrase - 1) lines.fail("too large a table");
    table.entries.push_back({node, static_cast<uint32_t>(table.units.size())});
    table.units.push_back(static_cast<uint16_t>(paraphrase.size()));
    for (const std::string_view word : paraphrase) {
      table.units.push_back(number_of(word, table, lines));
    }
  }
  return table;
}

// The arrays that the index file holds after its header.
struct Arrays {
  std::vector<uint32_t> first_child, first_unit;
  std::vector<uint16_t> last_word, units;
  std::string text;
};

// Numbers the nodes breadth first; returns the new number of each old one.
std::vector<uint32_t> arrange_nodes(const Table& table, Arrays& arrays) {
  const size_t count = table.nodes.size();
  std::vector<uint32_t> by_parent(count - 1);
  for (uint32_t i = 1; i < count; ++i) by_parent[i - 1] = i;
  std::sort(by_parent.begin(), by_parent.end(), [&](uint32_t a, uint32_t b) {
    const Node &left = table.nodes[a], &right = table.nodes[b];
    return left.parent != right.parent ? left.parent < right.parent : left.word < right.word;
  });
  std::vector<uint32_t> first(count + 1, 0);  // of the children in by_parent
  for (uint32_t i = 1; i < count; ++i) ++first[table.nodes[i].parent + 1];
  for (size_t i = 0; i < count; ++i) first[i + 1] += first[i];

  std::vector<uint32_t> queue = {0}, number(count, 0);
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t node = queue[i];
    number[node] = static_cast<uint32_t>(i);
    arrays.first_child.push_back(static_cast<uint32_t>(queue.size()));
    arrays.last_word.push_back(table.nodes[node].word);
    queue.insert(queue.end(), by_parent.begin() + first[node], by_parent.begin() + first[node + 1]);
  }
  arrays.first_child.push_back(static_cast<uint32_t>(count));
  return number;
}

// Groups the paraphrases by phrase, in the table's order.
void arrange_paraphrases(const Table& table, const std::vector<uint32_t>& number, Arrays& arrays) {
  arrays.first_unit.assign(table.nodes.size() + 1, 0);
  for (const Entry& entry : table.entries) {
    arrays.first_unit[number[entry.node] + 1] += table.units[entry.unit] + 1u;
  }
  for (size_t i = 0; i + 1 < arrays.first_unit.size(); ++i) {
    arrays.first_unit[i + 1] += arrays.first_unit[i];
  }
  arrays.units.resize(table.units.size());
  std::vector<uint32_t> next = arrays.first_unit;
  for (const Entry& entry : table.entries) {
    uint32_t& to = next[number[entry.node]];
    const uint32_t count = table.units[entry.unit] + 1u;
    std::copy_n(table.units.begin() + entry.unit, count, arrays.units.begin() + to);
    to += count;
  }
}

template <class T>
void append_bytes(const std::vector<T>& array, std::string& out) {
  out.append(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T));
}

}  // namespace

ParaphraseTableIdentity identify_paraphrase_table(const fs::path& table) {
  const MappedFile file(table);
  const std::string_view bytes = file.bytes();
  ParaphraseTableIdentity identity;
  if (bytes.size() < sizeof(identity.checksum)) {
    throw InputError("the gzip file is damaged", table.string(), kInstallParaphrases);
  }
  identity.bytes = bytes.size();
  std::memcpy(&identity.checksum, bytes.data() + bytes.size() - sizeof(identity.checksum),
              sizeof(identity.checksum));
  return identity;
}

ParaphraseIndexHeader new_paraphrase_index_header() {
  return {{'r', 'u', 'b', 'r', 'i', 'c', 'P', 'I'}, 1, 0, 0, 0, 0, 0, {}};
}

void make_paraphrase_index(const fs::path& table_file, AtomicFile& index) {
  const ParaphraseTableIdentity identity = identify_paraphrase_table(table_file);
  const Table table = read_table(table_file);
  Arrays arrays;
  const std::vector<uint32_t> number = arrange_nodes(table, arrays);
  arrange_paraphrases(table, number, arrays);
  for (const std::string& word : table.words) arrays.text += word + '\n';

  std::string payload;
  append_bytes(arrays.first_child, payload);
  append_bytes(arrays.first_unit, payload);
  append_bytes(arrays.last_word, payload);
  append_bytes(arrays.units, payload);
  payload += arrays.text;

  ParaphraseIndexHeader header = new_paraphrase_index_header();
  header.nodes = static_cast<uint32_t>(table.nodes.size());
  header.units = static_cast<uint32_t>(arrays.units.size());
  header.text_bytes = static_cast<uint32_t>(arrays.text.size());
  header.table_bytes = identity.bytes;
  header.table_checksum = identity.checksum;
  sha256(payload).copy(header.checksum, sizeof(header.checksum));

  index.write({reinterpret_cast<const char*>(&header), sizeof(header)});
  index.write(payload);
}

}  // namespace rubric::metrics
