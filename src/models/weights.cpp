#include "models/weights.h"

#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "models/unpickler.h"

namespace rubric {
namespace {

constexpr const char* kFetchAgain = "fetch or save the file again";

// The records of a torch.save file, a zip archive, as views of it. Numbers and offsets are those of
// PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 to 4.3.16 and 4.5.3.
//
// libtorch has a reader too, but it inflates the record "version" before anyone can check the size:
// a file of 3 MB takes 18 GB. As torch.save never compresses, nothing needs inflating here.
class ZipArchive {
 public:
  ZipArchive(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  // By name, without the folder that all records of an archive lie in.
  std::map<std::string, std::string_view> records() const {
    constexpr uint64_t kEntrySize = 46, kStored = 0;
    std::map<std::string, std::string_view> records;
    std::string_view rest = directory();
    while (!rest.empty()) {
      if (slice(rest, 0, 4) != "PK\1\2") fail("its directory is damaged");
      const uint64_t name_size = number(rest, 28, 2), extra_size = number(rest, 30, 2);
      const std::string_view path = slice(rest, kEntrySize, name_size);
      const std::string name(path.substr(path.find('/') + 1));
      if (number(rest, 10, 2) != kStored) fail("the record " + json_quote(name) + " is compressed");
      const std::string_view extra = slice(rest, kEntrySize + name_size, extra_size);
      if (!records.emplace(name, content(rest.substr(0, kEntrySize), extra)).second) {
        fail("the record " + json_quote(name) + " occurs twice");
      }
      const uint64_t whole = kEntrySize + name_size + extra_size + number(rest, 32, 2);
      rest.remove_prefix(slice(rest, 0, whole).size());
    }
    return records;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("not a zip file as torch.save writes it: " + what, file_, kFetchAgain);
  }

  std::string_view slice(std::string_view bytes, uint64_t offset, uint64_t size) const {
    if (offset > bytes.size() || size > bytes.size() - offset) fail("cut short or damaged");
    return bytes.substr(offset, size);
  }

  uint64_t number(std::string_view bytes, uint64_t offset, uint64_t size) const {
    uint64_t number = 0;
    const std::string_view digits = slice(bytes, offset, size);  // little-endian
    for (size_t i = 0; i < size; ++i) {
      number |= static_cast<uint64_t>(static_cast<unsigned char>(digits[i])) << (8 * i);
    }
    return number;
  }

  // The record that says where the directory is must end the file: torch.save writes no archive
  // comment, and without one there is nothing to search for.
  std::string_view directory() const {
    constexpr uint64_t kEndSize = 22, kLocatorSize = 20;
    const uint64_t end = bytes_.size() < kEndSize ? 0 : bytes_.size() - kEndSize;
    if (slice(bytes_, end, 4) != "PK\5\6") fail("its end is missing");
    if (end < kLocatorSize || slice(bytes_, end - kLocatorSize, 4) != "PK\6\7") {
      return slice(bytes_, number(bytes_, end + 16, 4), number(bytes_, end + 12, 4));
    }
    const uint64_t end64 = number(bytes_, end - kLocatorSize + 8, 8);
    if (slice(bytes_, end64, 4) != "PK\6\6") fail("its end is damaged");
    return slice(bytes_, number(bytes_, end64 + 48, 8), number(bytes_, end64 + 40, 8));
  }

  std::string_view content(std::string_view entry, std::string_view extra) const {
    constexpr uint64_t kLocalSize = 30, kZip64 = 1, kIn64Bits = 0xffffffff;
    uint64_t size = number(entry, 24, 4), offset = number(entry, 42, 4);
    while (!extra.empty()) {  // fields of (kind, size, content)
      const std::string_view field = slice(extra, 4, number(extra, 2, 2));
      if (number(extra, 0, 2) == kZip64) {  // uncompressed size, compressed size, offset
        uint64_t next = 0;
        if (size == kIn64Bits) size = number(field, std::exchange(next, next + 8), 8);
        if (number(entry, 20, 4) == kIn64Bits) next += 8;
        if (offset == kIn64Bits) offset = number(field, next, 8);
      }
      extra.remove_prefix(4 + field.size());
    }
    if (slice(bytes_, offset, 4) != "PK\3\4") fail("a record is damaged");
    const uint64_t names = number(bytes_, offset + 26, 2) + number(bytes_, offset + 28, 2);
    return slice(bytes_, offset + kLocalSize + names, size);
  }

  std::string_view bytes_;
  const std::string& file_;
};

// The view that `pickled` describes, checked against the storage's real size.
at::Tensor view(const PickledTensor& pickled, const at::Tensor& bytes, const std::string& where) {
  const auto fail = [&](const char* what) { throw InputError(what, where, kFetchAgain); };
  const auto element_size = static_cast<int64_t>(c10::elementSize(pickled.type));
  if (bytes.numel() % element_size != 0 ||
      bytes.numel() / element_size != pickled.storage_elements) {
    fail("the storage has another size than the pickle says");
  }
  const std::optional<int64_t> elements = element_count(pickled.sizes);
  if (!elements || pickled.sizes.size() != pickled.strides.size() || pickled.offset < 0) {
    fail("impossible shape, strides or offset");
  }
  if (*elements == 0) return at::empty(pickled.sizes, pickled.type);
  // With zero strides a view could be of any size: a broadcast, which no weights are.
  if (*elements > pickled.storage_elements) fail("more elements than the storage has");

  int64_t last = pickled.offset;
  for (size_t i = 0; i < pickled.sizes.size(); ++i) {
    int64_t reach = 0;
    if (pickled.strides[i] < 0 ||
        __builtin_mul_overflow(pickled.sizes[i] - 1, pickled.strides[i], &reach) ||
        __builtin_add_overflow(last, reach, &last)) {
      fail("negative or overflowing strides");
    }
  }
  if (last >= pickled.storage_elements) fail("the tensor leaves its storage");
  return at::empty({0}, pickled.type)
      .set_(bytes.storage(), pickled.offset, pickled.sizes, pickled.strides);
}

NamedTensors read_archive(std::string_view bytes, const std::string& file) {
  const std::map<std::string, std::string_view> records = ZipArchive(bytes, file).records();
  const auto record = [&](const std::string& name) {
    const auto found = records.find(name);
    if (found != records.end()) return found->second;
    throw InputError("the record " + json_quote(name) + " is missing", file, kFetchAgain);
  };
  if (records.contains("byteorder") && record("byteorder") != "little") {
    throw InputError("saved on a big-endian machine", file, "save it on a little-endian one");
  }
  std::map<std::string, at::Tensor> storages;
  size_t copied = 0;
  NamedTensors tensors;
  for (const PickledTensor& pickled : unpickle_state_dict(record("data.pkl"), file)) {
    at::Tensor& storage = storages[pickled.storage_key];
    if (!storage.defined()) {
      const std::string_view content = record("data/" + pickled.storage_key);
      copied += content.size();
      if (copied > bytes.size()) throw InputError("its records overlap", file, kFetchAgain);
      storage = at::empty({static_cast<int64_t>(content.size())}, at::kByte);
      if (!content.empty()) std::memcpy(storage.data_ptr(), content.data(), content.size());
    }
    const std::string where = file + ": tensor " + json_quote(pickled.name);
    tensors.emplace_back(pickled.name, view(pickled, storage, where));
  }
  return tensors;
}

using Reader = NamedTensors (*)(const std::filesystem::path&);

// The tensors of all shards that an index names, shard by shard.
NamedTensors read_shards(const std::filesystem::path& index, Reader read) {
  const std::string where = index.string() + ": weight_map";
  const Json json = Json::parse_file(index);
  const Json& weight_map = json.require("weight_map", index.string());
  if (!weight_map.is_object()) throw InputError("expected an object", where);
  std::map<std::string, std::map<std::string, bool>> shards;  // shard → tensor → found
  for (const auto& [name, shard] : weight_map.object()) {
    const std::string file = shard.is_string() ? shard.string() : "";
    // A path could leave the directory.
    if (file.empty() || file == "." || file == ".." || file.find('/') != std::string::npos) {
      throw InputError("the shard of " + json_quote(name) + " must be a plain file name", where);
    }
    shards[file][name] = false;
  }
  NamedTensors all;
  for (auto& [file, names] : shards) {
    const std::filesystem::path path = index.parent_path() / file;
    for (auto& [name, tensor] : read(path)) {
      const auto listed = names.find(name);
      if (listed == names.end()) {
        throw InputError("the tensor " + json_quote(name) + " is not listed for this shard in " +
                             index.filename().string(),
                         path.string(), kFetchAgain);
      }
      listed->second = true;
      all.emplace_back(name, std::move(tensor));
    }
    for (const auto& [name, found] : names) {
      if (found) continue;
      throw InputError("the tensor " + json_quote(name) + " is missing from the shard that " +
                           index.filename().string() + " names",
                       path.string(), kFetchAgain);
    }
  }
  return all;
}

}  // namespace

NamedTensors read_pytorch_bin(const std::filesystem::path& path) {
  constexpr std::string_view kOldMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
                                       14);
  const MappedFile file(path);
  if (file.bytes().starts_with(kOldMagic)) {
    throw InputError("written in torch.save's old format (before PyTorch 1.6)", path.string(),
                     "load it with PyTorch and save it again, best as model.safetensors");
  }
  try {
    return read_archive(file.bytes(), path.string());
  } catch (const c10::Error&) {  // everything else is checked, so this is an allocation
    throw Error("not enough memory for the tensors of this file", path.string());
  }
}

NamedTensors read_weights(const std::filesystem::path& model_directory) {
  const std::pair<const char*, Reader> kFiles[] = {{"model.safetensors", read_safetensors},
                                                   {"pytorch_model.bin", read_pytorch_bin}};
  std::vector<std::string> looked_for;
  for (const auto& [name, read] : kFiles) {
    const std::filesystem::path whole = model_directory / name;
    std::error_code unreadable;  // counts as missing
    if (std::filesystem::exists(whole, unreadable)) return read(whole);
    const std::filesystem::path index = model_directory / (std::string(name) + ".index.json");
    if (std::filesystem::exists(index, unreadable)) return read_shards(index, read);
    looked_for.insert(looked_for.end(), {whole.filename().string(), index.filename().string()});
  }
  throw InputError("no weights: looked for " + join(looked_for), model_directory.string(),
                   "give a model directory in Hugging Face's layout");
}

}  // namespace rubric
