#include "judge/ledger.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"

namespace rubric {
namespace {

// Whether a line without its end is all there: no beginning of an object is one.
bool is_whole(std::string_view line, const std::string& where) {
  try {
    return Json::parse(line, where).is_object();
  } catch (const InputError&) {
    return false;
  }
}

// What is no part of a ledger's line must not be taken off as if it were: the file is another one.
void require_torn_entry(std::string_view line, const std::string& where) {
  constexpr std::string_view kBegin = "{\"key\": \"";  // of to_json(LedgerEntry), written
  const size_t size = std::min(line.size(), kBegin.size());
  if (line.substr(0, size) == kBegin.substr(0, size)) return;
  throw InputError("the file ends in something that is no line of a ledger", where,
                   "name a ledger, or a file that is not there yet");
}

std::string named_prompt(const std::string& hash) {
  constexpr size_t kShown = 12;
  return hash.empty() ? "an unknown prompt" : "the prompt " + hash.substr(0, kShown);
}

void require_same_judge(const LedgerEntry& first, const LedgerEntry& entry,
                        const std::string& where) {
  if (entry.judge == first.judge && entry.prompt_hash == first.prompt_hash) return;
  throw InputError("the ledger's first line is of " + first.judge + " and " +
                       named_prompt(first.prompt_hash) + ", this one of " + entry.judge + " and " +
                       named_prompt(entry.prompt_hash),
                   where, "keep a ledger for each judge and prompt");
}

// The prompt's text, which stands in the first line where it is known.
std::string prompt_of(const Json& first, const LedgerEntry& entry, const std::string& where) {
  if (entry.prompt_hash.empty()) return "";
  std::string prompt = first.require_string("prompt", where);
  if (sha256(prompt) == entry.prompt_hash) return prompt;
  throw InputError("the prompt is not the one that prompt_hash names", where,
                   "name a ledger that rubric judge wrote and nobody changed");
}

}  // namespace

JudgedAnswer judged_answer(const LedgerEntry& entry) {
  return {entry.answer.source, entry.language, entry.answer.id};
}

Ledger read_ledger(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  Ledger ledger;
  std::set<std::pair<JudgedAnswer, int64_t>> seen;
  for (std::string_view rest = mapped.bytes(); !rest.empty();) {
    const std::string where = file.string() + ":" + std::to_string(std::ssize(ledger.entries) + 1);
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    ledger.lacks_line_end = end == rest.npos;
    if (ledger.lacks_line_end && !is_whole(line, where)) {
      require_torn_entry(line, where);
      ledger.lacks_line_end = false;
      ledger.torn_bytes = std::ssize(line);
      break;
    }
    rest.remove_prefix(line.size() + (ledger.lacks_line_end ? 0 : 1));
    const Json json = Json::parse(line, where);
    LedgerEntry entry = ledger_entry(json, where);
    if (ledger.entries.empty()) ledger.prompt = prompt_of(json, entry, where);
    if (!ledger.entries.empty()) require_same_judge(ledger.entries.front(), entry, where);
    if (!seen.emplace(judged_answer(entry), entry.attempt).second) {
      throw InputError("attempt " + std::to_string(entry.attempt) + " at id " +
                           json_quote(entry.answer.id) + " of " + entry.answer.source +
                           " stands twice",
                       where, "take one of the lines out");
    }
    ledger.entries.push_back(std::move(entry));
  }
  return ledger;
}

}  // namespace rubric
