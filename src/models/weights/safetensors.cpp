#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <tuple>

#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "models/weights/binary_reader.h"
#include "models/weights/weights.h"

namespace rubric::models {
namespace {

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kLongestHeader = 100'000'000;  // the official library's limit

struct Dtype {
  std::string_view name;
  at::ScalarType type;
};

// In the order the official library writes them, by alignment, so that each tensor is aligned.
constexpr Dtype kDtypes[] = {{"I64", at::kLong},  {"F64", at::kDouble},    {"F32", at::kFloat},
                             {"I32", at::kInt},   {"BF16", at::kBFloat16}, {"F16", at::kHalf},
                             {"I16", at::kShort}, {"I8", at::kChar},       {"U8", at::kByte},
                             {"BOOL", at::kBool}};

struct TensorEntry {
  std::string name;
  at::ScalarType type;
  std::vector<int64_t> shape;
  int64_t begin, end;  // bytes from the start of the data
};

struct Contents {
  std::vector<TensorEntry> entries;  // by position
  std::string_view data;
};

std::vector<int64_t> parse_sizes(const Json& list, std::string_view key, const std::string& where) {
  if (!list.is_array()) throw InputError(json_quote(key) + " must be an array", where, kFetchAgain);
  std::vector<int64_t> sizes;
  for (const Json& item : list.array()) {
    const std::string text = item.is_number() ? item.number_text() : item.kind();
    int64_t size = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || stop != text.data() + text.size() || size < 0) {
      throw InputError(json_quote(key) + " must hold whole numbers from 0 to 2^63 - 1, not " + text,
                       where, kFetchAgain);
    }
    sizes.push_back(size);
  }
  return sizes;
}

at::ScalarType parse_dtype(const std::string& name, const std::string& where) {
  std::vector<std::string> known;
  for (const Dtype& dtype : kDtypes) {
    if (dtype.name == name) return dtype.type;
    known.emplace_back(dtype.name);
  }
  throw InputError("the dtype " + json_quote(name) + " is not supported", where,
                   "convert the tensor to one of " + join(known));
}

TensorEntry parse_entry(const std::string& name, const Json& description, const std::string& file) {
  const std::string where = file + ": tensor " + json_quote(name);
  TensorEntry entry;
  entry.name = name;
  entry.type = parse_dtype(description.require_string("dtype", where), where);
  entry.shape = parse_sizes(description.require("shape", where), "shape", where);
  const std::vector<int64_t> offsets =
      parse_sizes(description.require("data_offsets", where), "data_offsets", where);
  if (offsets.size() != 2) {
    throw InputError("\"data_offsets\" must be [begin, end]", where, kFetchAgain);
  }
  entry.begin = offsets[0];
  entry.end = offsets[1];

  const std::optional<int64_t> elements = element_count(entry.shape);
  int64_t bytes = 0;
  const auto element_size = static_cast<int64_t>(c10::elementSize(entry.type));
  if (!elements || __builtin_mul_overflow(*elements, element_size, &bytes)) {
    throw InputError("the shape has too many dimensions or elements", where, kFetchAgain);
  }
  if (entry.begin > entry.end || entry.end - entry.begin != bytes) {
    throw InputError("\"data_offsets\" [" + std::to_string(entry.begin) + ", " +
                         std::to_string(entry.end) + "] do not span the " + std::to_string(bytes) +
                         " bytes of dtype and shape",
                     where, kFetchAgain);
  }
  return entry;
}

// The metadata is ignored, but it must be an object of strings, as the format requires.
void check_metadata(const Json& json, const std::string& file) {
  const std::string where = file + ": __metadata__";
  if (!json.is_object()) throw InputError("expected an object", where, kFetchAgain);
  for (const auto& [key, value] : json.object()) {
    if (!value.is_string()) {
      throw InputError(json_quote(key) + " must be a string", where, kFetchAgain);
    }
  }
}

// The tensors must follow one another from the first byte of the data to the last.
void check_cover(const std::vector<TensorEntry>& entries, size_t data_size,
                 const std::string& file) {
  int64_t covered = 0;
  for (const TensorEntry& entry : entries) {
    if (entry.begin != covered) {
      throw InputError(entry.begin < covered ? "overlaps the tensor before it in the file"
                                             : "the bytes before it belong to no tensor",
                       file + ": tensor " + json_quote(entry.name), kFetchAgain);
    }
    covered = entry.end;
  }
  if (static_cast<size_t>(covered) == data_size) return;
  const std::string last = entries.empty() ? "" : ": tensor " + json_quote(entries.back().name);
  throw InputError("the tensors take " + std::to_string(covered) + " bytes, but " +
                       std::to_string(data_size) + " follow the header",
                   file + last, kFetchAgain);
}

Contents parse(std::string_view bytes, const std::string& file) {
  if (bytes.size() < kLengthBytes) {
    throw InputError("too short for a safetensors file", file, kFetchAgain);
  }
  const uint64_t length = little_endian(bytes.substr(0, kLengthBytes));
  if (length > kLongestHeader || length > bytes.size() - kLengthBytes) {
    throw InputError("the header's length, " + std::to_string(length) +
                         " bytes, is over 100 MB or runs past the end of the file",
                     file, kFetchAgain);
  }
  const std::string_view header = bytes.substr(kLengthBytes, length);
  if (!header.starts_with('{')) {
    throw InputError("the header is not a JSON object", file, kFetchAgain);
  }
  const Json json = Json::parse(header, file + ": header");
  Contents contents;
  contents.data = bytes.substr(kLengthBytes + length);
  for (const auto& [name, description] : json.object()) {
    if (name == "__metadata__") {
      check_metadata(description, file);
    } else {
      contents.entries.push_back(parse_entry(name, description, file));
    }
  }
  std::sort(contents.entries.begin(), contents.entries.end(),
            [](const TensorEntry& a, const TensorEntry& b) {
              return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
            });
  check_cover(contents.entries, contents.data.size(), file);
  return contents;
}

template <class Copy>
NamedTensors stored_tensors(const Contents& contents, const std::string& file, const Copy& copy) {
  NamedTensors tensors;
  for (const TensorEntry& entry : contents.entries) {
    const auto bytes = static_cast<size_t>(entry.end - entry.begin);
    try {
      at::Tensor tensor = at::empty(entry.shape, entry.type);
      if (bytes > 0) {
        copy(contents.data.substr(static_cast<size_t>(entry.begin), bytes), tensor.data_ptr());
      }
      tensors.emplace_back(entry.name, std::move(tensor));
    } catch (const c10::Error&) {  // the sizes are right: this is the allocation
      throw Error("not enough memory for a tensor of " + std::to_string(bytes) + " bytes",
                  file + ": tensor " + json_quote(entry.name));
    }
  }
  return tensors;
}

size_t dtype_rank(const std::pair<std::string, at::Tensor>& named, const std::string& file) {
  const auto found = std::find_if(std::begin(kDtypes), std::end(kDtypes), [&](const Dtype& dtype) {
    return dtype.type == named.second.scalar_type();
  });
  if (found != std::end(kDtypes)) {
    return static_cast<size_t>(std::distance(std::begin(kDtypes), found));
  }
  throw Error(std::string("cannot write the dtype ") + c10::toString(named.second.scalar_type()),
              file + ": tensor " + json_quote(named.first));
}

struct Outgoing {
  size_t rank;  // in kDtypes
  std::string_view name;
  const at::Tensor* tensor;
};

std::string header_of(const std::vector<Outgoing>& tensors) {
  std::vector<std::string> members = {R"("__metadata__":{"format":"pt"})"};
  size_t begin = 0;
  for (const Outgoing& outgoing : tensors) {
    std::vector<std::string> shape;
    for (const int64_t size : outgoing.tensor->sizes()) shape.push_back(std::to_string(size));
    const size_t end = begin + outgoing.tensor->nbytes();
    members.push_back(json_quote(outgoing.name) +
                      ":{\"dtype\":" + json_quote(kDtypes[outgoing.rank].name) + ",\"shape\":[" +
                      join(shape, ",") + "],\"data_offsets\":[" + std::to_string(begin) + "," +
                      std::to_string(end) + "]}");
    begin = end;
  }
  std::string header = "{" + join(members, ",") + "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return header;
}

}  // namespace

