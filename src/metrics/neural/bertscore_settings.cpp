#include "metrics/neural/bertscore_settings.h"

#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/ascii.h"

namespace rubric {
namespace {

struct UsualLayer {
  const char* model;
  int64_t layer;
};

// By the last part of the name, which no two of them share.
constexpr UsualLayer kUsualLayers[] = {{"bert-base-uncased", 9},
                                       {"bert-large-uncased", 18},
                                       {"bert-base-cased-finetuned-mrpc", 9},
                                       {"bert-base-multilingual-cased", 9},
                                       {"bert-base-chinese", 8},
                                       {"bert-base-turkish-cased", 10},
                                       {"scibert_scivocab_uncased", 8},
                                       {"scibert_scivocab_cased", 9},
                                       {"scibert_basevocab_uncased", 9},
                                       {"spanbert-base-cased", 8},
                                       {"spanbert-large-cased", 17},
                                       {"finbert", 10},
                                       {"roberta-base", 10},
                                       {"roberta-large", 17},
                                       {"roberta-large-mnli", 19},
                                       {"distilroberta-base", 5},
                                       {"roberta-base-openai-detector", 7},
                                       {"roberta-large-openai-detector", 15},
                                       {"unsup-simcse-bert-base-uncased", 10},
                                       {"unsup-simcse-bert-large-uncased", 18},
                                       {"unsup-simcse-roberta-base", 8},
                                       {"unsup-simcse-roberta-large", 13},
                                       {"sup-simcse-bert-base-uncased", 10},
                                       {"sup-simcse-bert-large-uncased", 18},
                                       {"sup-simcse-roberta-base", 10},
                                       {"sup-simcse-roberta-large", 16}};

constexpr const char* kUseBaseline =
    "use the file of the model in bert-score's rescale_baseline folder";

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

double require_number(std::string_view text, const std::string& where) {
  if (const std::optional<double> value = parse_number(text)) return *value;
  throw InputError("\"" + std::string(text) + "\" is not a number", where, kUseBaseline);
}

}  // namespace

std::optional<int64_t> usual_layer(const std::string& model) {
  const size_t last = model.find_last_not_of('/');
  const std::string name = model.substr(0, last == std::string::npos ? 0 : last + 1);
  const std::string part = name.substr(name.find_last_of('/') + 1);
  for (const UsualLayer& usual : kUsualLayers) {
    if (part == usual.model) return usual.layer;
  }
  return std::nullopt;
}

Baseline read_baseline(const std::filesystem::path& file, int64_t layer) {
  LineReader reader(file);
  std::string line;
  if (!reader.next(line) || line != "LAYER,P,R,F") {
    throw InputError("the first line is not LAYER,P,R,F", file.string() + ":1", kUseBaseline);
  }
  while (reader.next(line)) {
    const auto cells = cells_of(line);
    if (cells.size() != 4) {
      throw InputError("the line does not have four columns", reader.where(), kUseBaseline);
    }
    if (require_number(cells[0], reader.where()) != static_cast<double>(layer)) continue;
    Baseline baseline;
    for (size_t i = 0; i < baseline.size(); ++i) {
      baseline[i] = require_number(cells[i + 1], reader.where());
      if (baseline[i] < 1) continue;
      throw InputError("a baseline that is not below 1", reader.where(), kUseBaseline);
    }
    return baseline;
  }
  throw InputError("there is no baseline for layer " + std::to_string(layer), file.string(),
                   "name another layer with --layer, or another model's file");
}

}  // namespace rubric
