#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "eval/preference/preference.h"
#include "eval/report/table.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "eval/signature.h"
#include "judge/ledger/entry.h"
#include "judge/ledger/ledger.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

// The entries of one pair; nullptr for an order that was not asked.
struct AskedPair {
  const judge::LedgerEntry *ab = nullptr, *ba = nullptr;

  const judge::LedgerEntry& either() const { return ab != nullptr ? *ab : *ba; }
};

// A pair that is counted.
struct CountedPair {
  judge::Preference preferred;           // over both orders; a is the candidate
  std::vector<judge::Preference> shown;  // by order; a is the answer shown first
  const judge::LedgerEntry* entry;
};

// How often each Preference was given: a, b, tie.
using PreferenceCounts = std::array<int64_t, 3>;

struct Tally {
  PreferenceCounts preferred{}, shown{};
};

// A case: the pairs of one system of the ledger, such as "C vs CH".
struct PreferenceCase {
  std::string name, language;
  std::vector<CountedPair> counted = {};
  int64_t invalid = 0;     // pairs with a reply without a preference
  int64_t incomplete = 0;  // pairs that lack one of the orders
};

bool is_same_pair(const judge::LedgerEntry& a, const judge::LedgerEntry& b) {
  return a.answer.question == b.answer.question && a.passage_hash == b.passage_hash &&
         a.answer.candidate == b.answer.candidate && a.other == b.other;
}

std::vector<AskedPair> asked_pairs(const std::vector<const judge::LedgerEntry*>& entries,
                                   const std::string& where) {
  std::vector<AskedPair> pairs;
  std::map<judge::JudgedAnswer, size_t> places;
  for (const judge::LedgerEntry* entry : entries) {
    judge::JudgedAnswer name = judge::judged_answer(*entry);
    name.order = judge::AnswerOrder::none;
    const auto [place, is_new] = places.emplace(name, pairs.size());
    if (is_new) pairs.emplace_back();
    AskedPair& pair = pairs[place->second];
    (entry->order == judge::AnswerOrder::ab ? pair.ab : pair.ba) = entry;
    const judge::LedgerEntry& first = pair.either();
    if (is_same_pair(first, *entry)) continue;
    throw InputError("the two orders of id " + json_quote(name.id) + " of " + name.system +
                         " have different texts",
                     where, "give each pair an id of its own");
  }
  return pairs;
}

judge::Preference agreed(judge::Preference ab, judge::Preference ba) {
  return ab == ba ? ab : judge::Preference::tie;
}

// Nothing if a reply holds no preference.
std::optional<CountedPair> counted_pair(const AskedPair& pair) {
  std::optional<CountedPair> counted;
  for (const judge::LedgerEntry* entry : {pair.ab, pair.ba}) {
    if (entry == nullptr) continue;
    const std::optional<judge::Preference> preferred = judge::entry_preference(*entry);
    if (!preferred) return std::nullopt;
    if (counted) {
      counted->preferred = agreed(counted->preferred, *preferred);
    } else {
      counted = CountedPair{*preferred, {}, entry};
    }
    counted->shown.push_back(judge::read_preference(entry->reply).value());
  }
  return counted;
}

// Counts each pair as often as `times` says.
Tally tally(const std::vector<CountedPair>& pairs, stats::Counts times) {
  Tally tally;
  for (size_t i = 0; i < pairs.size(); ++i) {
    tally.preferred[static_cast<size_t>(pairs[i].preferred)] += times[i];
    for (const judge::Preference shown : pairs[i].shown) {
      tally.shown[static_cast<size_t>(shown)] += times[i];
    }
  }
  return tally;
}

stats::Clusters pair_questions(const std::vector<CountedPair>& pairs) {
  std::vector<std::pair<std::string, std::string>> questions;  // passage and question
  for (const CountedPair& pair : pairs) {
    questions.emplace_back(pair.entry->passage_hash, pair.entry->answer.question);
  }
  return stats::clusters_by(questions);
}

std::optional<double> share(int64_t count, const PreferenceCounts& of) {
  const int64_t n = of[0] + of[1] + of[2];
  if (n == 0) return std::nullopt;
  return static_cast<double>(count) / static_cast<double>(n);
}

// The shares of preferences, then those of positions, and of these the first less the second.
stats::Statistics shares_of(const Tally& tally) {
  stats::Statistics shares;
  for (const PreferenceCounts& counts : {tally.preferred, tally.shown}) {
    for (const int64_t count : counts) shares.push_back(share(count, counts));
  }
  shares.push_back(share(tally.shown[0] - tally.shown[1], tally.shown));
  return shares;
}

using Names = std::array<const char*, 3>;
constexpr Names kAnswers = {"a", "b", "tie"};             // of preference: over the pairs
constexpr Names kPositions = {"first", "second", "tie"};  // of position: over the replies

// Pairs with the values of their tally.
class MeasuredPairs {
 public:
  // `system`: of all cases "".
  MeasuredPairs(const std::vector<CountedPair>& pairs, const std::string& system,
                const stats::BootstrapOptions& bootstrap, std::vector<Measurement>& to)
      : pairs_(pairs),
        tally_(tally(pairs, std::vector<uint32_t>(pairs.size(), 1))),
        shares_(shares_of(tally_)),
        resampled_(stats::resampled_statistics(
            pair_questions(pairs), bootstrap, 0, shares_.size(),
            [&](stats::Counts times) { return shares_of(tally(pairs, times)); })),
        add_{.to = to, .keys = {.system = system}, .why_missing = "no pair counts"} {}

  void add_preference() {
    add_.keys.metric = "preference";
    add_shares(tally_.preferred, kAnswers, 0);
  }

