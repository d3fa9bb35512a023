#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/error.h"
#include "eval/preference/preference.h"
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

using PreferenceCounts = std::array<int64_t, 3>;

struct Tally {
  PreferenceCounts preferred{}, shown{};
};

// The tallies of the pairs, and of each resample.
struct Tallies {
  Tally all;
  std::vector<Tally> resampled;
};

struct Estimate {
  std::optional<double> value;
  std::optional<stats::Interval> interval;
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

Tallies tallies_of(const std::vector<CountedPair>& pairs,
                   const stats::BootstrapOptions& bootstrap) {
  const std::vector<uint32_t> once(pairs.size(), 1);
  Tallies tallies{tally(pairs, once), {}};
  const stats::Clusters questions = pair_questions(pairs);
  if (questions.count < 2) return tallies;  // one question has no resamples but itself
  tallies.resampled.resize(static_cast<size_t>(bootstrap.resamples));
  stats::visit_resamples(questions, bootstrap, 0, [&](size_t resample, stats::Counts times) {
    tallies.resampled[resample] = tally(pairs, times);
  });
  return tallies;
}

Estimate estimate(const Tallies& tallies,
                  const std::function<std::optional<double>(const Tally&)>& statistic) {
  std::vector<std::optional<double>> resampled;
  for (const Tally& each : tallies.resampled) resampled.push_back(statistic(each));
  return {statistic(tallies.all), stats::percentile_interval(resampled)};
}

std::optional<double> share(int64_t count, const PreferenceCounts& of) {
  const int64_t n = of[0] + of[1] + of[2];
  if (n == 0) return std::nullopt;
  return static_cast<double>(count) / static_cast<double>(n);
}

PreferenceShares shares_of(const Tallies& tallies, PreferenceCounts Tally::*counts) {
  PreferenceShares shares;
  shares.counts = tallies.all.*counts;
  for (size_t i = 0; i < shares.counts.size(); ++i) {
    const auto [value, interval] = estimate(
        tallies, [&](const Tally& tally) { return share((tally.*counts)[i], tally.*counts); });
    shares.shares[i] = value;
    shares.intervals[i] = interval;
  }
  return shares;
}

PositionBias position_of(const Tallies& tallies, const std::vector<CountedPair>& pairs) {
  PositionBias position;
  position.shown = shares_of(tallies, &Tally::shown);
  const auto [difference, interval] = estimate(tallies, [](const Tally& tally) {
    return share(tally.shown[0] - tally.shown[1], tally.shown);
  });
  position.difference = difference;
  position.interval = interval;
  for (const CountedPair& pair : pairs) {
    const judge::Preference ab = pair.shown[0], ba = pair.shown[1];
    if (ab != ba) {
      position.tie_once += ab == judge::Preference::tie || ba == judge::Preference::tie ? 1 : 0;
    } else if (ab != judge::Preference::tie) {
      ++(ab == judge::Preference::a ? position.first_twice : position.second_twice);
    }
  }
  return position;
}

size_t case_of(const judge::LedgerEntry& entry, std::vector<PreferenceCase>& cases) {
  const auto found = std::ranges::find(cases, entry.answer.source, &PreferenceCase::name);
  const auto place = static_cast<size_t>(found - cases.begin());
  if (found == cases.end()) cases.push_back({entry.answer.source, entry.language});
  return place;
}

}  // namespace

PreferenceEvaluation evaluate_preferences(std::span<const judge::LedgerEntry> entries,
                                          const std::string& language,
                                          const stats::BootstrapOptions& bootstrap,
                                          const std::string& where) {
  const std::vector<AskedPair> asked = asked_pairs(
      judge::last_attempts(entries, judge::Judgements::preferences, language, where), where);
  const bool in_both_orders =
      std::ranges::any_of(asked, [](const AskedPair& pair) { return pair.ba != nullptr; });
  PreferenceEvaluation evaluation;
  evaluation.bootstrap = bootstrap;
  std::vector<std::vector<CountedPair>> counted;  // by case
  std::vector<CountedPair> all;
  for (const AskedPair& pair : asked) {
    const size_t place = case_of(pair.either(), evaluation.cases);
    counted.resize(evaluation.cases.size());
    if (in_both_orders && (pair.ab == nullptr || pair.ba == nullptr)) {
      ++evaluation.cases[place].incomplete;
    } else if (const auto one = counted_pair(pair)) {
      counted[place].push_back(*one);
      all.push_back(*one);
    } else {
      ++evaluation.cases[place].invalid;
    }
  }
  for (size_t i = 0; i < counted.size(); ++i) {
    PreferenceCase& one = evaluation.cases[i];
    const Tallies tallies = tallies_of(counted[i], bootstrap);
    one.preferred = shares_of(tallies, &Tally::preferred);
    if (in_both_orders) one.position = position_of(tallies, counted[i]);
  }
  if (in_both_orders) evaluation.position = position_of(tallies_of(all, bootstrap), all);
  evaluation.pairs = std::ssize(all);
  evaluation.questions = static_cast<int64_t>(pair_questions(all).count);
  return evaluation;
}

}  // namespace rubric::eval
