// Inside the joining of labels to answers: the labels and their rows, and what is checked of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/estimate/estimate.h"

namespace rubric::eval {

// The labels, and the rows that they belong to.
struct JoinedLabels {
  const EstimateRequest& request;
  const data::ScoredSource& all;
  const data::ScoredSource& source;
  std::vector<std::string> fields = {};        // by which they are joined beside the id
  std::vector<size_t> places = {};             // the labels among the rows of `source`
  std::vector<std::vector<size_t>> rows = {};  // of `all`, for each of `places`

  bool has_own_file() const { return &all != &source; }
  int64_t unfilled() const { return std::ssize(source.rows) - std::ssize(places); }

  // How messages call it: "q7 / one".
  std::string name(size_t label) const {
    std::string name = source.ids[places[label]];
    for (const std::string& field : fields) {
      name += " / " + data::name_of(source.rows[places[label]].find(field));
    }
    return name;
  }
};

// Throws InputError for labels that belong to no row or to several, and where the file has another
// question beside a label than its answer has, or another candidate or reference beside more than
// one in ten; notes fewer.
void check_rows(const JoinedLabels& labels, std::vector<std::string>& notes);

// Warns of labels that are far from all others, where no --scale refuses them.
std::vector<std::string> warn_of_far_labels(const JoinedLabels& labels,
                                            std::span<const double> values);

// Notes rows of a file of labels that have none.
void note_unfilled(const JoinedLabels& labels, std::vector<std::string>& notes);

// Notes a sheet whose rows stand for clearly more or fewer answers than there are by their
// probabilities, as where rows were taken out. `answers` have their systems and questions.
void note_missing_rows(const JoinedLabels& labels, LabelledAnswers& answers);

// A number, also as the cell of a table; nothing for words.
std::optional<double> number_in(const Json& value);

// Notes a column of such a sheet that no option names.
void note_unread(const JoinedLabels& labels, const std::string& column, const std::string& option,
                 const std::string& given, std::vector<std::string>& notes);

}  // namespace rubric::eval
