#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/utf8.h"
#include "eval/r4c/r4c.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

constexpr const char* kAsAsked = "";

std::string percent(double share) {
  return percent_cell(share, 2);
}

std::string triple(const PrecisionRecallF1& means) {
  return percent(means.precision) + "/" + percent(means.recall) + "/" + percent(means.f1);
}

std::vector<std::string> scorer_header(const std::string& first) {
  std::vector<std::string> header = {first};
  for (const metrics::StepScorer& name : metrics::kStepScorers)
    header.push_back(std::string(name.title) + " P/R/F");
  return header;
}

std::vector<std::string> means_row(const std::string& label, const R4cMeans& means) {
  std::vector<std::string> row = {label};
  for (const PrecisionRecallF1& one : means) row.push_back(triple(one));
  return row;
}

Table hotpot_table(const HotpotMeans& means) {
  Table table{"HotpotQA", {"", "EM", "F1", "P", "R"}, {}, {Align::left}, {}};
  const auto add = [&](const char* label, const metrics::HotpotScore& score) {
    table.rows.push_back({label, percent(score.exact_match), percent(score.f1),
                          percent(score.precision), percent(score.recall)});
  };
  add("answer", means.answer);
  add("supporting facts", means.supporting_facts);
  add("joint", means.joint);
  return table;
}

Json means_json(const R4cMeans& means) {
  Json json;
  for (size_t scorer = 0; scorer < means.size(); ++scorer) {
    Json& one = json[metrics::kStepScorers[scorer].key];
    one["prec"] = means[scorer].precision;
    one["recall"] = means[scorer].recall;
    one["f1"] = means[scorer].f1;
  }
  return json;
}

// The keys of HotpotQA's script: "em", "f1", "prec", "recall", and the same with "sp_" and "joint_"
// before.
Json hotpot_json(const HotpotScores& means) {
  Json json;
  const auto add = [&](const std::string& prefix, const metrics::HotpotScore& score) {
    json[prefix + "em"] = score.exact_match;
    json[prefix + "f1"] = score.f1;
    json[prefix + "prec"] = score.precision;
    json[prefix + "recall"] = score.recall;
  };
  add("", means.answer);
  add("sp_", means.supporting_facts);
  add("joint_", means.joint);
  return json;
}

}  // namespace

std::vector<Table> r4c_tables(const R4cEvaluation& evaluation, const std::string& name) {
  std::vector<Table> tables;
  tables.push_back({"R4C, " + std::to_string(evaluation.questions.size()) + " questions",
                    scorer_header("model"),
                    {means_row(name, evaluation.means)},
                    {Align::left},
                    r4c_notes(evaluation)});
  Table by_references{"By the number of references, averaged over all choices of them",
                      scorer_header("references"),
                      {},
                      {},
                      {}};
  for (size_t n = 0; n < evaluation.by_references.size(); ++n) {
    by_references.rows.push_back(means_row(std::to_string(n + 1), evaluation.by_references[n]));
  }
  tables.push_back(std::move(by_references));
  if (evaluation.hotpotqa) tables.push_back(hotpot_table(*evaluation.hotpotqa));
  return tables;
}

Table r4c_value_table(const R4cEvaluation& evaluation) {
  Table table{"", {"references", "scorer", "figure", "value"}, {}, {}, {}};
  const auto add = [&](const std::string& references, const R4cMeans& means) {
    for (size_t scorer = 0; scorer < means.size(); ++scorer) {
      const PrecisionRecallF1& one = means[scorer];
      for (const auto& [statistic, value] :
           {std::pair("prec", one.precision), {"recall", one.recall}, {"f1", one.f1}}) {
        table.rows.push_back(
            {references, metrics::kStepScorers[scorer].key, statistic, Json(value).number_text()});
      }
    }
  };
  add(kAsAsked, evaluation.means);
  for (size_t n = 0; n < evaluation.by_references.size(); ++n) {
    add(std::to_string(n + 1), evaluation.by_references[n]);
  }
  if (evaluation.hotpotqa) {
    const Json scores = hotpot_json(*evaluation.hotpotqa);
    for (const auto& [statistic, value] : scores.object()) {
      table.rows.push_back({kAsAsked, "hotpotqa", statistic, value.number_text()});
    }
  }
  for (const auto& [statistic, count] : {std::pair("n", std::ssize(evaluation.questions)),
                                         {"missing", evaluation.missing},
                                         {"extra", evaluation.extra}}) {
    table.rows.push_back({kAsAsked, "", statistic, std::to_string(count)});
  }
  return table;
}

std::vector<std::string> r4c_notes(const R4cEvaluation& evaluation) {
  std::vector<std::string> notes;
  add_count("Questions without a prediction, which are left out", evaluation.missing, notes);
  add_count("Predictions for no question with references, which do not count", evaluation.extra,
            notes);
  if (evaluation.hotpotqa) {
    add_count("Predictions without an answer, which score 0", evaluation.hotpotqa->without_answer,
              notes);
    add_count("Predictions without supporting facts, which score 0",
              evaluation.hotpotqa->without_facts, notes);
  }
  return notes;
}

