#include "data/answers/mocha.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "data/answers/lm_eval.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"
#include "stats/bootstrap.h"

namespace rubric::data {
namespace {

constexpr const char* kNesting = "MOCHA's files are {constituent: {id: {…}}}";

void require_object(const Json& value, const std::string& where,
                    const std::string& what_to_do = kNesting) {
  if (value.is_object()) return;
  throw InputError(std::string("expected an object, found ") + value.kind(), where, what_to_do);
}

std::optional<double> human_score(const Json& instance, const std::string& field,
                                  const std::string& where) {
  const Json* value = instance.find(field);
  if (value == nullptr) return std::nullopt;
  const double score = instance.require_number(field, where);
  if (!stats::is_on_scale(score, {1, 5})) {
    throw InputError("the field " + json_quote(field) + " is " + value->number_text() +
                         ", human scores are from 1 to 5",
                     where,
                     "correct it; labels of another scale are read from rows (docs/rows.md)");
  }
  return score;
}

std::string source_of(const Json& instance, const std::string& where) {
  const Json* metadata = instance.find("metadata");
  if (metadata == nullptr) return "";
  if (!metadata->is_object()) {
    throw InputError(
        std::string("the field \"metadata\" must be an object, it is ") + metadata->kind(), where,
        "write it as MOCHA does, or leave it out");
  }
  return metadata->find("source") == nullptr ? "" : metadata->require_string("source", where);
}

// Throws InputError for an object that has nothing of an instance: any objects may be nested so.
void require_instance(const Json& object, const std::string& where) {
  for (const char* const field : {"context", "question"}) {
    if (object.find(field) != nullptr) return;
  }
  std::vector<std::string> fields;
  for (const auto& member : object.object()) fields.push_back(json_quote(member.first));
  const auto holds_objects = [](const Json& value) {
    return value.is_object() && !value.object().empty() &&
           std::ranges::all_of(value.object(),
                               [](const auto& member) { return member.second.is_object(); });
  };
  std::string levels = "[][]";
  const Json* row = &object;
  for (; holds_objects(*row); row = &row->object().front().second) levels += "[]";
  throw InputError("the objects are nested as MOCHA's, but have none of its fields: " +
                       (fields.empty() ? "this one is empty" : "there are " + join_some(fields)),
                   where,
                   "write their rows, one a line: jq -c '." + levels + "' FILE > rows.jsonl; " +
                       kNesting + " with context, question, reference and candidate");
}

// One candidate of an instance; `number` is "" or, in minimal pairs, "1" or "2".
Answer candidate_of(const InstanceKey& key, const Json& instance, const std::string& number,
                    const std::string& where) {
  require_instance(instance, where);
  Answer answer;
  answer.constituent = key.first;
  answer.id = key.second;
  answer.source = source_of(instance, where);
  answer.passage = instance.require_string("context", where);
  answer.question = instance.require_string("question", where);
  answer.references = {instance.require_string("reference", where)};
  answer.candidate = instance.require_string("candidate" + number, where);
  answer.score = human_score(instance, "score" + number, where);
  answer.ratings = mocha_ratings(instance, where);
  return answer;
}

AnswerPair pair_of(const InstanceKey& key, const Json& instance, const std::string& where) {
  AnswerPair pair{candidate_of(key, instance, "1", where), candidate_of(key, instance, "2", where)};
  check_pair(pair, where);
  return pair;
}

}  // namespace

void visit_mocha(const std::filesystem::path& path, const InstanceVisitor& visit) {
  const Json file = Json::parse_file(path);
  refuse_lm_eval_results(file, path.string());
  if (file.is_array()) {
    throw InputError(
        "expected an object, found an array", path.string(),
        kNesting + std::string("; `score` takes rows of your own one object a line, in "
                               "a file named .jsonl: jq -c '.[]' makes it"));
  }
  require_object(file, path.string());
  NamesInField constituents("constituent"), ids("id", /*are_ids=*/true);
  std::set<InstanceKey> seen;
  for (const auto& [constituent, instances] : file.object()) {
    const std::string place = path.string() + ": " + json_quote(constituent);
    require_object(instances, place,
                   kNesting + std::string("; rows of your own are one object a line in a .jsonl "
                                          "file, or an array of them in a .json file"));
    for (const auto& [id, instance] : instances.object()) {
      const std::string where = place + " / " + json_quote(id);
      require_object(instance, where);
      const InstanceKey key = {constituents.add(constituent, where), ids.add(id, where)};
      if (!seen.insert(key).second) {
        throw InputError("the id " + json_quote(key.second) + " occurs twice, but for blanks",
                         where, "give each instance of a constituent its own id");
      }
      visit(key, instance, where);
    }
  }
  constituents.warn();
  ids.warn();
  if (seen.empty())
    throw InputError("the file has no instances", path.string(),
                     "give a file in MOCHA's nesting: {CONSTITUENT: {ID: {…}}}");
}

std::vector<Answer> mocha_answers(const InstanceKey& key, const Json& instance,
                                  const std::string& where) {
  if (instance.find("candidate1") == nullptr) return {candidate_of(key, instance, "", where)};
  AnswerPair pair = pair_of(key, instance, where);
  return {std::move(pair.better), std::move(pair.worse)};
}

std::vector<double> mocha_ratings(const Json& instance, const std::string& where) {
  const Json* metadata = instance.find("metadata");
  const Json* scores = metadata == nullptr ? nullptr : metadata->find("scores");
  if (scores == nullptr) return {};
  std::vector<double> ratings;
  for (const Json& rating : scores->is_array() ? scores->array() : Json::Array()) {
    if (!rating.is_number()) continue;
    ratings.push_back(
        require_computable(rating.number(), "a rating of \"metadata.scores\"", where));
  }
  if (scores->is_array() && ratings.size() == scores->array().size()) return ratings;
  throw InputError("the field \"metadata.scores\" must be a list of numbers", where,
                   "write it as MOCHA does, or leave it out");
}

void check_pair(const AnswerPair& pair, const std::string& where) {
  if (pair.better.score.has_value() != pair.worse.score.has_value()) {
    throw InputError("one candidate of the pair has a score, the other has none", where,
                     "give both a score, or neither");
  }
  if (pair.better.score && *pair.better.score <= *pair.worse.score) {
    throw InputError("score1 must be greater than score2", where,
                     "make the better answer candidate1");
  }
}

std::vector<Answer> read_mocha(const std::filesystem::path& path) {
  std::vector<Answer> answers;
  visit_mocha(path, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
    answers.push_back(candidate_of(key, instance, "", where));
  });
  return answers;
}

std::vector<AnswerPair> read_mocha_pairs(const std::filesystem::path& path) {
  std::vector<AnswerPair> pairs;
  visit_mocha(path, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
    pairs.push_back(pair_of(key, instance, where));
  });
  return pairs;
}

}  // namespace rubric::data
