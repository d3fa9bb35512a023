#include "eval/mocha_suite.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "stats/correlation.h"

namespace rubric {
namespace {

using Matched = std::vector<std::optional<double>>;  // by record; nothing: missing

std::vector<InstanceKey> keys_of(std::span<const Answer> answers) {
  std::vector<InstanceKey> keys;
  for (const Answer& answer : answers) keys.emplace_back(answer.constituent, answer.id);
  return keys;
}

std::vector<InstanceKey> keys_of(std::span<const AnswerPair> pairs) {
  std::vector<InstanceKey> keys;
  for (const AnswerPair& pair : pairs) keys.emplace_back(pair.better.constituent, pair.better.id);
  return keys;
}

// The indices of the records with each name, names in the order of their first record.
struct Group {
  std::string name;
  std::vector<size_t> members;
};

template <class Name>
std::vector<Group> group_by(size_t count, Name name) {
  std::vector<Group> groups;
  std::map<std::string, size_t> index;
  for (size_t i = 0; i < count; ++i) {
    const auto [entry, is_new] = index.emplace(name(i), groups.size());
    if (is_new) groups.push_back({entry->first, {}});
    groups[entry->second].members.push_back(i);
  }
  return groups;
}

struct Series {
  std::vector<double> human, predicted;
  int64_t missing = 0;
};

Series series_of(std::span<const Answer> answers, const Matched& matched,
                 const std::vector<size_t>& members) {
  Series series;
  for (const size_t i : members) {
    if (!answers[i].score) {
      throw InputError("the instance has no human score to compare with",
                       json_quote(answers[i].constituent) + " / " + json_quote(answers[i].id),
                       "evaluate a file with labels");
    }
    series.human.push_back(*answers[i].score);
    series.predicted.push_back(matched[i].value_or(0));
    series.missing += matched[i] ? 0 : 1;
  }
  return series;
}

std::vector<SourceResult> source_results(std::span<const Answer> answers, const Matched& matched,
                                         const std::vector<size_t>& members) {
  std::vector<SourceResult> results;
  const auto source = [&](size_t i) { return answers[members[i]].source; };
  for (Group& group : group_by(members.size(), source)) {
    if (group.name.empty()) continue;
    for (size_t& member : group.members) member = members[member];
    const Series series = series_of(answers, matched, group.members);
    results.push_back({group.name, pearson(series.human, series.predicted),
                       static_cast<int64_t>(group.members.size())});
  }
  return results;
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

std::optional<double> divided(std::optional<double> total, size_t count) {
  if (!total) return std::nullopt;
  return *total / static_cast<double>(count);
}

void evaluate_answers(std::span<const Answer> answers, const Matched& matched,
                      const BootstrapOptions& options, MochaResult& result) {
  const std::vector<Group> groups =
      group_by(answers.size(), [&](size_t i) { return answers[i].constituent; });
  Correlations total{0.0, 0.0, 0.0};
  std::vector<std::optional<double>> totals(static_cast<size_t>(options.resamples), 0.0);
  for (size_t g = 0; g < groups.size(); ++g) {
    const std::vector<size_t>& members = groups[g].members;
    const auto [human, predicted, missing] = series_of(answers, matched, members);
    const Correlations correlations{pearson(human, predicted), spearman(human, predicted),
                                    kendall(human, predicted)};
    const auto resampled = bootstrap_statistics(human, predicted, pearson, options, g);
    result.constituents.push_back({groups[g].name, correlations, percentile_interval(resampled),
                                   static_cast<int64_t>(members.size()), missing,
                                   source_results(answers, matched, members)});
    total.pearson = sum(total.pearson, correlations.pearson);
    total.spearman = sum(total.spearman, correlations.spearman);
    total.kendall = sum(total.kendall, correlations.kendall);
    for (size_t i = 0; i < totals.size(); ++i) totals[i] = sum(totals[i], resampled[i]);
  }
  result.average = {divided(total.pearson, groups.size()), divided(total.spearman, groups.size()),
                    divided(total.kendall, groups.size())};
  for (std::optional<double>& value : totals) value = divided(value, groups.size());
  if (result.average.pearson) result.interval = percentile_interval(totals);
}

void evaluate_pairs(std::span<const AnswerPair> pairs, const Matched& better, const Matched& worse,
                    MochaResult& result) {
  double total = 0;
  for (const Group& group :
       group_by(pairs.size(), [&](size_t i) { return pairs[i].better.constituent; })) {
    PairResult constituent{group.name, 0, static_cast<int64_t>(group.members.size()), 0};
    double points = 0;
    for (const size_t i : group.members) {
      if (!better[i] || !worse[i]) {
        ++constituent.missing;
      } else {
        points += *better[i] > *worse[i] ? 1 : *better[i] == *worse[i] ? 0.5 : 0;
      }
    }
    constituent.accuracy = points / static_cast<double>(constituent.n);
    total += constituent.accuracy;
    result.pairs.push_back(constituent);
  }
  result.pair_average = total / static_cast<double>(result.pairs.size());
}

// "3 of 120 predictions are missing and count as 0 (drop 2, quoref 1)", or "" when none is.
template <class Constituent>
std::string missing_note(const std::vector<Constituent>& constituents, const std::string& what,
                         const std::string& counts_as) {
  int64_t missing = 0, n = 0;
  std::vector<std::string> parts;
  for (const Constituent& constituent : constituents) {
    missing += constituent.missing;
    n += constituent.n;
    if (constituent.missing == 0) continue;
    parts.push_back(constituent.name + " " + std::to_string(constituent.missing));
  }
  if (missing == 0) return "";
  return std::to_string(missing) + " of " + std::to_string(n) + " " + what +
         " missing, counted as " + counts_as + " (" + join(parts) + ")";
}

std::string undefined_note(const MochaResult& result) {
  std::vector<std::string> undefined;
  for (const ConstituentResult& constituent : result.constituents) {
    if (!constituent.correlations.pearson) undefined.push_back(constituent.name);
  }
  if (undefined.empty()) return "";
  return "no average, the correlation is undefined (constant or fewer than two values) for " +
         join(undefined);
}

Json or_null(std::optional<double> value) {
  return value ? Json(*value) : Json();
}

Json or_null(const std::optional<Interval>& interval) {
  return interval ? Json(Json::Array{interval->low, interval->high}) : Json();
}

Json to_json(const Correlations& correlations) {
  return Json::Object{{"pearson", or_null(correlations.pearson)},
                      {"spearman", or_null(correlations.spearman)},
                      {"kendall", or_null(correlations.kendall)}};
}

Json to_json(const ConstituentResult& constituent) {
  Json json = to_json(constituent.correlations);
  json["n"] = constituent.n;
  json["missing"] = constituent.missing;
  json["ci95"] = or_null(constituent.interval);
  Json::Object sources;
  for (const SourceResult& source : constituent.sources) {
    sources.emplace_back(source.name,
                         Json::Object{{"pearson", or_null(source.pearson)}, {"n", source.n}});
  }
  json["sources"] = std::move(sources);
  return json;
}

Json to_json(const MochaResult& result) {
  Json::Object constituents, pairs;
  for (const ConstituentResult& constituent : result.constituents) {
    constituents.emplace_back(constituent.name, to_json(constituent));
  }
  for (const PairResult& pair : result.pairs) {
    pairs.emplace_back(
        pair.name,
        Json::Object{{"accuracy", pair.accuracy}, {"n", pair.n}, {"missing", pair.missing}});
  }
  Json json =
      Json::Object{{"constituents", std::move(constituents)}, {"average", to_json(result.average)}};
  json["average"]["ci95"] = or_null(result.interval);
  if (!result.signature.empty()) json["signature"] = result.signature;
  if (!pairs.empty()) {
    json["minimal_pairs"] =
        Json::Object{{"constituents", std::move(pairs)}, {"average", or_null(result.pair_average)}};
  }
  if (!result.notes.empty()) {
    json["notes"] = Json::Array(result.notes.begin(), result.notes.end());
  }
  return json;
}

std::string cell(std::optional<double> value, const std::optional<Interval>& interval) {
  if (!value) return "–";
  if (!interval) return format_fixed(*value, 3);
  return format_fixed(*value, 3) + " [" + format_fixed(interval->low, 3) + ", " +
         format_fixed(interval->high, 3) + "]";
}

std::vector<std::string> notes_of(const MochaResult& result, int64_t unused) {
  std::vector<std::string> notes;
  for (const std::string& note :
       {missing_note(result.constituents, "predictions", "0"),
        missing_note(result.pairs, "minimal pairs", "wrong"), undefined_note(result)}) {
    if (!note.empty()) notes.push_back(note);
  }
  if (unused > 0) notes.push_back(std::to_string(unused) + " scores belong to no instance");
  return notes;
}

}  // namespace

MochaResult evaluate_mocha(std::span<const Answer> answers, std::span<const AnswerPair> pairs,
                           const MochaPredictions& predictions, const BootstrapOptions& options,
                           const std::set<std::string>& constituents) {
  MochaResult result;
  result.metric = predictions.metric;
  const auto matched = [&](const std::vector<InstanceKey>& keys, const Predictions& values) {
    return match_predictions(keys, values, result.metric);
  };
  const MatchedPredictions scores = matched(keys_of(answers), predictions.answers);
  int64_t unused = scores.unused;
  const auto chosen = [&](const std::string& constituent) {
    return constituents.empty() || constituents.contains(constituent);
  };
  std::vector<Answer> kept_answers;
  Matched kept_scores;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!chosen(answers[i].constituent)) continue;
    kept_answers.push_back(answers[i]);
    kept_scores.push_back(scores.values[i]);
  }
  evaluate_answers(kept_answers, kept_scores, options, result);
  if (predictions.pairs) {
    const MatchedPredictions better = matched(keys_of(pairs), predictions.pairs->better);
    const MatchedPredictions worse = matched(keys_of(pairs), predictions.pairs->worse);
    unused += better.unused + worse.unused;
    std::vector<AnswerPair> kept_pairs;
    Matched kept_better, kept_worse;
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (!chosen(pairs[i].better.constituent)) continue;
      kept_pairs.push_back(pairs[i]);
      kept_better.push_back(better.values[i]);
      kept_worse.push_back(worse.values[i]);
    }
    if (!kept_pairs.empty()) evaluate_pairs(kept_pairs, kept_better, kept_worse, result);
  }
  result.notes = notes_of(result, unused);
  return result;
}

