// A small experiment for tests: training over two learning rates and two seeds, and its evaluation.
#pragma once

#include <string>

#include "cli/reproduce/reproduce.h"
#include "eval/reproduce/experiment.h"
#include "temporary_folder.h"

namespace rubric {

inline const std::string kExampleSteps = R"(
steps:
  train:
    over: [set, rate, seed]
    reads: ["{data}/train.json"]
    command: train --config lerc.yaml --set model.name={data}/encoder --set seed={seed} --output {folder}
    select: {axis: rate, highest: /best/value}
  score:
    over: [set, seed]
    reads: ["{data}/dev.json"]
    command: score lerc --model {train}/model --output {folder}/scored.json
    writes: [scored.json]
  evaluate:
    over: [set, seed]
    command: evaluate mocha --scores {score}/scored.json
  count:
    command: describe mocha {data}/dev.json
)";

inline const std::string kExampleCells = R"(
columns:
  A: {set: a}
  B: {set: b}
  both: {set: [a, b]}
cells:
  - row: LERC
    step: evaluate
    value: /constituents/{set}/pearson
    paper: [0.50, null, 0.6]
    notes: {B: a note}
  - row: size
    column: A
    step: count
    value: /n
    paper: 12
)";

// The text of the file; its output and data are in `folder`.
inline std::string example_text(const std::string& folder, const std::string& steps = kExampleSteps,
                                const std::string& cells = kExampleCells) {
  return "title: an example\noutput: " + folder + "/runs\nvariables: {data: " + folder +
         "}\ngrid:\n  set: [a, b]\n  rate: [1.0e-5, 2.0e-5]\nseeds: [1, 2]" + steps + cells;
}

// As the file experiment.yaml in the folder, with train.json, dev.json and a model.
inline eval::Experiment example(const TemporaryFolder& folder,
                                const std::string& steps = kExampleSteps,
                                const std::string& cells = kExampleCells) {
  folder.write("train.json", "{}");
  folder.write("dev.json", "{}");
  folder.write("encoder/config.json", "{}");
  folder.write("encoder/model.safetensors", "weights");
  return eval::read_experiment(
      folder.write("experiment.yaml", example_text(folder.path().string(), steps, cells)),
      cli::step_commands());
}

// `text` with the first `from` replaced by `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace rubric
