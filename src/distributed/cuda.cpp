#include "distributed/cuda.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/version.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/files/shipped_files.h"
#include "distributed/cuda_plugin.h"
#include "distributed/process_group.h"
#include "rubric/version.h"

namespace rubric::distributed {
namespace {

constexpr const char* kDeviceKey = "device: cuda";
constexpr const char* kUseCpu = ", or set device to cpu";

std::string first_line_of_error(const std::exception& error) {
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  const std::string text = torch_error ? torch_error->what_without_backtrace() : error.what();
  return text.substr(0, text.find('\n'));
}

bool has_same_version(const CudaPlugin& plugin) {
  return std::string_view(plugin.rubric_version) == kVersion &&
         std::string_view(plugin.torch_version) == TORCH_VERSION;
}

const CudaPlugin* load() {
  const std::filesystem::path file = programs_directory() / "librubric_cuda.so";
  std::error_code unreadable;  // counts as missing
  if (!std::filesystem::exists(file, unreadable)) {
    throw InputError("this rubric was built without CUDA: there is no " + file.string(), kDeviceKey,
                     std::string("run scripts/setup --cuda and scripts/build") + kUseCpu);
  }
  // RTLD_GLOBAL: libtorch looks up its libraries' symbols by name.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    throw InputError(std::string("CUDA's libraries cannot be opened: ") + dlerror(), kDeviceKey,
                     std::string("run scripts/setup --cuda") + kUseCpu);
  }
  const auto plugin = reinterpret_cast<CudaPluginFunction>(dlsym(library, kCudaPluginSymbol));
  if (plugin == nullptr || !has_same_version(*plugin())) {
    throw InputError("not this rubric's library: " + file.string(), kDeviceKey,
                     std::string("rebuild rubric") + kUseCpu);
  }
  return plugin();
}

// Never closed: what it registers with libtorch cannot be unregistered.
const CudaPlugin& plugin() {
  static const CudaPlugin* const loaded = load();
  return *loaded;
}

int count_devices() {
  try {
    return plugin().count_devices();
  } catch (const c10::Error& error) {
    throw InputError("no GPU can be used: " + first_line_of_error(error), kDeviceKey,
                     std::string("start it where nvidia-smi lists one") + kUseCpu);
  }
}

// The same operations in the same order then give the same bits, also after a resume.
void compute_deterministically() {
  constexpr const char* kWorkspace = "CUBLAS_WORKSPACE_CONFIG";  // set by rubric's main()
  const std::string workspace = environment(kWorkspace);
  if (workspace != ":4096:8" && workspace != ":16:8") {
    throw InputError(
        "cuBLAS does not compute the same bits again with this setting: \"" + workspace + "\"",
        kWorkspace, "set it to :4096:8 or :16:8 before the program starts");
  }
  at::globalContext().setAllowTF32CuBLAS(false);  // an environment variable may have set it
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  at::globalContext().setDeterministicFillUninitializedMemory(false);
  at::globalContext().setSDPUseCuDNN(false);  // fails with masks in training
}

}  // namespace

void require_own_gpu(const Ranks& ranks, int devices) {
  if (ranks.local_rank() >= devices) {
    throw InputError(
        "rank " + std::to_string(ranks.rank()) + " is number " +
            std::to_string(ranks.local_rank()) + " of its machine (counted from 0), which has " +
            std::to_string(devices) + (devices == 1 ? " GPU" : " GPUs"),
        kDeviceKey,
        "start as many ranks on a machine as it has GPUs, and let each see all of them");
  }
}

void use_gpu(const Ranks& ranks) {
  require_own_gpu(ranks, count_devices());
  compute_deterministically();
  plugin().use_device(ranks.local_rank());
}

void open_nccl(const Ranks& ranks, int64_t timeout) {
  const RankGroup* const group = ranks.group();
  if (group == nullptr) return;
  setenv("TORCH_NCCL_BLOCKING_WAIT", "1", /*overwrite=*/1);  // throw when a rank is lost
  try {
    const Heartbeat::Waiting waiting(*group->heartbeat);
    const auto nccl =
        plugin().open_nccl(c10::make_intrusive<c10d::PrefixStore>("nccl", group->store),
                           ranks.rank(), ranks.size(), std::chrono::seconds(timeout));
    group->process_group->setBackend(c10::DeviceType::CUDA, c10d::ProcessGroup::BackendType::NCCL,
                                     nccl);
    std::vector<at::Tensor> first = {at::zeros({1}, at::kCUDA)};  // opens the connections
    group->process_group->allreduce(first)->wait();
  } catch (const c10::Error& error) {
    const std::string absent = group->heartbeat->absent();
    throw Error(std::string("NCCL cannot be started: ") + error.what_without_backtrace() +
                    (absent.empty() ? "" : "\n" + absent),
                kDeviceKey, "NCCL_DEBUG=INFO shows what it tries");
  }
}

}  // namespace rubric::distributed
