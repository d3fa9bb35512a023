#include "data/rationales/rationale_sources.h"

#include <iterator>
#include <utility>

#include "core/error.h"
#include "data/rationales/cose.h"
#include "data/rationales/ecqa.h"
#include "data/rationales/esnli.h"
#include "data/rationales/las.h"
#include "data/rationales/quartz.h"

namespace rubric {
namespace {

std::vector<FoundRationale> read_one(const RationaleSource& source, const std::string& file) {
  if (source.kind == "ecqa") return read_ecqa(file);
  if (source.kind == "cose") return read_cose(file);
  if (source.kind == "las") return read_las(file);
  if (source.kind == "quartz") return read_quartz(file);
  if (source.kind == "esnli") return read_esnli(file, source.explanation);
  throw unknown_name("data set of rationales", source.kind, rationale_kinds());
}

}  // namespace

const std::vector<std::string>& rationale_kinds() {
  static const std::vector<std::string> kinds = {"ecqa", "cose", "las", "quartz", "esnli"};
  return kinds;
}

RationaleSet read_rationale_source(const RationaleSource& source) {
  std::vector<FoundRationale> found;
  for (const std::string& file : source.files) {
    std::vector<FoundRationale> examples = read_one(source, file);
    if (examples.empty()) throw InputError("the file has no examples", file);
    found.insert(found.end(), std::move_iterator(examples.begin()),
                 std::move_iterator(examples.end()));
  }
  const bool lacks_questions = source.kind == "cose" && source.questions.empty();
  if (lacks_questions) return usable_rationales(std::move(found), Checked::rationales);
  if (source.kind == "cose") add_questions(found, read_commonsenseqa(source.questions));
  return usable_rationales(std::move(found));
}

}  // namespace rubric
