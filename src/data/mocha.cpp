#include "data/mocha.h"

#include <set>

#include "core/error.h"
#include "core/json.h"

namespace rubric {
namespace {

std::string place(const std::string& file, const InstanceKey& key) {
  return file + ": " + json_quote(key.first) + " / " + json_quote(key.second);
}

// Calls visit(key, instance, where) for every instance of a file, which must have one.
template <class Visit>
void for_each_instance(const std::filesystem::path& path, Visit visit) {
  const Json file = Json::parse_file(path);
  const auto require_object = [](const Json& value, const std::string& where) {
    if (value.is_object()) return;
    throw InputError(std::string("expected an object, found ") + value.kind(), where,
                     "MOCHA's files are {constituent: {id: {…}}}");
  };
  require_object(file, path.string());
  bool empty = true;
  for (const auto& [constituent, instances] : file.object()) {
    require_object(instances, path.string() + ": " + json_quote(constituent));
    for (const auto& [id, instance] : instances.object()) {
      const InstanceKey key(constituent, id);
      const std::string where = place(path.string(), key);
      require_object(instance, where);
      visit(key, instance, where);
      empty = false;
    }
  }
  if (empty) throw InputError("the file has no instances", path.string());
}

std::optional<double> human_score(const Json& instance, const std::string& field,
                                  const std::string& where) {
  if (instance.find(field) == nullptr) return std::nullopt;
  const double score = instance.require_number(field, where);
  if (score < 1 || score > 5) {
    throw InputError("the field " + json_quote(field) + " is " +
                         instance.find(field)->number_text() + ", human scores are from 1 to 5",
                     where);
  }
  return score;
}

std::string source_of(const Json& instance, const std::string& where) {
  const Json* metadata = instance.find("metadata");
  if (metadata == nullptr) return "";
  if (!metadata->is_object()) {
    throw InputError(
        std::string("the field \"metadata\" must be an object, it is ") + metadata->kind(), where);
  }
  return metadata->find("source") == nullptr ? "" : metadata->require_string("source", where);
}

// One candidate of an instance; `number` is "" or, in minimal pairs, "1" or "2".
Answer read_answer(const InstanceKey& key, const Json& instance, const std::string& number,
                   const std::string& where) {
  Answer answer;
  answer.constituent = key.first;
  answer.id = key.second;
  answer.source = source_of(instance, where);
  answer.passage = instance.require_string("context", where);
  answer.question = instance.require_string("question", where);
  answer.references = {instance.require_string("reference", where)};
  answer.candidate = instance.require_string("candidate" + number, where);
  answer.score = human_score(instance, "score" + number, where);
  return answer;
}

}  // namespace

std::vector<Answer> read_mocha(const std::filesystem::path& path) {
  std::vector<Answer> answers;
  for_each_instance(path,
                    [&](const InstanceKey& key, const Json& instance, const std::string& where) {
                      answers.push_back(read_answer(key, instance, "", where));
                    });
  return answers;
}

std::vector<AnswerPair> read_minimal_pairs(const std::filesystem::path& path) {
  std::vector<AnswerPair> pairs;
  for_each_instance(
      path, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
        const AnswerPair pair{read_answer(key, instance, "1", where),
                              read_answer(key, instance, "2", where)};
        if (pair.better.score.has_value() != pair.worse.score.has_value()) {
          throw InputError("one candidate of the pair has a score, the other has none", where);
        }
        if (pair.better.score && *pair.better.score <= *pair.worse.score) {
          throw InputError("score1 must be greater than score2", where,
                           "make the better answer candidate1");
        }
        pairs.push_back(pair);
      });
  return pairs;
}

Predictions read_mocha_predictions(const std::filesystem::path& path, const std::string& field) {
  Predictions predictions;
  for_each_instance(path,
                    [&](const InstanceKey& key, const Json& instance, const std::string& where) {
                      predictions[key] = instance.require_number(field, where);
                    });
  return predictions;
}

std::map<std::string, Predictions> read_mocha_scores(const std::filesystem::path& path,
                                                     const std::string& field) {
  std::map<std::string, Predictions> all;
  for_each_instance(path,
                    [&](const InstanceKey& key, const Json& instance, const std::string& where) {
                      add_scores(instance.require(field, where), key, where, all);
                    });
  return all;
}

void add_scores(const Json& scores, const InstanceKey& key, const std::string& where,
                std::map<std::string, Predictions>& all) {
  if (!scores.is_object()) {
    throw InputError(std::string("the scores must be an object, they are ") + scores.kind(), where,
                     "write {\"metric\": number}, as `rubric score` does");
  }
  for (const auto& [metric, value] : scores.object()) {
    if (value.is_null()) continue;
    if (!value.is_number()) {
      throw InputError(
          "the score " + json_quote(metric) + " must be a number, it is " + value.kind(), where);
    }
    if (!all[metric].emplace(key, value.number()).second) {
      throw InputError("a second score " + json_quote(metric) + " for the same instance", where);
    }
  }
}

MatchedPredictions match_predictions(std::span<const InstanceKey> keys,
                                     const Predictions& predictions, const std::string& metric) {
  MatchedPredictions matched;
  std::set<std::string> found_by_id;
  int64_t used = 0;
  for (const InstanceKey& key : keys) {
    auto found = predictions.find(key);
    if (found == predictions.end()) {
      found = predictions.find({"", key.second});
      if (found != predictions.end() && !found_by_id.insert(key.second).second) {
        throw InputError("the id " + json_quote(key.second) + " stands in several constituents",
                         "the scores of " + metric, "give each scored row its \"constituent\"");
      }
    }
    const bool is_found = found != predictions.end();
    matched.values.push_back(is_found ? std::optional(found->second) : std::nullopt);
    used += is_found ? 1 : 0;
  }
  if (used == 0) {
    throw InputError("no score of " + metric + " belongs to an instance of the data", "",
                     "score the same file that you evaluate, and keep its constituents and ids");
  }
  matched.unused = static_cast<int64_t>(predictions.size()) - used;
  return matched;
}

}  // namespace rubric
