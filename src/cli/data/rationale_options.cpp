#include "cli/data/rationale_options.h"

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rationales/list.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

int64_t explanation_option(const OptionValues& values) {
  const std::string text = text_option(values, "explanation");
  if (text == "all") return data::kAllExplanations;
  if (text == "1" || text == "2" || text == "3") return *parse_count(text);
  throw InputError("there is no explanation \"" + text + "\"", "--explanation",
                   "choose 1, 2, 3 or all");
}

bool takes_questions(const data::RationaleReader& reader) {
  return reader.add_questions != nullptr;
}

bool takes_explanation(const data::RationaleReader& reader) {
  return reader.read_explanation != nullptr;
}

using Takes = bool (*)(const data::RationaleReader& reader);

std::string names_of_those(Takes takes) {
  std::vector<std::string> names;
  for (const data::RationaleReader* const reader : data::kRationaleReaders) {
    if (takes(*reader)) names.emplace_back(reader->name);
  }
  return join(names);
}

// The help of --questions.
std::string questions_help() {
  std::vector<std::string> files;
  for (const data::RationaleReader* const reader : data::kRationaleReaders) {
    if (!takes_questions(*reader)) continue;
    files.push_back(std::string(reader->name) + ": the questions, " +
                    std::string(reader->questions));
  }
  return join(files, "; ") + "; may be repeated";
}

void check_goes_with(const OptionValues& values, const std::string& option, const std::string& kind,
                     Takes takes) {
  if (!is_given(values, option) || takes(data::require_rationale_reader(kind))) return;
  throw InputError("--" + option + " does not go with " + kind, "--" + option,
                   "it is an option of " + names_of_those(takes));
}

}  // namespace

void add_rationale_options(CommandSyntax& syntax) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("questions",
                               po::value<std::vector<std::string>>()->value_name("FILE"),
                               questions_help().c_str())(
      "explanation", text("N")->default_value("1"),
      (names_of_those(takes_explanation) +
       ": which explanation, 1, 2, 3, or all (a row each, with ids ID/1 and so on)")
          .c_str())("sample", text("SHARE"),
                    "draw this share of the first split's examples, rounded down")(
      "seed", po::value<int64_t>()->default_value(0)->value_name("N"),
      "with --sample: another seed, another sample");
}

data::RationaleSource rationale_source(const OptionValues& values, const std::string& kind,
                                       const std::vector<std::string>& files) {
  check_goes_with(values, "questions", kind, takes_questions);
  check_goes_with(values, "explanation", kind, takes_explanation);
  return {kind, files, list_option(values, "questions"), explanation_option(values)};
}

SampleOptions sample_options(const OptionValues& values, const std::string& rest) {
  SampleOptions options;
  options.rest = file_option(values, rest);
  options.seed = static_cast<uint64_t>(integer_option(values, "seed", 0, INT64_MAX));
  if (!is_given(values, "sample")) {
    for (const std::string& option : {rest, std::string("seed")}) {
      if (!is_given(values, option)) continue;
      throw InputError("--" + option + " is only valid with --sample", "--" + option,
                       "add --sample SHARE, or leave --" + option + " out");
    }
    return options;
  }
  const std::string share = text_option(values, "sample");
  options.share = parse_number(share).value_or(0);
  if (!(options.share > 0 && options.share < 1)) {
    throw InputError("the share is \"" + share + "\", not a number above 0 and below 1", "--sample",
                     "for example --sample 0.1");
  }
  if (text_option(values, "explanation") == "all") {
    throw InputError("a sample of --explanation all would separate explanations of one pair",
                     "--sample", "choose one explanation, or leave --sample out");
  }
  return options;
}

}  // namespace rubric::cli
