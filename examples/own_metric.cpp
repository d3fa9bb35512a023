// A metric of one's own, compared with token F1 by agreement with human labels.
//
//   own_metric samples/own/judgements.csv scored.csv
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>

#include <rubric/rubric.h>

namespace {

// The Jaccard index of the words of the candidate and of a reference, the largest over references.
class WordJaccard : public rubric::Metric<rubric::Answer> {
 public:
  rubric::Scores score(std::span<const rubric::Answer> answers) override {
    rubric::Scores scores{.names = {"jaccard"}, .rows = {}};
    for (const rubric::Answer& answer : answers) {
      double best = 0;
      for (const std::string& reference : answer.references) {
        best = std::max(best, jaccard(words(answer.candidate), words(reference)));
      }
      scores.rows.push_back({best});
    }
    return scores;
  }
  std::string signature() const override { return "jaccard|case:mixed|tok:blanks"; }

 private:
  static std::set<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
  }
  static double jaccard(const std::set<std::string>& a, const std::set<std::string>& b) {
    const auto shared = std::count_if(a.begin(), a.end(),
                                      [&](const std::string& word) { return b.contains(word); });
    const double all = static_cast<double>(a.size() + b.size()) - static_cast<double>(shared);
    return all == 0 ? 1 : static_cast<double>(shared) / all;
  }
};

}  // namespace

int main(int, char** argv) try {
  const std::vector<rubric::Answer> answers =
      rubric::read_answers(argv[1], "", {{"score", "rating"}});
  const rubric::Scores own = WordJaccard().score(answers);
  const rubric::Scores f1 = rubric::make_metric("f1")->score(answers);

  // Rows that share a question are one unit of the bootstrap and of the permutation test.
  std::ofstream scored(argv[2]);
  scored << "question,label,jaccard,f1\n";
  for (size_t i = 0; i < answers.size(); ++i) {
    scored << std::quoted(answers[i].question, '"', '"') << ',' << answers[i].score.value() << ','
           << own.rows[i][0] << ',' << f1.rows[i][0] << '\n';
  }
  scored.close();
  rubric::AgreementRequest request;
  request.input = argv[2];
  request.human = "label";
  std::cout << print(rubric::evaluate_agreement(request), rubric::OutputFormat::text);
} catch (const rubric::InputError& error) {
  std::cerr << error.what() << "\n";
  return rubric::kBadInput;
}
