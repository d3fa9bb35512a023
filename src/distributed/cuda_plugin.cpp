#include "distributed/cuda_plugin.h"

#include <ATen/Context.h>
#include <ATen/cuda/CUDAContextLight.h>
#include <c10/cuda/CUDAFunctions.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <torch/version.h>

#include "rubric/export.h"
#include "rubric/version.h"

namespace rubric::distributed {
namespace {

int count_devices() {
  return c10::cuda::device_count_ensure_non_zero();
}

void use_device(int index) {
  c10::cuda::set_device(static_cast<c10::DeviceIndex>(index));
  constexpr int kAmpere = 8;  // FlashAttention needs this compute capability
  at::globalContext().setSDPUseFlash(at::cuda::getCurrentDeviceProperties()->major >= kAmpere);
}

c10::intrusive_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                            int size, std::chrono::milliseconds timeout) {
  const auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size, options);
}

constexpr CudaPlugin kPlugin = {kVersion, TORCH_VERSION, count_devices, use_device, open_nccl};

}  // namespace

extern "C" RUBRIC_PUBLIC const CudaPlugin* rubric_cuda_plugin() {
  return &kPlugin;
}

}  // namespace rubric::distributed