Json to_json(const R4cEvaluation& evaluation) {
  Json json = means_json(evaluation.means);
  json["n"] = static_cast<int64_t>(evaluation.questions.size());
  json["missing"] = evaluation.missing;
  json["extra"] = evaluation.extra;
  for (size_t n = 0; n < evaluation.by_references.size(); ++n) {
    json["by_references"][std::to_string(n + 1)] = means_json(evaluation.by_references[n]);
  }
  if (evaluation.hotpotqa) json["hotpotqa"] = hotpot_json(*evaluation.hotpotqa);
  const std::vector<std::string> notes = r4c_notes(evaluation);
  if (!notes.empty()) json["notes"] = Json::Array(notes.begin(), notes.end());
  json["signature"] = evaluation.signature;
  return json;
}

Json to_json(const R4cQuestion& question) {
  Json json;
  json["id"] = question.id;
  for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
    const metrics::DerivationScore& score = question.scores[scorer];
    Json& one = json["scores"][metrics::kStepScorers[scorer].key];
    one["prec"] = score.precision;
    one["recall"] = score.recall;
    one["f1"] = score.f1;
    Json::Array aligned;
    for (const metrics::AlignedStep& pair : score.alignment) {
      Json entry;
      entry["candidate"] = static_cast<int64_t>(pair.candidate);
      entry["reference"] = static_cast<int64_t>(pair.reference);
      entry["similarity"] = pair.similarity;
      aligned.push_back(std::move(entry));
    }
    one["reference"] = static_cast<int64_t>(score.reference);
    one["reference_steps"] = data::to_json(question.references[score.reference]);
    one["aligned"] = std::move(aligned);
  }
  json["candidate"] = data::to_json(question.candidate);
  if (question.hotpotqa) json["hotpotqa"] = hotpot_json(*question.hotpotqa);
  return json;
}

std::string step_text(const data::DerivationStep& step) {
  return "[" + step.head + "] " + step.relation + " [" + step.tail + "]";
}

// Rows of the derivation's step, the similarity, the reference's step; `none` replaces a missing
// partner.
std::vector<std::vector<std::string>> alignment_rows(const R4cQuestion& question, size_t scorer,
                                                     const std::string& none) {
  const metrics::DerivationScore& score = question.scores[scorer];
  const data::Derivation& reference = question.references[score.reference];
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> is_aligned(question.candidate.size()), has_partner(reference.size());
  for (const metrics::AlignedStep& pair : score.alignment) {
    is_aligned[pair.candidate] = has_partner[pair.reference] = true;
    rows.push_back({step_text(question.candidate[pair.candidate]), format_fixed(pair.similarity, 3),
                    step_text(reference[pair.reference])});
  }
  for (size_t i = 0; i < is_aligned.size(); ++i) {
    if (!is_aligned[i]) rows.push_back({step_text(question.candidate[i]), none, ""});
  }
  for (size_t i = 0; i < has_partner.size(); ++i) {
    if (!has_partner[i]) rows.push_back({"", none, step_text(reference[i])});
  }
  return rows;
}

std::string alignment_title(const R4cQuestion& question, size_t scorer) {
  const metrics::DerivationScore& score = question.scores[scorer];
  return question.id + ", " + metrics::kStepScorers[scorer].key + " (" +
         metrics::kStepScorers[scorer].title + "), reference " +
         std::to_string(score.reference + 1) + " of " + std::to_string(question.references.size()) +
         ": P/R/F " + triple({score.precision, score.recall, score.f1});
}

Table alignment_value_table(const R4cQuestion& question) {
  Table table{"", {"scorer", "reference", "derivation", "similarity", "step"}, {}, {}, {}};
  for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
    const std::string number = std::to_string(question.scores[scorer].reference + 1);
    for (std::vector<std::string>& row : alignment_rows(question, scorer, "")) {
      table.rows.push_back({metrics::kStepScorers[scorer].key, number, row[0], row[1], row[2]});
    }
  }
  return table;
}

std::vector<Table> alignment_tables(const R4cQuestion& question) {
  std::vector<Table> tables;
  for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
    Table table;
    table.title = alignment_title(question, scorer);
    table.header = {"derivation", "similarity", "reference"};
    table.alignment = {Align::left, Align::right, Align::left};
    table.rows = alignment_rows(question, scorer, "–");
    tables.push_back(std::move(table));
  }
  return tables;
}

namespace {

constexpr double kEdge = 8, kBoxWidth = 0.4 * kPlotWidth;  // pixels, as what follows
constexpr double kLeftBoxes = kEdge, kRightBoxes = kPlotWidth - kEdge - kBoxWidth;
constexpr double kIndent = 6;
constexpr double kLabelAt =
    0.3;  // position of the label along a line; few other lines are near its start
constexpr size_t kLineLength = 27;  // characters that a box holds
// Here a line of text is 1 high, and in the picture:
constexpr double kPadding = 0.4, kGap = 0.6;
constexpr double kLineHeight = 14;

struct Box {
  std::vector<std::string> lines;
  double top = 0;

