// What the command lines of all commands share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>

#include "core/error.h"
#include "data/rows/rows.h"
#include "eval/report/table.h"
#include "stats/bootstrap.h"

namespace rubric::cli {

using OptionValues = boost::program_options::variables_map;

struct CommandSyntax {
  std::string usage;  // for --help: the synopsis and what the command does
  boost::program_options::options_description options{"options"};
  boost::program_options::positional_options_description positional;
  std::string too_many_hint;  // what to do about one positional argument too many; "": the usual
};

// Adds --help, --version and --quiet to the command's options and parses. The first two print to
// stdout and give nothing back; --quiet takes effect. What is wrong is an InputError; for an
// unknown option it names the nearest valid one.
std::optional<OptionValues> parse_options(CommandSyntax syntax,
                                          const std::vector<std::string>& arguments);

// The value of an option with a value, or "" when it was not given.
std::string text_option(const OptionValues& values, const std::string& name);

// The value of an option that names a file or folder, or "" when it was not given; InputError when
// it is given empty (an unset shell variable, most often).
std::string file_option(const OptionValues& values, const std::string& name);

// As file_option, for a file that will be written when the work is done: InputError at once when it
// cannot be, because its folder is missing or closed, or a folder has its name.
std::string output_option(const OptionValues& values, const std::string& name);

// Whether two names lead to one file, also where nothing is yet. Pipes and devices, which nothing
// replaces, are never one.
bool is_same_file(const std::string& a, const std::string& b);

// InputError when writing `file`, which --name names, would replace one of `others`; "" is no file.
void check_replaces_none(const std::string& name, const std::string& file,
                         const std::vector<std::string>& others);

// InputError when --output names a table (.csv, .tsv): what is written holds JSON lines.
void check_json_lines_name(const std::string& output);

// The values of an option that may be repeated, in their order.
std::vector<std::string> list_option(const OptionValues& values, const std::string& name);

// The names in "a,b", without the blanks around them; InputError when one is empty.
std::vector<std::string> split_names(const std::string& list);

// As split_names; InputError when a name of this `kind` ("metric") occurs twice, too.
std::vector<std::string> distinct_names(const std::string& kind, const std::string& list);

// A whole number (declared as int64_t, with a default); InputError outside [low, high].
int64_t integer_option(const OptionValues& values, const std::string& name, int64_t low,
                       int64_t high);

// --decoder-start of what runs a model that writes: "", model or last-input; InputError otherwise.
std::string decoder_start_option(const OptionValues& values);

// --resamples and --seed of the bootstrap and of permutation tests.
void add_bootstrap_options(CommandSyntax& syntax);
stats::BootstrapOptions bootstrap_options(const OptionValues& values);

// --input-format of a file of rows: by its name where it is not given.
void add_input_format_option(CommandSyntax& syntax);
data::InputFormat input_format_option(const OptionValues& values, const std::string& file);

// --format text|json|markdown|csv|latex
void add_format_option(CommandSyntax& syntax);
eval::OutputFormat format_option(const OptionValues& values);

}  // namespace rubric::cli