Json to_json(std::span<const MochaResult> results) {
  if (results.size() == 1) return to_json(results.front());
  Json::Object metrics;
  for (const MochaResult& result : results) metrics.emplace_back(result.metric, to_json(result));
  return Json::Object{{"metrics", std::move(metrics)}};
}

Table mocha_table(std::span<const MochaResult> results) {
  Table table{"Pearson's r with human judgements", {"constituent"}, {}, {Align::left}, {}};
  const auto add_row = [&](const std::string& name, auto cell_of) {
    table.rows.push_back({name});
    for (const MochaResult& result : results) table.rows.back().push_back(cell_of(result));
  };
  for (const MochaResult& result : results) {
    table.header.push_back(result.metric);
    for (const std::string& note : result.notes) table.notes.push_back(result.metric + ": " + note);
  }
  for (size_t i = 0; i < results.front().constituents.size(); ++i) {
    add_row(results.front().constituents[i].name, [&](const MochaResult& result) {
      return cell(result.constituents[i].correlations.pearson, result.constituents[i].interval);
    });
  }
  add_row("average",
          [](const MochaResult& result) { return cell(result.average.pearson, result.interval); });
  const auto scored = std::find_if(results.begin(), results.end(),
                                   [](const MochaResult& result) { return !result.pairs.empty(); });
  if (scored == results.end()) return table;
  for (size_t i = 0; i < scored->pairs.size(); ++i) {
    add_row("minimal pairs: " + scored->pairs[i].name + " (%)", [&](const MochaResult& result) {
      return result.pairs.empty() ? "not scored" : format_fixed(100 * result.pairs[i].accuracy, 1);
    });
  }
  add_row("minimal pairs: average (%)", [](const MochaResult& result) {
    return result.pair_average ? format_fixed(100 * *result.pair_average, 1) : "not scored";
  });
  return table;
}

}  // namespace rubric
