// Pickles by hand, opcode by opcode (names as in Python's pickletools).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/weights/little_endian.h"

namespace rubric::models {

inline const std::string kProto2 = "\x80\x02";
inline const std::string kStop = ".";

inline std::string text(const std::string& value) {  // BINUNICODE
  return "X" + to_little_endian(value.size(), 4) + value;
}

inline std::string integer(int64_t value) {  // LONG1
  return "\x8a\x08" + to_little_endian(static_cast<uint64_t>(value), 8);
}

inline std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}

inline std::string tuple(const std::vector<std::string>& items) {
  std::string out = "(";
  for (const std::string& item : items) out += item;
  return out + "t";
}

inline std::string integers(const std::vector<int64_t>& values) {
  std::vector<std::string> items;
  for (const int64_t value : values) items.push_back(integer(value));
  return tuple(items);
}

inline std::string ordered_dict() {
  return global("collections", "OrderedDict") + ")R";
}

inline std::string storage(const std::string& type, const std::string& key, int64_t elements) {
  return tuple(
             {text("storage"), global("torch", type), text(key), text("cpu"), integer(elements)}) +
         "Q";
}

inline std::string tensor(const std::string& from, int64_t offset,
                          const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  return global("torch._utils", "_rebuild_tensor_v2") +
         tuple(
             {from, integer(offset), integers(sizes), integers(strides), "\x89", ordered_dict()}) +
         "R";
}

// One item of a pickled dictionary: a float32 view of storage `key`.
struct View {
  int64_t storage_elements, offset;
  std::vector<int64_t> sizes, strides;
};

inline std::string item(const std::string& name, const std::string& key, const View& view) {
  return text(name) +
         tensor(storage("FloatStorage", key, view.storage_elements), view.offset, view.sizes,
                view.strides) +
         "s";
}

// The state dict of one tensor "w", a view of storage "0".
inline std::string pickle_of(const View& view) {
  return kProto2 + "}" + item("w", "0", view) + kStop;
}

}  // namespace rubric::models
