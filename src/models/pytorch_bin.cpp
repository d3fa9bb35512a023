#include "models/pytorch_bin.h"

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "models/binary_file.h"
#include "models/unpickler.h"
#include "models/zip_archive.h"

namespace rubric {
namespace {

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
  const std::map<std::string, std::string_view> records = read_zip_records(bytes, file);
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

}  // namespace rubric
