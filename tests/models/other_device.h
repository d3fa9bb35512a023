// A device for tests that is not the CPU: its memory is the host's and all operations are those of
// libtorch for the CPU, but a tensor of it says that it is elsewhere. Whatever here reads it as if
// it were on the CPU, or mixes it with what is there, fails as it would with a GPU.
#pragma once

#include <c10/core/DeviceType.h>

namespace rubric {

// The tests that use it turn libtorch's flash attention off, which has no kernel there.
constexpr c10::DeviceType kOtherDevice = c10::DeviceType::PrivateUse1;

}  // namespace rubric
