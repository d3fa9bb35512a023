// The state dict in a file of torch.save, such as pytorch_model.bin.
#pragma once

#include <filesystem>

#include "models/weights/weights.h"

namespace rubric {

// The tensors of a file of torch.save, in both of its forms (models/torch_file.h). Nothing in it is
// executed (models/unpickler.h). Tied tensors share their storage, and views may be strided. Throws
// InputError naming file and tensor.
NamedTensors read_pytorch_bin(const std::filesystem::path& path);

}  // namespace rubric
