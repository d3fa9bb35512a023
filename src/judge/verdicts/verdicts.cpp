#include "judge/verdicts/verdicts.h"

namespace rubric {

std::optional<Verdicts> published_verdicts(std::string_view reply) {
  constexpr std::string_view kAgree = "Agree", kDisagree = "Disagree";
  Verdicts verdicts{};
  size_t found = 0;
  for (size_t at = 0; at < reply.size();) {
    const bool agrees = reply.substr(at).starts_with(kAgree);
    if (!agrees && !reply.substr(at).starts_with(kDisagree)) {
      ++at;
      continue;
    }
    if (found == verdicts.size()) return std::nullopt;
    verdicts[found++] = agrees;
    at += (agrees ? kAgree : kDisagree).size();
  }
  return found == verdicts.size() ? std::optional(verdicts) : std::nullopt;
}

Json to_json(const std::optional<Verdicts>& verdicts) {
  if (!verdicts) return Json();
  Json json;
  for (size_t i = 0; i < kAspects.size(); ++i) json[kAspects[i]] = (*verdicts)[i];
  return json;
}

}  // namespace rubric
