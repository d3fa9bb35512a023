// Reads the pickle of a PyTorch state dict without being able to run anything: an interpreter of
// the few opcodes such a pickle needs, with the few globals it may name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/ScalarType.h>

namespace rubric {

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

}  // namespace rubric