const at::Tensor* find_tensor(const NamedTensors& tensors, std::string_view name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const auto& named) { return named.first == name; });
  return found == tensors.end() ? nullptr : &found->second;
}

std::optional<int64_t> element_count(std::span<const int64_t> shape) {
  constexpr size_t kMostDimensions = 64;  // of at::TensorIterator
  if (shape.size() > kMostDimensions) return std::nullopt;
  int64_t product = 1;
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0) return std::nullopt;
    empty = empty || size == 0;
    if (size > 0 && __builtin_mul_overflow(product, size, &product)) return std::nullopt;
  }
  return empty ? 0 : product;
}

NamedTensors read_safetensors(const std::filesystem::path& path) {
  const MappedFile file(path);
  return stored_tensors(parse(file.bytes(), path.string()), path.string(), copy_from_file);
}

NamedTensors parse_safetensors(std::string_view bytes, const std::string& file) {
  return stored_tensors(parse(bytes, file), file, [](std::string_view part, void* to) {
    std::memcpy(to, part.data(), part.size());
  });
}

void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors) {
  std::vector<Outgoing> order;
  for (const auto& named : tensors) {
    order.push_back({dtype_rank(named, path.string()), named.first, &named.second});
  }
  std::sort(order.begin(), order.end(), [](const Outgoing& a, const Outgoing& b) {
    return std::tie(a.rank, a.name) < std::tie(b.rank, b.name);
  });
  const std::string header = header_of(order);
  Json::parse(header, path.string());  // refuses repeated names and names that are not UTF-8

  AtomicFile file(path);
  char length[kLengthBytes];
  for (size_t i = 0; i < kLengthBytes; ++i) length[i] = static_cast<char>(header.size() >> (8 * i));
  file.write({length, kLengthBytes});
  file.write(header);
  for (const Outgoing& outgoing : order) {
    const at::Tensor tensor = outgoing.tensor->detach().to(at::kCPU).contiguous();
    file.write({static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()});
  }
  file.commit();
}

}  // namespace rubric::models
