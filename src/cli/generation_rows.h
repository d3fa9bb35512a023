// What `rubric generate` writes, gone on with by the same call after a stop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "cli/options.h"
#include "core/json.h"
#include "data/records.h"
#include "data/source_target.h"

namespace rubric {

// Everything that rows depend on, the options as they were given.
Json generation_identity(const OptionValues& values, const std::filesystem::path& model,
                         const std::string& fingerprint);

// Adds what is generated for the rows from `first` on.
using RowWriter =
    std::function<void(std::span<const SourceTarget> records, int64_t first, std::span<Json> rows)>;

// Writes every row of `file` to --output, some batches at a time. Throws InputError for an
// unfinished output that is of another call, Interrupted when a stop is requested.
void write_generated(const OptionValues& values, WholeSourceTargets& file, const Json& identity,
                     int64_t batch, const RowWriter& write);

}  // namespace rubric
