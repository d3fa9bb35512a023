#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/utf8.h"
#include "eval/r4c/r4c.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

// Scores is of anything with precision, recall and f1, in the order of kStepScorers.
template <typename Scores>
void add_scores(Adder add, const Scores& scores) {
  for (size_t scorer = 0; scorer < scores.size(); ++scorer) {
    add.keys.metric = metrics::kStepScorers[scorer].key;
    add("precision", scores[scorer].precision);
    add("recall", scores[scorer].recall);
    add("f1", scores[scorer].f1);
  }
}

// The row of a table of scores.
Layout scores_layout(const std::string& title, const std::string& row, const std::string& key,
                     const Keys& keys = {}) {
  return read_layout("r4c", "scores",
                     {{"title", title},
                      {"row", row},
                      {"key", key},
                      {"system", keys.system},
                      {"group", keys.group}});
}

void add_hotpotqa(Adder add, const HotpotScores& scores, Result& result) {
  const Keys keys = add.keys;
  for (const auto& [part, score] : {std::pair("answer", &scores.answer),
                                    {"supporting facts", &scores.supporting_facts},
                                    {"joint", &scores.joint}}) {
    add.keys.metric = part;
    add("exact_match", score->exact_match);
    add("f1", score->f1);
    add("precision", score->precision);
    add("recall", score->recall);
  }
  const std::string title = "HotpotQA" + (keys.group.empty() ? "" : ", question " + keys.group);
  result.tables.push_back(read_layout(
      "r4c", "hotpotqa", {{"title", title}, {"system", keys.system}, {"group", keys.group}}));
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

std::string step_text(const data::DerivationStep& step) {
  return "[" + step.head + "] " + step.relation + " [" + step.tail + "]";
}

// A row for each aligned step, then for steps without a partner.
Records alignment_records(const R4cQuestion& question) {
  RecordRows rows;
  for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
    const metrics::DerivationScore& score = question.scores[scorer];
    const data::Derivation& reference = question.references[score.reference];
    const auto add = [&](RecordValue step, RecordValue similarity, RecordValue partner) {
      rows.push_back({metrics::kStepScorers[scorer].key, static_cast<int64_t>(score.reference),
                      std::move(step), similarity, std::move(partner)});
    };
    std::vector<bool> is_aligned(question.candidate.size()), has_partner(reference.size());
    for (const metrics::AlignedStep& pair : score.alignment) {
      is_aligned[pair.candidate] = has_partner[pair.reference] = true;
      add(step_text(question.candidate[pair.candidate]), pair.similarity,
          step_text(reference[pair.reference]));
    }
    for (size_t i = 0; i < is_aligned.size(); ++i) {
      if (!is_aligned[i]) add(step_text(question.candidate[i]), {}, {});
    }
    for (size_t i = 0; i < has_partner.size(); ++i) {
      if (!has_partner[i]) add({}, {}, step_text(reference[i]));
    }
  }
  return held_records(
      {.name = "alignment",
       .title = question.id + ": aligned steps",
       .columns = {"scorer", "reference", "derivation", "similarity", "reference's step"},
       .key_columns = 3,
       .is_whole = true},
      std::move(rows));
}

std::string alignment_title(const R4cQuestion& question, size_t scorer) {
  return question.id + ", " + metrics::kStepScorers[scorer].key + " (" +
         metrics::kStepScorers[scorer].title + "), reference " +
         std::to_string(question.scores[scorer].reference + 1) + " of " +
         std::to_string(question.references.size());
}

}  // namespace

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

namespace {

void add_question(const R4cQuestion& question, Keys keys, Result& result) {
  keys.group = question.id;
  const Adder add{result.measurements, keys};
  add_scores(add, question.scores);
  result.tables.push_back(scores_layout("The question", "question", "group", keys));
  if (question.hotpotqa) add_hotpotqa(add, *question.hotpotqa, result);
  result.records.push_back(alignment_records(question));
  for (size_t scorer = 0; scorer < metrics::kStepScorers.size(); ++scorer) {
    result.plots.push_back(alignment_plot(question, scorer));
  }
}

}  // namespace

Result r4c_result(const R4cEvaluation& evaluation, const R4cRequest& request) {
  Result result{.title = "Derivations judged by references",
                .notes = r4c_notes(evaluation),
                .signature = evaluation.signature,
                .inputs = {request.gold, request.predictions}};
  if (!request.hotpotqa.empty()) result.inputs.push_back(request.hotpotqa);
  const Keys keys{.system = std::filesystem::path(request.predictions).stem().string()};
  const Adder add{result.measurements, keys, std::ssize(evaluation.questions)};
  add_scores(add, evaluation.means);
  result.tables = {scores_layout("R4C, " + counted(*add.n, "question"), "model", "system"),
                   scores_layout("By the number of references, averaged over all choices of them",
                                 "references", "subset", keys)};
  for (size_t i = 0; i < evaluation.by_references.size(); ++i) {
    Adder chosen = add;
    chosen.keys.subset = std::to_string(i + 1);
    add_scores(chosen, evaluation.by_references[i]);
  }
  if (evaluation.hotpotqa) add_hotpotqa(add, *evaluation.hotpotqa, result);
  add.counts({{"missing", evaluation.missing}, {"extra", evaluation.extra}});
  if (request.explain.empty()) return result;
  const auto question = std::ranges::find(evaluation.questions, request.explain, &R4cQuestion::id);
  if (question == evaluation.questions.end()) {
    throw InputError("no question that was judged has the id " + json_quote(request.explain),
                     "--explain", "name one of the gold file that has a prediction");
  }
  add_question(*question, keys, result);
  return result;
}

Result evaluate_r4c_request(const R4cRequest& request, const Context& context) {
  const ContextScope scope(context);
  const R4cEvaluation evaluation = evaluate_r4c_files(request);
  Result result = r4c_result(evaluation, request);
  if (request.per_question.empty()) return result;
  std::string lines;
  for (const R4cQuestion& question : evaluation.questions) lines += to_json(question).dump() + "\n";
  write_file(request.per_question, lines);
  return result;
}

}  // namespace rubric::eval
