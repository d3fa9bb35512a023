#include "eval/mocha_json.h"

#include <utility>

#include "eval/figures.h"
#include "eval/mocha_notes.h"

namespace rubric {
namespace {

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
  Json sources{Json::Object()};
  for (const SourceResult& source : constituent.sources) {
    sources[source.name] = to_json(source.correlations);
    sources[source.name]["n"] = source.n;
  }
  json["sources"] = std::move(sources);
  return json;
}

Json to_json(const MochaResult& result) {
  Json json;
  for (const ConstituentResult& constituent : result.constituents) {
    json["constituents"][constituent.name] = to_json(constituent);
  }
  json["average"] = to_json(result.average);
  json["average"]["ci95"] = or_null(result.interval);
  for (const PairResult& pair : result.pairs) {
    json["minimal_pairs"]["constituents"][pair.name] = Json::Object{
        {"accuracy", or_null(pair.accuracy)}, {"n", pair.n}, {"missing", pair.missing}};
  }
  if (!result.pairs.empty()) json["minimal_pairs"]["average"] = or_null(result.pair_average);
  if (!result.signature.empty()) json["signature"] = result.signature;
  const std::vector<std::string> notes = mocha_notes(result);
  if (!notes.empty()) json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

}  // namespace

Json to_json(std::span<const MochaResult> results) {
  if (results.size() == 1) return to_json(results.front());
  Json::Object metrics;
  for (const MochaResult& result : results) metrics.emplace_back(result.metric, to_json(result));
  return Json::Object{{"metrics", std::move(metrics)}};
}

}  // namespace rubric
