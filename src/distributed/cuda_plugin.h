// The interface of librubric_cuda.so, a plugin that links libtorch's CUDA libraries, so that the
// program itself links none of them and runs where there are none.
#pragma once

#include <chrono>

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace rubric::distributed {

// The functions throw c10::Error.
struct CudaPlugin {
  const char *rubric_version, *torch_version;  // the plugin's; must equal the program's
  int (*count_devices)();                      // GPUs of this machine, at least 1
  void (*use_device)(int index);               // for the calling thread
  // Called by all ranks, each after use_device().
  c10::intrusive_ptr<c10d::Backend> (*open_nccl)(const c10::intrusive_ptr<c10d::Store>& store,
                                                 int rank, int size,
                                                 std::chrono::milliseconds timeout);
};

// The library's one symbol: a function that returns the table.
constexpr const char* kCudaPluginSymbol = "rubric_cuda_plugin";
using CudaPluginFunction = const CudaPlugin* (*)();

}  // namespace rubric::distributed
