#include "judge/ledger/ledger.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "judge/request.h"
#include "judge/verdicts/reply.h"

namespace rubric::judge {

namespace {

// Whether a line without line end is complete: a truncated object is not valid JSON.
bool is_whole(std::string_view line) {
  const std::optional<Json> json = parsed_json(line);
  return json && json->is_object();
}

// Throws unless the first line may be an entry, whole or damaged.
void require_entry(std::string_view line, const std::string& where) {
  const std::optional<Json> json = parsed_json(line);
  if (json ? json->is_object() && json->find("key") != nullptr : line.starts_with('{')) return;
  throw InputError("this is no ledger: its first line has no \"key\"", where,
                   "name the ledger that `rubric judge --ledger FILE` wrote");
}

// Throws unless the line is the beginning of an entry: otherwise the file is not a ledger and must
// not be truncated. (A power failure leaves zeros for data that was not on disk yet.)
void require_torn_entry(std::string_view line, const std::string& where) {
  if (line.find_first_not_of('\0') == line.npos) return;
  constexpr std::string_view kBegin = "{\"key\": \"";  // of a written to_json(LedgerEntry)
  const size_t size = std::min(line.size(), kBegin.size());
  if (line.substr(0, size) == kBegin.substr(0, size)) return;
  throw InputError("the file ends in something that is not a line of a ledger", where,
                   "name a ledger, or a file that is not there yet");
}

std::string named(const EntryJudge& judge) {
  constexpr size_t kShown = 12;
  return judge.judge + ", " +
         (judge.prompt_hash.empty() ? "an unknown prompt"
                                    : "the prompt " + judge.prompt_hash.substr(0, kShown)) +
         " and " + (judge.parameters.empty() ? "unknown parameters" : judge.parameters);
}

// Checks the lines of a ledger in sequence.
class LedgerCheck {
 public:
  explicit LedgerCheck(LedgerMix mix) : mix_(mix) {}

  void operator()(const Json& json, const LedgerEntry& entry, const std::string& where) {
    const EntryJudge judge = entry_judge(entry);
    if (!first_) first_ = judge;
    if (mix_ == LedgerMix::refused && judge != *first_) {
      throw InputError(
          "the ledger's first line has " + named(*first_) + ", and this one has " + named(judge),
          where,
          "keep a ledger for each; or let judge mix them with --mixed, and choose with --judge, "
          "--prompt-hash or --parameters of evaluate, which are only valid with --ledger");
    }
    const bool is_new_prompt =
        !entry.prompt_hash.empty() && prompts_.insert(entry.prompt_hash).second;
    if (is_new_prompt && sha256(json.require_string("prompt", where)) != entry.prompt_hash) {
      throw InputError("the prompt is not the one that prompt_hash names", where,
                       "name a ledger that rubric judge wrote and nobody changed");
    }
    if (seen_.emplace(judge, judged_answer(entry), entry.attempt).second) return;
    throw InputError("attempt " + std::to_string(entry.attempt) + " at id " +
                         json_quote(entry.answer.id) + " of " + entry.answer.source +
                         " occurs twice",
                     where, "take one of the lines out");
  }

 private:
  LedgerMix mix_;
  std::optional<EntryJudge> first_;
  std::set<std::string> prompts_;  // hashes of prompts whose text was in an earlier line
  std::set<std::tuple<EntryJudge, JudgedAnswer, int64_t>> seen_;
};

void require_kind(const LedgerEntry& entry, Judgements counted, const std::string& where) {
  const bool compares = entry.order != AnswerOrder::none;
  if (compares == (counted == Judgements::preferences)) return;
  const std::string place = "id " + json_quote(entry.answer.id) + " of " + entry.answer.source;
  if (compares) {
    throw InputError("the ledger holds preferences between two answers (" + place + ")", where,
                     "rubric evaluate preference counts them");
  }
  throw InputError("the ledger holds verdicts on single answers (" + place + ")", where,
                   "rubric evaluate chie counts them");
}

void require_one_language(const std::vector<const LedgerEntry*>& entries,
                          const std::string& where) {
  std::map<std::string, std::string> languages;  // by system
  for (const LedgerEntry* entry : entries) {
    const auto& [system, language] =
        *languages.emplace(entry->answer.source, entry->language).first;
    if (language == entry->language) continue;
    throw InputError(system + " has answers in " + language + " and " + entry->language, where,
                     "`evaluate chie` takes --language " + entry->language +
                         "; give other commands a ledger of one of the two");
  }
}

}  // namespace

LedgerEnd visit_ledger(const std::filesystem::path& file, LedgerMix mix,
                       const LedgerVisitor& visit) {
  require_readable_file(file);
  require_no_pipe(file);
  // Not mapped: a judge that starts meanwhile takes a torn line off.
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(std::string("cannot open: ") + std::strerror(errno), file.string(),
                     "check the path, and who may read it");
  }
  LedgerEnd ending;
  Sha256 hash;
  LedgerCheck check(mix);
  int64_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::string where = file.string() + ":" + std::to_string(++number);
    hash.add(line);
    ending.lacks_line_end = stream.eof();
    if (ending.lacks_line_end && !is_whole(line)) {
      require_torn_entry(line, where);
      ending.lacks_line_end = false;
      ending.torn_bytes = std::ssize(line);
      break;
    }
    if (!ending.lacks_line_end) hash.add("\n");
    if (number == 1) require_entry(line, where);
    const Json json = Json::parse(line, where);
    LedgerEntry entry = ledger_entry(json, where);
    check(json, entry, where);
    visit(std::move(entry), number);
  }
  if (stream.bad())
    throw InputError("cannot read", file.string(), "check the disk, or copy the file again");
  ending.sha256 = hash.digits();
  return ending;
}

