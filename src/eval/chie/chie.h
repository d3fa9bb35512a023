// The CHIE suite: systems by the four aspects from a judge's ledger (Phatthiyaphaibun et al. 2024,
// Table 5), with BERTScore, F1, exact match and answer lengths.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "judge/ledger/entry.h"
#include "judge/ledger/ledger.h"
#include "judge/verdicts/verdicts.h"
#include "rubric/context.h"
#include "rubric/judge_choice.h"
#include "rubric/result.h"
#include "stats/agreement.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

using judge::VerdictParser;

struct ChieAnswer {
  const judge::LedgerEntry* entry;          // the last attempt in the ledger
  std::optional<judge::Verdicts> verdicts;  // nothing if the reply has no verdicts
  std::optional<double> bertscore = {};     // F1; nothing if not scored
};

struct ChieSystem {
  std::string name, language;
  std::array<int64_t, judge::kAspects.size()> agreed{};  // how often the judge agrees, by aspect
  int64_t invalid = 0;                                   // replies without verdicts
  std::vector<ChieAnswer> answers = {};  // all judged answers, in the ledger's order
  std::optional<double> bertscore = {};  // mean F1; nothing if not scored

  int64_t n() const { return std::ssize(answers); }
};

// A reply that the two parsers read differently.
struct ParserDisagreement {
  std::string system, language, id;
  std::optional<judge::Verdicts> published, strict;
};

struct ChieEvaluation {
  std::vector<ChieSystem> systems;  // in order of first appearance in the ledger
  std::vector<ParserDisagreement> disagreements;
  std::set<std::string> parsers = {};  // the names of those that read the replies
};

// Counts the entries of a ledger in one `language` ("": all). Each answer counts once, by its last
// attempt, read by its entry's parser. Throws InputError as last_attempts() does.
ChieEvaluation evaluate_chie(std::span<const judge::LedgerEntry> entries,
                             const std::string& language, const std::string& where);

// BERTScore.

// Sets each answer's BERTScore F1 and each system's mean from JSON lines with id,
// system, language, candidate and scores.bertscore, as `score bertscore --input LEDGER` writes
// them. Throws InputError for an answer without a score, and for a score of another candidate.
void add_bertscores(std::vector<ChieSystem>& systems, const std::filesystem::path& file);

// Values that depend on words: F1, exact match and the mean length of answers.

struct ChieWords {
  double f1 = 0, em = 0;         // SQuAD's, the mean over all answers
  std::vector<int64_t> lengths;  // of each answer, in words
  double mean_length = 0;
};

struct ChieWordCounts {
  std::vector<ChieWords> systems;       // in the order of the argument
  std::vector<std::string> segmenters;  // the segmenters used, each once: "newmm-5.4.0"
};

// F1 and exact match use white-space tokens, or, in languages without blanks between words, a
// segmenter's words: newmm for Thai, jieba for Chinese, else ICU. Lengths, as in the authors' code,
// are jieba's words for Chinese, including blanks, and newmm's for every other language. Throws
// Error, naming the answer, when a segmenter fails.
ChieWordCounts measure_words(std::span<const ChieSystem> systems);

// Human labels of answers by CHIE's four aspects, and the assessments of judges and annotators of
// the same answers.

struct HumanLabel {
  std::string system, language, id;  // of the answer; language "": that of the system
  std::string annotator;
  judge::Verdicts verdicts;
  std::string where;  // "file:line"
};

// Reads rows (.jsonl, .csv, .tsv), one for each annotator and answer: id, system, optionally
// language, annotator, and C, H, I and E as 1 or 0 (1.0 or 0.0), true or false, agree or disagree
// (in any case). Throws InputError with file:line for anything else, including an empty aspect and
// an annotator who labels an answer twice.
std::vector<HumanLabel> read_human_labels(const std::filesystem::path& file);

// The error for two labels of one answer by one annotator.
InputError labelled_twice(const HumanLabel& first, const HumanLabel& second);

// Assessments.

// Whether a rater agrees, by aspect; nothing when unknown: a tie, or all four for a reply that
// holds no verdicts.
using Ratings = std::array<std::optional<bool>, judge::kAspects.size()>;

