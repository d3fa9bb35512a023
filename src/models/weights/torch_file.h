// The records of a zip archive as torch.save writes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/ScalarType.h>

#include "models/weights/weights.h"

namespace rubric::models {

// Every record of the archive `bytes`, as a view of it, by name without the folder that all records
// lie in. Views may overlap. Throws InputError naming `file` when the archive is damaged, a record
// is compressed (torch.save never does that) or a name occurs twice.
std::map<std::string, std::string_view> read_zip_records(std::string_view bytes,
                                                         const std::string& file);

// Reads the pickle of a PyTorch state dict without being able to run anything: an interpreter of
// the few opcodes such a pickle needs, with the few globals it may name.

// A tensor as the pickle describes it: a strided view of a storage, offset and strides in elements.
// The numbers are the file's, unchecked.
struct PickledTensor {
  std::string name;
  std::string storage_key;  // the file's record data/KEY
  at::ScalarType type;
  int64_t storage_elements;
  int64_t offset;
  std::vector<int64_t> sizes, strides;
};

// The entries of a pickled dict or OrderedDict of tensors, in its order (protocols 2 to 4). Throws
// InputError, with `where` and the position in the pickle, on anything else: other globals (which
// are named in the message and never looked up), other opcodes, values that are no tensors.
std::vector<PickledTensor> unpickle_state_dict(std::string_view pickle, const std::string& where);

// As above, from the pickle that `bytes` begin with, which is taken from them.
std::vector<PickledTensor> take_state_dict(std::string_view& bytes, const std::string& where);

// The two forms of a file that torch.save wrote, taken apart without running anything.

// Views of the file's bytes.
struct TorchFile {
  std::vector<PickledTensor> tensors;
  std::map<std::string, std::string_view, std::less<>> storages;  // those that tensors use, by key
};

// Of a zip file (PyTorch 1.6 and later), or of pickles with the storages behind them (before).
// Throws InputError naming `file` when it is neither, damaged, cut short, of a big-endian machine,
// or when storages share bytes.
TorchFile read_torch_file(std::string_view bytes, const std::string& file);

// The state dict in a file of torch.save, such as pytorch_model.bin.

// The tensors of a file of torch.save, in both of its forms (models/torch_file.h). Nothing in it is
// executed (models/unpickler.h). Tied tensors share their storage, and views may be strided. Throws
// InputError naming file and tensor.
NamedTensors read_pytorch_bin(const std::filesystem::path& path);

}  // namespace rubric::models
