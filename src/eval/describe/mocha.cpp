#include <algorithm>

#include "config/fields.h"
#include "eval/describe/describe.h"

namespace rubric::eval {
namespace {

constexpr const char* kLengths =
    "Lengths are means over the candidates of the first file, in words of BERT's basic tokenizer "
    "(cased); the paper counts spaCy's tokens.";
constexpr const char* kUnique =
    "Passages are unique by their text, questions by passage, question and reference.";
constexpr const char* kRounded = "Scores between whole numbers count as the nearest, halves up.";

using Count = int64_t data::ConstituentStatistics::*;

int64_t total(const SplitStatistics& split, Count count) {
  int64_t sum = 0;
  for (const data::ConstituentStatistics& constituent : split.constituents)
    sum += constituent.*count;
  return sum;
}

// The constituents of all splits, in their order.
std::vector<std::string> names_of(std::span<const SplitStatistics> splits) {
  std::vector<std::string> names;
  for (const SplitStatistics& split : splits) {
    for (const data::ConstituentStatistics& constituent : split.constituents) {
      if (std::find(names.begin(), names.end(), constituent.name) == names.end()) {
        names.push_back(constituent.name);
      }
    }
  }
  return names;
}

const data::ConstituentStatistics* find(const SplitStatistics& split, const std::string& name) {
  for (const data::ConstituentStatistics& constituent : split.constituents) {
    if (constituent.name == name) return &constituent;
  }
  return nullptr;
}

Table sizes_table(std::span<const SplitStatistics> splits) {
  Table table{"Sizes",
              {"constituent", "passage", "question", "reference", "candidate"},
              {},
              {Align::left},
              {kLengths, kUnique}};
  const std::vector<std::pair<std::string, Count>> counts = {
      {"passages", &data::ConstituentStatistics::passages},
      {"questions", &data::ConstituentStatistics::questions},
      {"candidates", &data::ConstituentStatistics::candidates}};
  for (const auto& [label, count] : counts) {
    for (const SplitStatistics& split : splits) table.header.push_back(label + " " + split.name);
  }
  for (const std::string& name : names_of(splits)) {
    std::vector<std::string> row = {name};
    if (const data::ConstituentStatistics* const first = find(splits.front(), name)) {
      for (const double length : {first->passage_length, first->question_length,
                                  first->reference_length, first->candidate_length}) {
        row.push_back(format_fixed(length, 1));
      }
    }
    row.resize(5);
    for (const auto& [label, count] : counts) {
      for (const SplitStatistics& split : splits) {
        const data::ConstituentStatistics* const constituent = find(split, name);
        row.push_back(constituent == nullptr ? "" : std::to_string(constituent->*count));
      }
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> row = {"total", "", "", "", ""};
  for (const auto& [label, count] : counts) {
    for (const SplitStatistics& split : splits) row.push_back(std::to_string(total(split, count)));
  }
  table.rows.push_back(std::move(row));
  return table;
}

void add_scores(Table& table, const std::string& constituent, const std::string& source,
                const data::ScoreCounts& scores) {
  std::vector<std::string> row = {constituent, source};
  for (const int64_t count : scores) row.push_back(std::to_string(count));
  table.rows.push_back(std::move(row));
}

Table scores_table(const SplitStatistics& split) {
  Table table{"Candidates by human score: " + split.name,
              {"constituent", "source", "1", "2", "3", "4", "5"},
              {},
              {Align::left, Align::left},
              {kRounded}};
  for (const data::ConstituentStatistics& constituent : split.constituents) {
    add_scores(table, constituent.name, "all", constituent.scores);
    for (const auto& [name, source] : constituent.sources) {
      add_scores(table, constituent.name, name, source.scores);
    }
  }
  return table;
}

Json scores_json(const data::ScoreCounts& scores) {
  Json json;
  for (size_t i = 0; i < scores.size(); ++i) json[std::to_string(i + 1)] = scores[i];
  return json;
}

Json constituent_json(const data::ConstituentStatistics& constituent) {
  Json json = Json::Object{{"passages", constituent.passages},
                           {"questions", constituent.questions},
                           {"candidates", constituent.candidates},
                           {"unscored", constituent.unscored}};
  json["lengths"] = Json::Object{{"passage", constituent.passage_length},
                                 {"question", constituent.question_length},
                                 {"reference", constituent.reference_length},
                                 {"candidate", constituent.candidate_length}};
  json["scores"] = scores_json(constituent.scores);
  json["sources"] = Json::Object();
  for (const auto& [name, source] : constituent.sources) {
    json["sources"][name] =
        Json::Object{{"candidates", source.candidates}, {"scores", scores_json(source.scores)}};
  }
  return json;
}

}  // namespace

std::vector<Table> mocha_description_tables(std::span<const SplitStatistics> splits) {
  std::vector<Table> tables = {sizes_table(splits)};
  for (const SplitStatistics& split : splits) {
    const int64_t unscored = total(split, &data::ConstituentStatistics::unscored);
    if (unscored == total(split, &data::ConstituentStatistics::candidates)) {
      tables.front().notes.push_back("No candidate of " + split.name + " has a human score.");
      continue;
    }
    tables.push_back(scores_table(split));
    if (unscored > 0) {
      tables.back().notes.push_back("Candidates without a score: " + std::to_string(unscored));
    }
  }
  return tables;
}

Table mocha_description_value_table(std::span<const SplitStatistics> splits) {
  Table table;
  table.header = {"split", "constituent", "source", "figure", "value"};
  for (const SplitStatistics& split : splits) {
    for (const data::ConstituentStatistics& each : split.constituents) {
      const auto add = [&](const std::string& source, const std::string& statistic, double value) {
        table.rows.push_back(
            {split.name, each.name, source, statistic, config::number_text(value)});
      };
      const auto add_all = [&](const std::string& source, const data::ScoreCounts& scores) {
        for (size_t i = 0; i < scores.size(); ++i) {
          add(source, "score_" + std::to_string(i + 1), static_cast<double>(scores[i]));
        }
      };
      add("", "passages", static_cast<double>(each.passages));
      add("", "questions", static_cast<double>(each.questions));
      add("", "candidates", static_cast<double>(each.candidates));
      add("", "passage_length", each.passage_length);
      add("", "question_length", each.question_length);
      add("", "reference_length", each.reference_length);
      add("", "candidate_length", each.candidate_length);
      add_all("", each.scores);
      for (const auto& [name, source] : each.sources) add_all(name, source.scores);
    }
  }
  return table;
}

Json to_json(std::span<const SplitStatistics> splits) {
  Json json;
  for (const SplitStatistics& split : splits) {
    Json& own = json["splits"][split.name];
    for (const data::ConstituentStatistics& constituent : split.constituents) {
      own["constituents"][constituent.name] = constituent_json(constituent);
    }
    own["total"] =
        Json::Object{{"passages", total(split, &data::ConstituentStatistics::passages)},
                     {"questions", total(split, &data::ConstituentStatistics::questions)},
                     {"candidates", total(split, &data::ConstituentStatistics::candidates)}};
  }
  json["notes"] = Json::Array{kLengths, kUnique, kRounded};
  return json;
}

}  // namespace rubric::eval
