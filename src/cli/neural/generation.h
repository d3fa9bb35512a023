// The options of `rubric generate` that say how a text is decoded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "core/json/json.h"
#include "data/model_files/model_tokens.h"
#include "data/records.h"
#include "data/source_targets/source_target.h"
#include "distributed/ranks.h"
#include "models/generation/generate.h"

namespace rubric::cli {

// InputError when one of `options` is given and `needed`, the option that it is of, is not used.
void refuse_without(const OptionValues& values, bool is_used, const std::string& needed,
                    const std::vector<std::string>& options);

// InputError for any of these options: candidates are chosen, not written.
void require_no_decoding(const OptionValues& values);

// Throws InputError for values that are out of range or do not go together. A text is by default as
// long as the model was `trained` to write, where that is known, and as it has positions for.
models::GenerationOptions generation_options(const OptionValues& values,
                                             std::optional<int64_t> trained,
                                             const data::ModelTokens& tokens);

// What `rubric generate` writes, gone on with by the same call after a stop.

// Everything that rows depend on, the options as they were given.
Json generation_identity(const OptionValues& values, const std::filesystem::path& model,
                         const std::string& fingerprint);

// Rows that are sorted by length together, and kept or made again together after a stop.
int64_t group_of(int64_t batch);

// Adds what is generated for the rows from `first` on. The ranks call it together.
using RowWriter = std::function<void(std::span<const data::SourceTarget> records, int64_t first,
                                     std::span<Json> rows)>;

// Adds to every row of `file`, at most `at_once` at a time, and on rank 0 writes them to --output.
// Throws InputError for an unfinished output that is of another call, Interrupted when a stop is
// requested.
void write_generated(const distributed::Ranks& ranks, const OptionValues& values,
                     data::WholeSourceTargets& file, const Json& identity, int64_t batch,
                     int64_t at_once, const RowWriter& write);

}  // namespace rubric::cli
