#include "models/weights/pytorch_bin.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "models/weights/binary_reader.h"
#include "models/weights/torch_file_part.h"

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

NamedTensors tensors_of(const TorchFile& parts, const std::string& file) {
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

NamedTensors read_pytorch_bin(const std::filesystem::path& path) {
  const MappedFile file(path);
  try {
    return tensors_of(read_torch_file(file.bytes(), path.string()), path.string());
  } catch (const c10::Error&) {  // everything else is checked, so this is an allocation
    throw Error("not enough memory for the tensors of this file", path.string());
  }
}

}  // namespace rubric
