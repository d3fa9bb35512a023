#include "judge/verdicts/verdicts.h"

#include "core/text/ascii.h"

namespace rubric::judge {

namespace {

constexpr std::string_view kAround = " \t\r\n*_`#>'\"[](){}.";

std::optional<Preference> exact_preference(std::string_view text) {
  const size_t begin = text.find_first_not_of(kAround);
  if (begin == text.npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
  if (text == "A") return Preference::a;
  if (text == "B") return Preference::b;
  if (ascii_lower(text) == "tie") return Preference::tie;
  return std::nullopt;
}

}  // namespace

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

std::optional<Preference> read_preference(std::string_view reply) {
  if (const auto whole = exact_preference(reply)) return whole;
  const size_t end = reply.find_last_not_of(kAround);
  if (end == reply.npos) return std::nullopt;
  const size_t line = reply.rfind('\n', end), colon = reply.rfind(':', end);
  for (const size_t before : {line, colon}) {
    if (before == reply.npos) continue;
    if (const auto last = exact_preference(reply.substr(before + 1))) return last;
  }
  return std::nullopt;
}

std::vector<Message> preference_messages(const std::string& prompt, const data::Answer& asked,
                                         const std::string& first, const std::string& second) {
  return {{"system", prompt},
          {"user", "Passage: " + asked.passage + "\nQuestion: " + asked.question +
                       "\nAnswer A: \"" + first + "\"\nAnswer B: \"" + second + "\"\n"}};
}

const char* preference_name(Preference preference) {
  constexpr const char* kNames[] = {"A", "B", "Tie"};
  return kNames[static_cast<size_t>(preference)];
}

}  // namespace rubric::judge
