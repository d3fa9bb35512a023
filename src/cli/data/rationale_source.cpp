#include "cli/data/rationale_source.h"

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rationales/list.h"

namespace rubric::cli {
namespace {

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

void check_goes_with(const std::string& option, const std::string& kind, Takes takes) {
  if (takes(data::require_rationale_reader(kind))) return;
  throw InputError("--" + option + " does not go with " + kind, "--" + option,
                   "it is an option of " + names_of_those(takes));
}

}  // namespace

std::string RationaleSourceRequest::questions_help() {
  std::vector<std::string> files;
  for (const data::RationaleReader* const reader : data::kRationaleReaders) {
    if (!takes_questions(*reader)) continue;
    files.push_back(std::string(reader->name) + ": the questions, " +
                    std::string(reader->questions));
  }
  return join(files, "; ") + "; may be repeated";
}

std::string RationaleSourceRequest::explanation_help() {
  return names_of_those(takes_explanation) +
         ": which explanation, 1 (the default), 2, 3, or all (a row each, with ids ID/1 and so on)";
}

data::RationaleSource rationale_source(const RationaleSourceRequest& request) {
  data::require_rationale_reader(request.kind);
  if (request.files.empty()) {
    throw InputError("no file is named", "the data set " + request.kind, "name its files");
  }
  if (!request.questions.empty()) check_goes_with("questions", request.kind, takes_questions);
  if (request.explanation) check_goes_with("explanation", request.kind, takes_explanation);
  const std::string number = request.explanation.value_or("1");
  return {request.kind, request.files, request.questions,
          number == "all" ? data::kAllExplanations : *parse_count(number)};
}

void check_sample(const RationaleSourceRequest& request, const std::string& rest, bool has_rest) {
  if (!request.sample) {
    for (const auto& [option, is_given] :
         {std::pair(rest, has_rest), {"seed", request.seed.has_value()}}) {
      if (!is_given) continue;
      throw InputError("--" + option + " is only valid with --sample", "--" + option,
                       "add --sample SHARE, or leave --" + option + " out");
    }
    return;
  }
  if (!(*request.sample > 0 && *request.sample < 1)) {
    throw InputError("the share is not a number above 0 and below 1", "--sample",
                     "for example --sample 0.1");
  }
  if (request.explanation == "all") {
    throw InputError("a sample of --explanation all would separate explanations of one pair",
                     "--sample", "choose one explanation, or leave --sample out");
  }
}

}  // namespace rubric::cli
