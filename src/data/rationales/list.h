// Every reader of a published data set of rationales.
#pragma once

#include <string_view>

#include "core/list.h"
#include "data/rationales/cose.h"
#include "data/rationales/ecqa.h"
#include "data/rationales/esnli.h"
#include "data/rationales/las.h"
#include "data/rationales/quartz.h"
#include "data/rationales/readers.h"

namespace rubric::data {

// A new data set is a line here, and files of its own.
// clang-format off
inline constexpr const RationaleReader* kRationaleReaders[] = {
    &kEcqa,
    &kCose,
    &kLas,
    &kQuartz,
    &kEsnli,
};
// clang-format on
static_assert(have_unique_names(kRationaleReaders));

// The reader called `name`. Throws InputError with the nearest name.
inline const RationaleReader& require_rationale_reader(std::string_view name) {
  return require<RationaleReader>(kRationaleReaders, name, "data set of rationales");
}

}  // namespace rubric::data