Ledger read_ledger(const std::filesystem::path& file, LedgerMix mix) {
  Ledger ledger;
  const LedgerEnd end = visit_ledger(
      file, mix, [&](LedgerEntry entry, int64_t) { ledger.entries.push_back(std::move(entry)); });
  ledger.torn_bytes = end.torn_bytes;
  ledger.sha256 = end.sha256;
  return ledger;
}

Ledger read_ledger_of(const std::filesystem::path& file, const JudgeChoice& choice) {
  Ledger ledger = read_ledger(file, LedgerMix::allowed);
  std::set<std::string> all, chosen;
  std::erase_if(ledger.entries, [&](const LedgerEntry& entry) {
    const std::string name = named(entry_judge(entry));
    all.insert(name);
    const bool is_other = (!choice.judge.empty() && entry.judge != choice.judge) ||
                          !entry.prompt_hash.starts_with(choice.prompt_hash) ||
                          (!choice.parameters.empty() && entry.parameters != choice.parameters);
    if (!is_other) chosen.insert(name);
    return is_other;
  });
  if (chosen.size() == 1) return ledger;
  throw InputError(
      chosen.empty() ? "the ledger holds nothing of this judge"
                     : "the ledger's replies are still of several judges: " +
                           join({chosen.begin(), chosen.end()}, "; "),
      file.string(),
      "name one of these with --judge and --prompt-hash: " + join({all.begin(), all.end()}, "; "));
}

Ledger read_chosen_ledger(const std::filesystem::path& file, const JudgeChoice& choice) {
  const bool chooses =
      !choice.judge.empty() || !choice.prompt_hash.empty() || !choice.parameters.empty();
  JudgeChoice chosen = choice;
  if (!chosen.parameters.empty()) {
    chosen.parameters = judge_parameters(chosen.parameters, "--parameters");
  }
  Ledger ledger = chooses ? read_ledger_of(file, chosen) : read_ledger(file);
  if (!choice.parser.empty()) {
    const VerdictParser parser = parser_of_name(choice.parser, "--parser");
    for (LedgerEntry& entry : ledger.entries) entry.parser = parser;
  }
  if (ledger.torn_bytes > 0) {
    log_warning(file.string() + ": the last line is torn and left out (" +
                std::to_string(ledger.torn_bytes) + " bytes)");
  }
  return ledger;
}

std::vector<const LedgerEntry*> last_attempts(std::span<const LedgerEntry> entries,
                                              Judgements counted, const std::string& language,
                                              const std::string& where) {
  std::vector<const LedgerEntry*> last;
  std::map<JudgedAnswer, size_t> places;
  std::set<std::string> languages;
  for (const LedgerEntry& entry : entries) {
    require_kind(entry, counted, where);
    languages.insert(entry.language);
    if (!language.empty() && entry.language != language) continue;
    const auto [place, is_new] = places.emplace(judged_answer(entry), last.size());
    if (is_new) {
      last.push_back(&entry);
    } else if (last[place->second]->attempt < entry.attempt) {
      last[place->second] = &entry;
    }
  }
  if (entries.empty())
    throw InputError("the ledger is empty", where, "name the ledger that `rubric judge` wrote");
  if (last.empty()) {
    throw InputError("no answer is in the language " + json_quote(language), where,
                     "name one of " + join({languages.begin(), languages.end()}));
  }
  require_one_language(last, where);
  return last;
}

std::vector<LastVerdicts> last_verdicts(const Ledger& ledger, const std::string& where) {
  std::vector<LastVerdicts> replies;
  for (const LedgerEntry* const entry :
       last_attempts(ledger.entries, Judgements::verdicts, "", where)) {
    replies.push_back({entry, read_verdicts(entry->reply, entry->parser)});
  }
  if (std::ranges::any_of(replies, [](const LastVerdicts& reply) { return !!reply.verdicts; })) {
    return replies;
  }
  throw InputError(unread_text(std::ssize(replies), reply_sample(*replies.front().entry)), where,
                   "see whether --parser reads them, or judge the answers again");
}

std::string unread_note(std::span<const LastVerdicts> replies, const std::string& what) {
  int64_t unread = 0;
  std::map<std::string, int64_t> read_by;  // a parser, of these
  for (const auto& [entry, verdicts] : replies) {
    if (verdicts) continue;
    ++unread;
    for (const VerdictParser parser : {VerdictParser::published, VerdictParser::strict}) {
      if (read_verdicts(entry->reply, parser)) ++read_by[parser_name(parser)];
    }
  }
  if (unread == 0) return "";
  std::vector<std::string> readings;
  for (const auto& [parser, count] : read_by) {
    readings.push_back("--parser " + parser + " reads " + std::to_string(count) + " of them");
  }
  return counted(unread, "reply holds", "replies hold") + " no verdicts" +
         (readings.empty() ? "" : " (" + join(readings) + ")") + ": " + what;
}

std::string ledger_signature(const Ledger& ledger) {
  constexpr size_t kShown = 12;
  const LedgerEntry& first = ledger.entries.front();
  return "ledger:" + ledger.sha256.substr(0, kShown) + "|judge:" + signature_text(first.judge) +
         "|prompt:" + (first.prompt_hash.empty() ? "unknown" : first.prompt_hash.substr(0, kShown));
}

}  // namespace rubric::judge
