#include "models/weights/torch_file.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "models/weights/binary_reader.h"

namespace rubric::models {

namespace {

// The start of a file written before PyTorch 1.6: the pickle of a magic number and the pickle of
// the format's version, 1001.
constexpr std::string_view kOldBegin(
    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.", 21);

[[noreturn]] void fail_big_endian(const std::string& file) {
  throw InputError("saved on a big-endian machine", file, "save it on a little-endian one");
}

TorchFile read_zip(std::string_view bytes, const std::string& file, Json* settings) {
  const std::map<std::string, std::string_view> records = read_zip_records(bytes, file);
  const auto record = [&](const std::string& name) {
    const auto found = records.find(name);
    if (found != records.end()) return found->second;
    throw InputError("the record " + json_quote(name) + " is missing", file, kFetchAgain);
  };
  if (records.contains("byteorder") && record("byteorder") != "little") fail_big_endian(file);
  TorchFile parts{unpickle_state_dict(record("data.pkl"), file, settings), {}};
  size_t used = 0;
  for (const PickledTensor& tensor : parts.tensors) {
    if (parts.storages.contains(tensor.storage_key)) continue;
    const std::string_view content = record("data/" + tensor.storage_key);
    used += content.size();
    if (used > bytes.size()) throw InputError("its records overlap", file, kFetchAgain);
    parts.storages[tensor.storage_key] = content;
  }
  return parts;
}

// The content of a pickle of strings, numbers and booleans in lists and dictionaries.
struct PlainPickle {
  std::vector<std::string_view> strings;
  bool has_false = false;
};

// Reads the pickle at the start of `bytes` and removes it (opcodes as in Python's pickletools).
PlainPickle take_plain_pickle(std::string_view& bytes, const std::string& file) {
  PickleReader reader(bytes, file);
  PlainPickle plain;
  for (;;) {
    const uint64_t opcode = reader.take_unsigned(1);
    if (opcode == '.') break;  // STOP
    if (opcode == 'X') {       // BINUNICODE
      plain.strings.push_back(reader.take(reader.take_unsigned(4)));
    } else if (opcode == 0x80 || opcode == 'q' || opcode == 'K') {  // PROTO, BINPUT,
      reader.take(1);                                               // BININT1
    } else if (opcode == 'M') {                                     // BININT2
      reader.take(2);
    } else if (opcode == 'J' || opcode == 'r') {  // BININT,
      reader.take(4);                             // LONG_BINPUT
    } else if (opcode == 0x89) {                  // NEWFALSE
      plain.has_false = true;
    } else if (std::string_view("]}(aesu\x88").find(static_cast<char>(opcode)) ==
               std::string_view::npos) {  // lists, dictionaries, their marks; NEWTRUE
      reader.fail("the pickle opcode " + std::to_string(opcode) + " has no place here");
    }
  }
  bytes.remove_prefix(reader.position());
  return plain;
}

// After the start: the machine's byte order and sizes, the state dict, the keys of the storages,
// and each storage as its number of elements (8 bytes) and its content.
TorchFile read_old(std::string_view bytes, const std::string& file) {
  bytes.remove_prefix(kOldBegin.size());
  if (take_plain_pickle(bytes, file).has_false) fail_big_endian(file);
  TorchFile parts{take_state_dict(bytes, file), {}};
  std::map<std::string_view, size_t> element_sizes;
  for (const PickledTensor& tensor : parts.tensors) {
    element_sizes[tensor.storage_key] = c10::elementSize(tensor.type);
  }
  for (const std::string_view key : take_plain_pickle(bytes, file).strings) {
    const auto used = element_sizes.find(key);
    const auto fail = [&](const char* what) {
      throw InputError("the storage " + json_quote(key.substr(0, 100)) + " " + what, file,
                       kFetchAgain);
    };
    constexpr size_t kCountSize = 8;
    if (used == element_sizes.end()) fail("belongs to no tensor");
    if (parts.storages.contains(key)) fail("occurs twice");
    if (bytes.size() < kCountSize) fail("is cut short");
    const uint64_t elements = little_endian(bytes.substr(0, kCountSize));
    bytes.remove_prefix(kCountSize);
    if (elements > bytes.size() / used->second) fail("is cut short");
    parts.storages.emplace(key, bytes.substr(0, elements * used->second));
    bytes.remove_prefix(elements * used->second);
  }
  for (const auto& [key, size] : element_sizes) {
    if (parts.storages.contains(key)) continue;
    throw InputError("the storage " + json_quote(key) + " is missing", file, kFetchAgain);
  }
  if (!bytes.empty()) throw InputError("bytes follow the last storage", file, kFetchAgain);
  return parts;
}

// Numbers and offsets are those of PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 to 4.3.16 and
// 4.5.3.
//
// libtorch has a reader too, but it inflates the record "version" before anyone can check the size:
// a file of 3 MB takes 18 GB. As torch.save never compresses, nothing needs inflating here.
class ZipArchive {
 public:
  ZipArchive(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

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
    return little_endian(slice(bytes, offset, size));
  }

  // The end-of-central-directory record must end the file: torch.save writes no archive comment, so
  // there is nothing to search for.
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
  // With zero strides a view could have any size: a broadcast, which weights never are.
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

NamedTensors pickled_tensors(const TorchFile& parts, const std::string& file) {
  std::map<std::string, at::Tensor> storages;
  NamedTensors tensors;
  for (const PickledTensor& pickled : parts.tensors) {
    at::Tensor& storage = storages[pickled.storage_key];
    if (!storage.defined()) {
      const std::string_view content = parts.storages.at(pickled.storage_key);
      storage = at::empty({static_cast<int64_t>(content.size())}, at::kByte);
      copy_from_file(content, storage.data_ptr());
    }
    const std::string where = file + ": tensor " + json_quote(pickled.name);
    tensors.emplace_back(pickled.name, view(pickled, storage, where));
  }
  return tensors;
}

}  // namespace

TorchFile read_torch_file(std::string_view bytes, const std::string& file, Json* settings) {
  const bool is_old = settings == nullptr && bytes.starts_with(kOldBegin);
  return is_old ? read_old(bytes, file) : read_zip(bytes, file, settings);
}

std::map<std::string, std::string_view> read_zip_records(std::string_view bytes,
                                                         const std::string& file) {
  return ZipArchive(bytes, file).records();
}

namespace {

NamedTensors read_torch_tensors(const std::filesystem::path& path, Json* settings) {
  const MappedFile file(path);
  try {
    return pickled_tensors(read_torch_file(file.bytes(), path.string(), settings), path.string());
  } catch (const c10::Error&) {  // everything else has been checked: this is the allocation
    throw Error("not enough memory for the tensors of this file", path.string());
  }
}

}  // namespace

NamedTensors read_pytorch_bin(const std::filesystem::path& path) {
  return read_torch_tensors(path, nullptr);
}

NamedTensors read_checkpoint(const std::filesystem::path& path, Json& settings) {
  return read_torch_tensors(path, &settings);
}

}  // namespace rubric::models