struct Rater {
  std::string name;                             // "gpt-4-0613", "human 4"
  std::vector<std::optional<Ratings>> ratings;  // by answer; nothing for answers not assessed
  int64_t others = 0;                           // assessed answers that are not in the ledger
};

inline constexpr const char* kMajority = "majority";  // of the annotators, as a rater

// The annotators' majority, aspect by aspect, over those who assessed an answer.
struct HumanMajority {
  Rater rater;
  std::vector<std::string> annotators;
  int64_t incomplete = 0;  // answers that some of them did not assess
  int64_t ties = 0;        // verdicts without a majority
};

struct ChieAssessments {
  std::vector<const judge::LedgerEntry*>
      answers;                // of the first ledger, in the order of its systems
  std::vector<Rater> judges;  // the first ledger's judge first
  std::vector<Rater> humans;  // annotators outside the majority
  std::optional<HumanMajority> majority;
};

// The answers of a ledger, with its judge.
ChieAssessments assessments_of(const ChieEvaluation& evaluation, const std::string& judge);

// Adds the judge of another ledger; answers are matched by system, language and id. Throws
// InputError, naming `where`, when a matched answer has another passage, question or text, and when
// no answer matches.
void add_judge(ChieAssessments& assessments, const ChieEvaluation& evaluation,
               const std::string& judge, const std::string& where);

// Adds the majority of `annotators` (empty: all), and the others one by one, in the order of
// names. Labels of answers that are not in the ledger are counted, not refused: a file may cover
// more systems, and a ledger grows answer by answer. Throws InputError for an annotator without
// labels, for one who labels an answer twice or has a judge's name, for more than a hundred
// annotators, and when no answer is labelled by any of `annotators`.
void add_humans(ChieAssessments& assessments, std::span<const HumanLabel> labels,
                std::vector<std::string> annotators);

// Of each system, in the order of the answers, how often the majority agrees with its answers, by
// aspect ("count", Table 1), and how often there is none ("ties"). Nothing without a majority.
std::vector<Measurement> majority_counts(const ChieAssessments& assessments);

// Agreement of judges with annotators and with each other (Phatthiyaphaibun et al. 2024, Tables 3,
// 4 and 7), and BERTScore against the four aspects (Table 2).

// C, H, I, E, and finally the verdicts on all four ("overall" in the paper).
inline constexpr size_t kAspectGroups = judge::kAspects.size() + 1;
const char* aspect_group(size_t group);  // "C", …, "overall"

struct AgreementStatistic {
  const char* key;
  std::optional<double> (*of)(const stats::YesNoCounts& counts);
  // The value over all aspects; null: `of` on the pooled verdicts.
  std::optional<double> (*overall)(std::span<const stats::YesNoCounts> aspects) = nullptr;
};

inline constexpr std::array<AgreementStatistic, 3> kGoldStatistics = {
    {{"precision", stats::precision}, {"recall", stats::recall}, {"f1", stats::f1}}};
inline constexpr std::array<AgreementStatistic, 2> kJudgeStatistics = {
    {{"agreement", stats::observed_agreement},
     {"kappa", stats::cohen_kappa, stats::stratified_kappa}}};

// What is measured of two raters, and how their YesNoCounts are called, in order.
struct AgreementKind {
  std::span<const AgreementStatistic> statistics;
  std::array<const char*, 4> counts;
};
inline constexpr AgreementKind kWithGold = {kGoldStatistics, {"tp", "fp", "fn", "tn"}};
inline constexpr AgreementKind kOfJudges = {kJudgeStatistics,
                                            {"both", "first_only", "second_only", "neither"}};

// Measurements of two raters on the answers that both assess, whose keys call the second `against`:
// "answers", their "questions", and on how many answers each has no verdict at all ("invalid",
// "invalid_against"); by aspect the counts of verdicts that both give and each statistic, then in
// how many resamples it is undefined, which its interval ignores ("undefined_kappa"). Answers to
// one question (a passage and its question) are resampled together. On one question there is no
// interval.
std::vector<Measurement> agreement_of(const Rater& first, const Rater& second,
                                      const std::string& against, const AgreementKind& kind,
                                      const std::vector<const judge::LedgerEntry*>& answers,
                                      const stats::BootstrapOptions& bootstrap);