  double height() const { return static_cast<double>(lines.size()) + 2 * kPadding; }
  double bottom() const { return top + height(); }
  double middle() const { return top + height() / 2; }
};

// Breaks the text into lines at blanks, and within words longer than a line.
std::vector<std::string> wrap(const std::string& text) {
  const std::u32string characters = decode_utf8(text);
  std::u32string_view rest = characters;
  std::vector<std::string> lines;
  do {
    size_t end = rest.size();
    if (end > kLineLength) {
      const size_t blank = rest.rfind(U' ', kLineLength);
      end = blank == rest.npos || blank == 0 ? kLineLength : blank;
    }
    lines.push_back(encode_utf8(rest.substr(0, end)));
    rest.remove_prefix(std::min(rest.find_first_not_of(U' ', end), rest.size()));
  } while (!rest.empty());
  return lines;
}

std::vector<Box> boxes_of(const data::Derivation& derivation) {
  std::vector<Box> boxes;
  double top = kGap;
  for (const data::DerivationStep& step : derivation) {
    boxes.push_back({wrap(step_text(step)), top});
    top = boxes.back().bottom() + kGap;
  }
  return boxes;
}

double bottom_of(const std::vector<Box>& boxes) {
  return boxes.empty() ? 0 : boxes.back().bottom();
}

std::string drawn(const std::vector<Box>& boxes, double left) {
  std::string elements;
  for (const Box& box : boxes) {
    elements += svg_rect(left, kLineHeight * box.top, kBoxWidth, kLineHeight * box.height(), "box");
    double baseline = box.top + kPadding + 0.78;
    for (const std::string& text : box.lines) {
      elements += svg_text(left + kIndent, kLineHeight * baseline++, text, "small");
    }
  }
  return elements;
}

// A line from the middle of one box to that of another, with the similarity near its start.
std::string drawn(const metrics::AlignedStep& pair, double from, double to) {
  const std::string similarity = format_fixed(pair.similarity, 3);
  const double start = kLeftBoxes + kBoxWidth, x = start + kLabelAt * (kRightBoxes - start),
               y = kLineHeight * (from + kLabelAt * (to - from));
  return "<g class=\"point s0\">" +
         svg_title("step " + std::to_string(pair.candidate + 1) + " and step " +
                   std::to_string(pair.reference + 1) + " of the reference: similarity " +
                   similarity) +
         svg_line(start, kLineHeight * from, kRightBoxes, kLineHeight * to, "line") +
         svg_text(x, y + 4, similarity, "small middle halo") + "</g>";
}

}  // namespace

Plot alignment_plot(const R4cQuestion& question, size_t scorer) {
  const metrics::DerivationScore& score = question.scores[scorer];
  const std::vector<Box> left = boxes_of(question.candidate),
                         right = boxes_of(question.references[score.reference]);
  const double height = std::max(bottom_of(left), bottom_of(right)) + kGap;
  Plot plot;
  plot.title = alignment_title(question, scorer);
  plot.description =
      "The derivation's steps on the left, the reference's on the right; lines join aligned steps "
      "and bear their similarity. A table of this page holds the same.";
  plot.height = static_cast<int>(kLineHeight * height);
  plot.drawing = drawn(left, kLeftBoxes) + drawn(right, kRightBoxes);
  for (const metrics::AlignedStep& pair : score.alignment) {
    plot.drawing += drawn(pair, left[pair.candidate].middle(), right[pair.reference].middle());
  }
  if (score.alignment.empty()) {
    plot.drawing += svg_text(kPlotWidth / 2.0, kLineHeight * height / 2, "–", "small middle");
  }
  return plot;
}

SuiteOutput r4c_output(const R4cEvaluation& evaluation, const R4cRequest& request) {
  SuiteOutput output;
  output.report.title = "Derivations judged by references";
  output.report.paragraphs = {"References: " + request.gold +
                              ", derivations: " + request.predictions};
  output.report.tables =
      r4c_tables(evaluation, std::filesystem::path(request.predictions).stem().string());
  output.report.signatures = {evaluation.signature};
  if (request.explain.empty()) {
    output.json = to_json(evaluation);
    output.values = r4c_value_table(evaluation);
    output.notes = r4c_notes(evaluation);
    return output;
  }
  const auto question = std::ranges::find(evaluation.questions, request.explain, &R4cQuestion::id);
  if (question == evaluation.questions.end()) {
    throw InputError("no question that was judged has the id " + json_quote(request.explain),
                     "--explain", "name one of the gold file that has a prediction");
  }
  output.json = to_json(*question);
  output.values = alignment_value_table(*question);
  output.printed = alignment_tables(*question);
  output.report.tables.insert(output.report.tables.end(), output.printed.begin(),
                              output.printed.end());
  for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
    output.report.plots.push_back(alignment_plot(*question, scorer));
  }
  return output;
}

}  // namespace rubric::eval
