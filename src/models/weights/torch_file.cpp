#include "models/weights/torch_file_part.h"

#include <c10/core/ScalarType.h>

#include "core/error.h"
#include "core/json/json.h"
#include "models/weights/binary_reader.h"
#include "models/weights/pickle_reader.h"
#include "models/weights/torch_file.h"

namespace rubric {
namespace {

// How files begin that were written before PyTorch 1.6: the pickle of a magic number, the pickle of
// the format's version, 1001.
constexpr std::string_view kOldBegin(
    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.", 21);

[[noreturn]] void fail_big_endian(const std::string& file) {
  throw InputError("saved on a big-endian machine", file, "save it on a little-endian one");
}

TorchFile read_zip(std::string_view bytes, const std::string& file) {
  const std::map<std::string, std::string_view> records = read_zip_records(bytes, file);
  const auto record = [&](const std::string& name) {
    const auto found = records.find(name);
    if (found != records.end()) return found->second;
    throw InputError("the record " + json_quote(name) + " is missing", file, kFetchAgain);
  };
  if (records.contains("byteorder") && record("byteorder") != "little") fail_big_endian(file);
  TorchFile parts{unpickle_state_dict(record("data.pkl"), file), {}};
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

// What a pickle of strings, numbers and truth values in lists and dictionaries holds.
struct PlainPickle {
  std::vector<std::string_view> strings;
  bool has_false = false;
};

// Takes the pickle that `bytes` begin with (opcodes as in Python's pickletools).
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

// Behind the begin: the machine's byte order and sizes, the state dict, the keys of the storages,
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

}  // namespace

TorchFile read_torch_file(std::string_view bytes, const std::string& file) {
  return bytes.starts_with(kOldBegin) ? read_old(bytes, file) : read_zip(bytes, file);
}

}  // namespace rubric