  // A judge without bias has a difference of 0.
  void add_position() {
    add_.keys.metric = "position";
    add_shares(tally_.shown, kPositions, kAnswers.size());
    add_.keys.subset = "";
    add_share("difference", shares_.size() - 1);
    int64_t first_twice = 0, second_twice = 0, tie_once = 0;
    for (const CountedPair& pair : pairs_) {
      const judge::Preference ab = pair.shown[0], ba = pair.shown[1];
      if (ab != ba) {
        tie_once += ab == judge::Preference::tie || ba == judge::Preference::tie ? 1 : 0;
      } else if (ab != judge::Preference::tie) {
        ++(ab == judge::Preference::a ? first_twice : second_twice);
      }
    }
    add_count("first", "twice", first_twice);
    add_count("second", "twice", second_twice);
    add_count("tie", "once", tie_once);
  }

 private:
  // How often each of `names`, a subset, was given; `first`: the number of its share.
  void add_shares(const PreferenceCounts& counts, const Names& names, size_t first) {
    add_.n = counts[0] + counts[1] + counts[2];
    for (size_t i = 0; i < names.size(); ++i) {
      add_count(names[i], "count", counts[i]);
      add_share("share", first + i);
    }
  }

  void add_share(const char* statistic, size_t number) {
    add_(statistic, shares_[number], stats::percentile_interval(resampled_[number]));
  }

  void add_count(const char* subset, const char* statistic, int64_t count) {
    add_.keys.subset = subset;
    add_.counts({{statistic, count}});
  }

  const std::vector<CountedPair>& pairs_;
  Tally tally_;
  stats::Statistics shares_;
  std::vector<stats::Statistics> resampled_;
  Adder add_;
};

PreferenceCase& case_of(const judge::LedgerEntry& entry, std::vector<PreferenceCase>& cases) {
  const auto found = std::ranges::find(cases, entry.answer.source, &PreferenceCase::name);
  if (found != cases.end()) return *found;
  return cases.emplace_back(PreferenceCase{entry.answer.source, entry.language});
}

std::vector<std::string> case_notes(const std::vector<PreferenceCase>& cases, bool in_both_orders,
                                    const stats::BootstrapOptions& bootstrap) {
  int64_t invalid = 0, incomplete = 0;
  std::set<std::string> languages;
  std::vector<CountedPair> all;
  for (const PreferenceCase& one : cases) {
    languages.insert(one.language);
    invalid += one.invalid;
    incomplete += one.incomplete;
    all.insert(all.end(), one.counted.begin(), one.counted.end());
  }
  const bool by_question = pair_questions(all).count < all.size();
  std::vector<std::string> notes = {
      std::string("A, B: on how many pairs the judge prefers answer_a or answer_b") +
          (in_both_orders ? ", in both orders; Tie: neither, or not the same one in both"
                          : "; Tie: neither"),
      "95% intervals of " + std::to_string(bootstrap.resamples) + " bootstrap resamples" +
          (by_question ? " of the questions, all pairs of one together" : " of the pairs")};
  languages.erase("");
  if (!languages.empty())
    notes.push_back("Language: " + join({languages.begin(), languages.end()}));
  add_count("Pairs with a reply that holds no preference (invalid), left out", invalid, notes);
  add_count("Pairs that the ledger has in one order alone (incomplete), left out", incomplete,
            notes);
  if (!in_both_orders) {
    notes.emplace_back(
        "Every pair is asked in one order, so it is unknown whether the order matters");
  }
  return notes;
}

}  // namespace

Result evaluate_preferences(std::span<const judge::LedgerEntry> entries,
                            const std::string& language, const stats::BootstrapOptions& bootstrap,
                            const std::string& where) {
  const std::vector<AskedPair> asked = asked_pairs(
      judge::last_attempts(entries, judge::Judgements::preferences, language, where), where);
  const bool in_both_orders =
      std::ranges::any_of(asked, [](const AskedPair& pair) { return pair.ba != nullptr; });
  std::vector<PreferenceCase> cases;
  std::vector<CountedPair> all;
  for (const AskedPair& pair : asked) {
    PreferenceCase& one = case_of(pair.either(), cases);
    if (in_both_orders && (pair.ab == nullptr || pair.ba == nullptr)) {
      ++one.incomplete;
    } else if (const auto counted = counted_pair(pair)) {
      one.counted.push_back(*counted);
      all.push_back(*counted);
    } else {
      ++one.invalid;
    }
  }
  Result result{.title = "Which of two answers a judge prefers",
                .tables = {read_layout("preference", "cases")}};
  result.tables.front().notes = case_notes(cases, in_both_orders, bootstrap);
  for (const PreferenceCase& one : cases) {
    MeasuredPairs measured(one.counted, one.name, bootstrap, result.measurements);
    measured.add_preference();
    Adder{result.measurements, {.system = one.name}}.counts(
        {{"invalid", one.invalid}, {"incomplete", one.incomplete}});
    if (in_both_orders) measured.add_position();
  }
  if (!in_both_orders) return result;
  MeasuredPairs(all, "", bootstrap, result.measurements).add_position();
  result.tables.push_back(read_layout("preference", "position"));
  return result;
}

Result evaluate_preference_file(const PreferenceRequest& request, const Context& context) {
  const ContextScope scope(context);
  const judge::Ledger ledger = judge::read_chosen_ledger(request.ledger, request.judge);
  Result result = evaluate_preferences(ledger.entries, request.language, request.bootstrap,
                                       request.ledger.string());
  const bool in_both_orders = result.tables.size() > 1;
  result.signature = Signature("preference|" + judge::ledger_signature(ledger))
                         .add("orders", in_both_orders ? "both" : "one")
                         .text("language", request.language)
                         .end(request.bootstrap);
  result.inputs = {request.ledger.string()};
  return result;
}

}  // namespace rubric::eval
