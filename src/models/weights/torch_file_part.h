// The two forms of a file that torch.save wrote, taken apart without running anything.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/weights/unpickler.h"

namespace rubric {

// Views of the file's bytes.
struct TorchFile {
  std::vector<PickledTensor> tensors;
  std::map<std::string, std::string_view, std::less<>> storages;  // those that tensors use, by key
};

// Of a zip file (PyTorch 1.6 and later), or of pickles with the storages behind them (before).
// Throws InputError naming `file` when it is neither, damaged, cut short, of a big-endian machine,
// or when storages share bytes.
TorchFile read_torch_file(std::string_view bytes, const std::string& file);

}  // namespace rubric
