// Reads files of torch.save, such as pytorch_model.bin, without executing anything: zip records, an
// interpreter of the few pickle opcodes and globals that a state dict needs, and the tensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/ScalarType.h>

#include "core/json/json.h"
#include "models/weights/weights.h"

namespace rubric::models {

// Returns a view of every record of the archive `bytes`, by name without the directory that
// contains all records. Views may overlap. Throws InputError naming `file` when the archive is
// damaged, a record is compressed (torch.save never does that) or a name occurs twice.
std::map<std::string, std::string_view> read_zip_records(std::string_view bytes,
                                                         const std::string& file);

// The pickle of a state dict.

// A tensor as the pickle describes it: a strided view of a storage, offset and strides in elements.
// The numbers come from the file, unchecked.
struct PickledTensor {
  std::string name;
  std::string storage_key;  // the file's record data/KEY
  at::ScalarType type;
  int64_t storage_elements;
  int64_t offset;
  std::vector<int64_t> sizes, strides;
};

// Returns the entries of a pickled dict or OrderedDict of tensors, in order (protocols 2 to 4).
// Throws InputError, with `where` and the position in the pickle, on anything else: other globals
// (named in the message but never looked up), other opcodes, values that are not tensors.
//
// With `settings` the entries of the state dict in what PyTorch Lightning saves, a dictionary that
// has it under "state_dict" and what the model was made with under "hyper_parameters". Numbers,
// strings, lists and dictionaries of that become `settings`; its other entries are not read.
std::vector<PickledTensor> unpickle_state_dict(std::string_view pickle, const std::string& where,
                                               Json* settings = nullptr);

// The same from the pickle at the start of `bytes`, which is removed from them.
std::vector<PickledTensor> take_state_dict(std::string_view& bytes, const std::string& where);

// The file, in either of its formats.

// Views of the file's bytes.
struct TorchFile {
  std::vector<PickledTensor> tensors;
  std::map<std::string, std::string_view, std::less<>> storages;  // those that tensors use, by key
};

// Parses a zip file (PyTorch 1.6 and later) or a sequence of pickles followed by the storages
// (before). Throws InputError naming `file` when it is neither, damaged, truncated, from a
// big-endian machine, or when storages overlap. With `settings` a checkpoint of PyTorch Lightning,
// a zip file.
TorchFile read_torch_file(std::string_view bytes, const std::string& file,
                          Json* settings = nullptr);

// The tensors.

// Reads the tensors of a file in either format. Tied tensors share their storage, and views may be
// strided. Throws InputError naming file and tensor.
NamedTensors read_pytorch_bin(const std::filesystem::path& path);
// Those of a checkpoint of PyTorch Lightning.
NamedTensors read_checkpoint(const std::filesystem::path& path, Json& settings);

}  // namespace rubric::models
