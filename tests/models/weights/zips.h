// Zip files as torch.save writes them, and as nobody should.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <caffe2/serialize/inline_container.h>

#include "models/weights/little_endian.h"

namespace rubric::models {

using Records = std::vector<std::pair<std::string, std::string>>;  // (name, content)

// Written by libtorch, as torch.save has it done.
inline std::string zip(const Records& records, bool compress = false) {
  std::string bytes;
  caffe2::serialize::PyTorchStreamWriter writer([&](const void* data, size_t size) {
    bytes.append(static_cast<const char*>(data), size);
    return size;
  });
  for (const auto& [name, content] : records) {
    writer.writeRecord(name, content.data(), content.size(), compress);
  }
  writer.writeEndOfFile();
  return bytes;
}

// With 64-bit sizes and offsets, and records of equal content sharing their bytes.
inline std::string zip64_by_hand(const Records& records) {
  using namespace std::string_literals;
  std::string bytes, directory;
  std::map<std::string, size_t> offsets;
  for (const auto& [name, content] : records) {
    const std::string path = "model/" + name;
    if (!offsets.contains(content)) {
      offsets[content] = bytes.size();
      bytes += "PK\3\4" + std::string(22, '\0') + to_little_endian(path.size(), 2) + "\3\0"s +
               path + "xyz" + content;
    }
    const std::string extra = "FB\2\0ZZ\1\0\x18\0"s + to_little_endian(content.size(), 8) +
                              to_little_endian(content.size(), 8) +
                              to_little_endian(offsets[content], 8);
    directory += "PK\1\2" + std::string(16, '\0') + std::string(8, '\xff') +
                 to_little_endian(path.size(), 2) + to_little_endian(extra.size(), 2) + "\2\0"s +
                 std::string(8, '\0') + std::string(4, '\xff') + path + extra + "ok";
  }
  return bytes + directory + "PK\5\6" + std::string(8, '\0') +
         to_little_endian(directory.size(), 4) + to_little_endian(bytes.size(), 4) + "\0\0"s;
}

}  // namespace rubric::models
