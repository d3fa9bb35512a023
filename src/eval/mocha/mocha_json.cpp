#include "eval/mocha/mocha_json.h"

#include <utility>

#include "eval/report/figures.h"
#include "eval/mocha/mocha_notes.h"
#include "eval/report/table.h"

namespace rubric {
namespace {

Json to_json(const Correlations& correlations) {
  return Json::Object{{"pearson", or_null(correlations.pearson)},
                      {"spearman", or_null(correlations.spearman)},
                      {"kendall", or_null(correlations.kendall)}};
}

Json to_json(const ConstituentResult& constituent, bool resampled) {
  Json json = to_json(constituent.correlations);
  json["n"] = constituent.n;
  json["missing"] = constituent.missing;
  json["ci95"] = or_null(constituent.interval);
  Json sources{Json::Object()};
  for (const SourceResult& source : constituent.sources) {
    sources[source.name] = to_json(source.correlations);
    sources[source.name]["n"] = source.n;
    if (resampled) add_resampled(sources[source.name], "pearson", source.resampled);
  }
  json["sources"] = std::move(sources);
  if (resampled) add_resampled(json, "pearson", constituent.resampled);
  return json;
}

Json to_json(const MochaResult& result, bool resampled) {
  Json json;
  for (const ConstituentResult& constituent : result.constituents) {
    json["constituents"][constituent.name] = to_json(constituent, resampled);
  }
  json["average"] = to_json(result.average);
  json["average"]["ci95"] = or_null(result.interval);
  for (const PairResult& pair : result.pairs) {
    Json& own = json["minimal_pairs"]["constituents"][pair.name];
    own = Json::Object{
        {"accuracy", or_null(pair.accuracy)}, {"n", pair.n}, {"missing", pair.missing}};
    if (resampled) add_resampled(own, "accuracy", pair.resampled);
  }
  if (!result.pairs.empty()) json["minimal_pairs"]["average"] = or_null(result.pair_average);
  if (!result.signature.empty()) json["signature"] = result.signature;
  const std::vector<std::string> notes = mocha_notes(result);
  if (!notes.empty()) json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

}  // namespace

Json to_json(std::span<const MochaResult> results, bool resampled) {
  if (results.size() == 1) return to_json(results.front(), resampled);
  Json::Object metrics;
  for (const MochaResult& result : results) {
    metrics.emplace_back(result.metric, to_json(result, resampled));
  }
  return Json::Object{{"metrics", std::move(metrics)}};
}

}  // namespace rubric
