// `generate`: its decoding options, and writing its output so that a stopped call can be resumed.
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

// Throws InputError when one of `options` is given although `needed`, the option that they belong
// to, is not used.
void refuse_without(const OptionValues& values, bool is_used, const std::string& needed,
                    const std::vector<std::string>& options);

// Throws InputError for any decoding option: candidates are chosen, not generated.
void require_no_decoding(const OptionValues& values);

// Throws InputError for values that are out of range or incompatible. By default a text is at most
// as long as the model was `trained` to write, if known, and as its positions allow.
models::GenerationOptions generation_options(const OptionValues& values,
                                             std::optional<int64_t> trained,
                                             const data::ModelTokens& tokens);

// Output.

// Everything that determines the rows, with the options as given.
Json generation_identity(const OptionValues& values, const std::filesystem::path& model,
                         const std::string& fingerprint);

// The number of rows that are sorted by length together, and kept or recomputed together after a
// stop.
int64_t group_of(int64_t batch);

// Adds the generated fields to the rows from `first` on. Collective.
using RowWriter = std::function<void(std::span<const data::SourceTarget> records, int64_t first,
                                     std::span<Json> rows)>;

// Adds to every row of `file`, at most `at_once` at a time, and on rank 0 writes them to --output.
// Throws InputError for an unfinished output of another call, Interrupted when a stop is requested.
void write_generated(const distributed::Ranks& ranks, const OptionValues& values,
                     data::SourceTargetRows& file, const Json& identity, int64_t batch,
                     int64_t at_once, const RowWriter& write);

}  // namespace rubric::cli