struct ChieAgreements {
  std::vector<Measurement> with_majority;  // each judge, then each annotator outside the majority
  std::vector<Measurement> of_judges;      // each pair of judges
};

// All comparisons. Throws InputError when two judges have no answer in common.
ChieAgreements evaluate_agreements(const ChieAssessments& assessments,
                                   const stats::BootstrapOptions& bootstrap);

// BERTScore.

bool has_several_languages(std::span<const ChieSystem> systems);

// Divides the answers that `rater` has assessed into thirds by BERTScore: third i of three ends
// with answer floor(i n / 3), so sizes differ by at most one. Equal scores keep the order of
// systems and ledger. All answers must be scored. Empty for fewer than three answers, and for
// systems in several languages, whose BERTScores have different scales.
//
// Of each, the subset "low", "medium" or "high", with `source`, which says who the rater is: the
// "lowest" and "highest" BERTScore; how often the rater agrees, by aspect ("count"), and the
// answers that lack a verdict on one ("undecided"); answers with the same score as one in another
// tercile
// ("tied"); the mean length.
std::vector<Measurement> bertscore_terciles(std::span<const ChieSystem> systems,
                                            const ChieWordCounts& words, const Rater& rater,
                                            const std::string& source);

// What the CHIE suite makes of ledgers, labels and scores.

struct ChieRequest {
  std::string ledger;                      // the evaluated one
  std::vector<std::string> other_ledgers;  // of other judges
  JudgeChoice judge;                       // of `ledger`; the parser is for all ledgers
  std::string language;                    // "": all
  std::string scores;                      // a file for add_bertscores(); "": none
  std::string labels;                      // a file for read_human_labels(); "": none
  std::vector<std::string> annotators;     // who form the majority; empty: all
  stats::BootstrapOptions bootstrap;

  bool compares() const { return !labels.empty() || !other_ledgers.empty(); }

  void visit_fields(auto& field) {
    field("ledger", ledger, "the judge's replies").named("FILE").input().required();
    judge.visit_fields(field);
    field("language", language, "only the answers in this language").named("CODE");
    field("scores", scores, "the ledger scored by `score bertscore`: BERTScore, too")
        .named("FILE")
        .input();
    field("human-file", labels,
          "rows (.jsonl, .csv, .tsv), one for each annotator and answer: id, system, annotator, C, "
          "H, I, E")
        .named("FILE")
        .input();
    field("annotator", annotators,
          "an annotator whose majority is the reference, or several: 1,2,3; may be repeated; all "
          "when left out")
        .names();
    field("other-ledger", other_ledgers,
          "another judge's ledger on the same answers, of one judge and prompt, or several: "
          "B.jsonl,C.jsonl; may be repeated")
        .named("FILE")
        .input()
        .names();
    bootstrap.visit_fields(field);
  }
};

struct ChieResults {
  ChieEvaluation evaluation;  // of the first ledger
  ChieWordCounts words;
  // If labels or other ledgers are given.
  std::optional<ChieAssessments> assessments = {};
  ChieAgreements agreements = {};
  stats::BootstrapOptions bootstrap = {};  // of the agreements
  std::vector<Measurement> terciles = {};  // if BERTScore is given
  std::set<std::string> parsers = {};      // those of the evaluations of all ledgers
};

// Evaluates the first of `ledgers`, those of the request; the results point into them. Throws
// InputError as the functions of suite.h and assessments.h do.
ChieResults evaluate_ledgers(std::span<const judge::Ledger> ledgers, const ChieRequest& request);

std::string chie_signature(std::span<const judge::Ledger> ledgers, const ChieResults& results,
                           const ChieRequest& request);

// docs/results_format.md has the measurements. Records "disagreements": replies that the two
// parsers read differently.
Result chie_result(const ChieResults& results);

// All of it, from files. Throws InputError as the functions above do.
Result evaluate_chie_files(const ChieRequest& request, const Context& context = {});

}  // namespace rubric::eval
