// Command-line options that many commands share: parsing, checked values, and the options for
// bootstrap, input and output formats.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>

#include "config/request.h"
#include "core/error.h"
#include "data/rows/rows.h"
#include "eval/report/table.h"
#include "rubric/result.h"
#include "stats/bootstrap.h"

namespace rubric::cli {

using config::check_json_lines_name;
using config::split_names;
using OptionValues = boost::program_options::variables_map;

struct CommandSyntax {
  std::string usage;                          // for --help: the synopsis and what the command does
  std::map<std::string, std::string> listed;  // what the usage has in place of {name}
  boost::program_options::options_description options{"options"};
  boost::program_options::positional_options_description
      positional;                     // --help shows them only in `usage`
  std::vector<std::string> examples;  // for --help

  // What the options name (also as "NAME=FILE"), for `reproduce`.
  std::vector<std::string> inputs;       // files and directories that are read, among other words
  std::vector<std::string> input_lists;  // the same, several between commas
  std::vector<std::string> outputs;      // files and directories that are written
  std::vector<std::string> models;
  std::map<std::string, std::vector<std::string>> choices;  // the values of options, by name
  std::string metrics;           // the option that lists metrics of metrics/list.h, or ""
  bool prints_results = false;   // as JSON with --format json, to stdout
  bool makes_directory = false;  // a run directory, which must not be there before it starts
  bool resumes = false;          // what a stopped call has written
  bool appends = false;          // to its output: several calls may write one
};

// Adds --help, --version and --quiet, which every command has.
void add_common_options(CommandSyntax& syntax);

// Adds these to the command's options and parses. --help and --version print to stdout and return
// nothing; --quiet takes effect. Throws InputError, for an unknown option with the nearest valid
// one.
std::optional<OptionValues> parse_options(CommandSyntax syntax,
                                          const std::vector<std::string>& arguments);

// The options that --help and others list: without those that are positional.
boost::program_options::options_description shown_options(const CommandSyntax& syntax);

// Whether an option was given; false if it only has its default.
bool is_given(const OptionValues& values, const std::string& option);

// The value of an option, or "" when it was not given.
std::string text_option(const OptionValues& values, const std::string& name);

// The value of an option that names a file or directory, or "" when it was not given; InputError
// when it is empty (usually an unset shell variable).
std::string file_option(const OptionValues& values, const std::string& name);

// As file_option, for a file to be written later: throws InputError at once when it cannot be
// written because its directory is missing or not writable, or a directory has its name.
std::string output_option(const OptionValues& values, const std::string& name);

// Throws InputError when writing `file`, the value of --name, would replace one of `others`; ""
// means no file.
void check_replaces_none(const std::string& name, const std::string& file,
                         const std::vector<std::string>& others);

// The values of a repeatable option, in order.
std::vector<std::string> list_option(const OptionValues& values, const std::string& name);

// The names of a repeatable option, each of whose values may be a list: --metric f1 --metric
// em,lerc.
std::vector<std::string> names_option(const OptionValues& values, const std::string& name);

// Throws InputError when a name of this `kind` ("metric") occurs twice.
void require_distinct(const std::string& kind, const std::vector<std::string>& names);

// An integer option (declared as int64_t, with a default); InputError outside [low, high].
int64_t integer_option(const OptionValues& values, const std::string& name, int64_t low,
                       int64_t high);

// --decoder-start of commands that run a sequence-to-sequence model: "", model or last-input;
// InputError otherwise.
std::string decoder_start_option(const OptionValues& values);

// --config FILE and --set KEY=VALUE. The first is required by config_option(), which throws
// InputError without it.
void add_config_options(CommandSyntax& syntax);
std::string config_option(const OptionValues& values);

// Puts a number of threads into the program's context; 0: one for each core.
void take_threads(int64_t threads);
void take_threads_option(const OptionValues& values);  // that of --threads

// --input-format and --delimiter for a file of rows; the first is by default guessed from its name.
void add_input_format_option(CommandSyntax& syntax);
char delimiter_option(const OptionValues& values);  // '\0': not given
data::InputFormat input_format_option(const OptionValues& values, const std::string& file);

// --missing: what becomes of missing values.
void add_missing_option(CommandSyntax& syntax);

// --format text|json|markdown|csv|latex|html, or several with commas between, and --records NAME.
void add_format_option(CommandSyntax& syntax);

struct Formats {
  std::vector<eval::OutputFormat> formats;
  std::string records;  // the table of records that is printed as CSV in place of all; "": none

  bool has(eval::OutputFormat format) const;
};
Formats formats_option(const OptionValues& values);
inline constexpr const char* kRecordsHelp =
    "print this table of the result's records as CSV, with whole texts; JSON has their names";

// The formats. Throws InputError where a table of records and a format are both asked for.
Formats checked(Formats formats, bool has_format);

// Throws InputError where `option` asks for records and nothing that is written shows them: CSV
// holds measurements alone.
void require_place_for_records(const std::string& option, const Formats& formats,
                               const std::string& report);

// Throws InputError where a result with tables of records of these names lacks the one that is
// asked for: before anything of it is written.
void require_records(const std::vector<std::string>& names, const std::string& name);
std::vector<std::string> names_of_records(const Result& result);

// Logs the result's signature, and its notes where they are not printed, and prints the result, or
// its table of records, which is there; of several formats an object of JSON with each by name.
void print_result(const Result& result, const Formats& formats);

}  // namespace rubric::cli
