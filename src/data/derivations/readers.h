// R4C's derivations (Inoue et al. 2020) and the prediction files that are judged by them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric {

// {ID: [DERIVATION, …]}, a derivation being [[title, sentence, [head, relation, tail]], …]: the
// questions in file order. Throws InputError naming file, question, derivation and step; also where
// a question has no derivation, or a derivation no step.
std::vector<DerivationQuestion> read_r4c(const std::filesystem::path& file);

// What a system answered: HotpotQA's prediction file with derivations ("re") beside its answers and
// supporting facts, which it may lack.
struct R4cPredictions {
  std::filesystem::path file;
  std::map<std::string, Derivation> derivations;
  std::map<std::string, std::string> answers;
  std::map<std::string, std::vector<SupportingFact>> supporting_facts;
};

// {"re": {ID: DERIVATION}, "answer": {ID: text}, "sp": {ID: [[title, sentence], …]}}. A derivation
// may be empty. Throws InputError naming file, question and step.
R4cPredictions read_r4c_predictions(const std::filesystem::path& file);

// A derivation in the form of the files above.
Json to_json(const Derivation& derivation);

}  // namespace rubric
