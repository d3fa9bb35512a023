// What is behind a library of its own, librubric_cuda.so, which links libtorch's CUDA libraries:
// the program itself links none of them, and runs where there are none.
#pragma once

#include <chrono>

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace rubric::distributed {

// The functions throw c10::Error.
struct CudaPlugin {
  const char *rubric_version, *torch_version;  // of its build; the program's must be the same
  int (*count_devices)();                      // GPUs of this machine, 1 at least
  void (*use_device)(int index);               // the calling thread's from now on
  // All ranks call it; each has chosen its device.
  c10::intrusive_ptr<c10d::Backend> (*open_nccl)(const c10::intrusive_ptr<c10d::Store>& store,
                                                 int rank, int size,
                                                 std::chrono::milliseconds timeout);
};

// The library has one symbol, a function that gives the table.
constexpr const char* kCudaPluginSymbol = "rubric_cuda_plugin";
using CudaPluginFunction = const CudaPlugin* (*)();

}  // namespace rubric::distributed
