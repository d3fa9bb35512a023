#include "eval/estimate/coverage.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/context.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/random.h"
#include "core/system/log.h"
#include "core/system/parallel.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/agreement.h"
#include "eval/estimate/parts.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "eval/signature.h"
#include "judge/ledger/ledger.h"
#include "stats/correlation.h"
#include "stats/cross_fitting.h"
#include "stats/prediction_powered.h"

namespace rubric::eval {
namespace {

// A system's answers, with all labels.
struct LabelledSystem {
  std::vector<double> labels;
  std::vector<uint32_t> questions;
  std::vector<std::vector<double>> metrics;  // [metric][answer]
  std::vector<std::vector<double>> made_up;
  std::vector<uint32_t> records;

  bool combines() const { return metrics.size() > 1; }
};

LabelledSystem system_of(const LabelledAnswers& answers, const LabelledPart& part, uint64_t seed) {
  LabelledSystem system;
  system.metrics.resize(answers.scores.size());
  system.made_up.resize(2);
  // By question, so that the order of the rows changes no draw.
  std::vector<std::tuple<uint32_t, double, std::vector<double>, size_t>> order;
  for (size_t i = 0; i < part.sample.records.size(); ++i) {
    std::vector<double> scores;
    for (const auto& metric : answers.scores) scores.push_back(metric[part.sample.records[i]]);
    order.emplace_back(part.sample.cluster(i), part.sample.labels[i], std::move(scores), i);
  }
  std::ranges::sort(order);
  std::vector<uint32_t> clusters;
  for (const auto& each : order) {
    const size_t i = std::get<3>(each);
    const uint32_t row = part.sample.records[i];
    system.labels.push_back(part.sample.labels[i]);
    const size_t place = system.records.size();
    system.records.push_back(static_cast<uint32_t>(place));
    clusters.push_back(part.sample.cluster(i));
    for (size_t m = 0; m < system.metrics.size(); ++m) {
      system.metrics[m].push_back(answers.scores[m][row]);
    }
    system.made_up[0].push_back(0.5);
    const double share = uniform(random_bits(seed, Purpose::coverage_noise, place));
    system.made_up[1].push_back(std::tan(std::numbers::pi * (share - 0.5)));
  }
  system.questions = stats::clusters_by(clusters).of;
  return system;
}

// "" for labels alone, then the predictors.
std::vector<std::string> predictor_names(const LabelledAnswers& answers) {
  std::vector<std::string> names = {""};
  names.insert(names.end(), answers.metrics.begin(), answers.metrics.end());
  if (answers.metrics.size() > 1) names.emplace_back(kCombination);
  names.insert(names.end(), {"constant", "adversarial"});
  for (const std::string& metric : answers.metrics) {
    if (std::ranges::count(names, metric) == 1) continue;
    throw InputError("a metric is called \"" + metric + "\", as a predictor that is added", "",
                     "rename it, or name other metrics with --metric");
  }
  return names;
}

// How often each of m questions is in each resample: [resample][question].
using ResampleCounts = std::vector<std::vector<double>>;

ResampleCounts resample_counts(size_t m, const stats::BootstrapOptions& options) {
  ResampleCounts counts(static_cast<size_t>(options.resamples), std::vector<double>(m));
  for (size_t r = 0; r < counts.size(); ++r) {
    for (size_t i = 0; i < m; ++i) {
      counts[r][below(random_bits(options.seed, Purpose::bootstrap, r, i), m)] += 1;
    }
  }
  return counts;
}

stats::Interval bootstrap_interval(const stats::PoweredMean& mean, const ResampleCounts& counts) {
  std::vector<double> errors;
  double sum = 0;
  for (const auto& influence : mean.influences) sum += influence.value;
  for (const auto& influence : mean.influences) {
    errors.push_back(influence.value - sum / static_cast<double>(mean.influences.size()));
  }
  std::vector<double> values;
  for (const std::vector<double>& of_resample : counts) {
    values.push_back(
        std::inner_product(errors.begin(), errors.end(), of_resample.begin(), mean.value));
  }
  return *stats::percentile_interval(values);
}

// `n` of `all`, in ascending order (Floyd's algorithm).
std::vector<uint32_t> random_subset(uint32_t n, uint32_t all, uint64_t seed, uint64_t draw) {
  std::vector<uint32_t> chosen;
  std::vector<bool> is_chosen(all, false);
  for (uint32_t i = all - n; i < all; ++i) {
    auto one =
        static_cast<uint32_t>(below(random_bits(seed, Purpose::coverage_labels, draw, i), i + 1));
    if (is_chosen[one]) one = i;
    is_chosen[one] = true;
  }
  for (uint32_t i = 0; i < all; ++i) {
    if (is_chosen[i]) chosen.push_back(i);
  }
  return chosen;
}

// Labels alone, then with each predictor.
std::vector<stats::PoweredMean> means_of_draw(const LabelledSystem& system,
                                              std::vector<uint32_t> labelled) {
  stats::LabelledSample sample{system.records, std::move(labelled), {}, {}, {}, system.questions};
  for (const uint32_t record : sample.labelled) sample.labels.push_back(system.labels[record]);
  const stats::LabelDraw draw = stats::draw_of(sample);
  std::vector<stats::PoweredMean> means = {stats::powered_mean(draw, {}, stats::Slope::none)};
  for (const std::vector<double>& metric : system.metrics) {
    means.push_back(stats::powered_mean(draw, metric, stats::Slope::tuned));
  }
  if (system.combines()) {
    const std::vector<double> combined = stats::cross_fitted(
        system.metrics, sample.labelled, sample.labels, {system.questions, system.records.size()});
    means.push_back(stats::powered_mean(draw, combined, stats::Slope::cut));
  }
  for (const std::vector<double>& made_up : system.made_up) {
    means.push_back(stats::powered_mean(draw, made_up, stats::Slope::tuned));
  }
  return means;
}

// R^2 of labels by one predictor, or by the combination of metrics.
double explained(const LabelledSystem& system, const std::vector<double>& predictor) {
  const std::optional<double> r = stats::pearson(predictor, system.labels);
  return r ? *r * *r : 0;
}

// By least squares over all answers: in the combination's own fits the ridge is as good as none.
double explained_by_all(const LabelledSystem& system) {
  stats::Clusters each{system.records, system.records.size()};
  return explained(system,
                   stats::cross_fitted(system.metrics, system.records, system.labels, each));
}

std::vector<double> theories_of(const LabelledSystem& system) {
  std::vector<double> shares = {0};
  for (const std::vector<double>& metric : system.metrics) {
    shares.push_back(explained(system, metric));
  }
  if (system.combines()) shares.push_back(explained_by_all(system));
  for (const std::vector<double>& made_up : system.made_up) {
    shares.push_back(explained(system, made_up));
  }
  for (double& share : shares) share = std::sqrt(1 - share);
  return shares;
}

bool holds(const stats::Interval& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

// Sums over draws.
struct Tally {
  std::vector<double> held, bootstrap_held, width;

  explicit Tally(size_t count) : held(count), bootstrap_held(count), width(count) {}
  void add(const std::vector<stats::PoweredMean>& means, const ResampleCounts& counts,
           double truth) {
    for (size_t e = 0; e < means.size(); ++e) {
      held[e] += holds(means[e].interval, truth) ? 1 : 0;
      bootstrap_held[e] += holds(bootstrap_interval(means[e], counts), truth) ? 1 : 0;
      width[e] += means[e].interval.high - means[e].interval.low;
    }
  }
  void add(const Tally& other) {
    for (size_t e = 0; e < held.size(); ++e) {
      held[e] += other.held[e];
      bootstrap_held[e] += other.bootstrap_held[e];
      width[e] += other.width[e];
    }
  }
};

// Over all draws, of labels alone and with each predictor, which are `sources`.
Tally tally_of(const LabelledSystem& system, int64_t size, double truth, size_t sources,
               const CoverageOptions& options, Progress& progress) {
  const auto draws = static_cast<size_t>(options.draws);
  const auto all = static_cast<uint32_t>(system.records.size());
  constexpr size_t kPartDraws = 100;  // draws
  const size_t parts = (draws + kPartDraws - 1) / kPartDraws;
  std::vector<Tally> tallies(parts, Tally(0));
  parallel_for(parts, draws * all, [&](size_t first, size_t end) {
    std::map<size_t, ResampleCounts> counts;
    for (size_t part = first; part < end; ++part) {
      Tally tally(sources);
      for (size_t d = part * kPartDraws; d < std::min(draws, (part + 1) * kPartDraws); ++d) {
        end_if_stop_requested();
        const std::vector<stats::PoweredMean> means = means_of_draw(
            system, random_subset(static_cast<uint32_t>(size), all, options.bootstrap.seed, d));
        const size_t questions = means.front().influences.size();
        if (!counts.contains(questions)) {
          counts[questions] = resample_counts(questions, options.bootstrap);
        }
        tally.add(means, counts.at(questions), truth);
        progress.add(1);
      }
      tallies[part] = tally;
    }
  });
  Tally sum(sources);
  for (const Tally& tally : tallies) sum.add(tally);
  return sum;
}

void check_coverage(const LabelledAnswers& answers, const std::vector<LabelledPart>& parts,
                    const CoverageOptions& options) {
  const auto least = std::ranges::min(options.sizes);
  for (size_t s = 0; s < parts.size(); ++s) {
    const std::string name = answers.system_names[s].empty() ? "" : answers.system_names[s] + ": ";
    const stats::LabelledSample& sample = parts[s].sample;
    if (sample.labels.size() < sample.records.size()) {
      throw InputError(name +
                           counted(std::ssize(sample.records) - std::ssize(sample.labels),
                                   "answer has", "answers have") +
                           " no label",
                       "", "give labels of all answers: the truth must be known");
    }
    if (std::ssize(sample.labels) <= least) {
      throw InputError(name + counted(std::ssize(sample.labels), "answer") + " to draw " +
                           std::to_string(least) + " labels from",
                       "--sizes", "give smaller sizes, or more answers");
    }
    if (stats::is_constant(sample.labels)) {
      throw InputError(name + "labels are all equal", "", "leave this system out");
    }
  }
}

// Of each of `predictors`, "" for labels alone.
void add_coverage(const Tally& tally, int64_t draws, const std::vector<std::string>& predictors,
                  const std::vector<double>& theories, Adder add) {
  const auto count = static_cast<double>(draws);
  for (size_t i = 0; i < predictors.size(); ++i) {
    add.keys.metric = predictors[i];
    add.keys.method = "t";
    add("coverage", tally.held[i] / count);
    add.keys.method = "bootstrap";
    add("coverage", tally.bootstrap_held[i] / count);
    add.keys.method = "";
    add("width", tally.width[i] / count);
    add("relative_width",
        tally.width[0] > 0 ? std::optional(tally.width[i] / tally.width[0]) : std::nullopt);
    add("theory", theories[i]);
  }
}

// `without_width`: what has no relative width, "one, 10 labels".
std::vector<std::string> coverage_notes(int64_t draws,
                                        const std::vector<std::string>& without_width) {
  // Half of the interval of a share of 0.95, in %.
  const double margin = 100 * 1.96 * std::sqrt(0.95 * 0.05 / static_cast<double>(draws));
  std::vector<std::string> notes = {
      "the truth is the mean of all answers' labels, and answers are fixed; of " +
          counted(draws, "draw") + " a coverage of 95% has a 95% interval of ±" +
          format_fixed(margin, 1) + "%",
      "constant: a metric that is the same for all; adversarial: noise with heavy tails"};
  if (!without_width.empty()) {
    notes.push_back(join_some(without_width, "; ") +
                    ": the labels of each draw are all equal, so no interval has a width and a "
                    "relative width is undefined");
  }
  return notes;
}

}  // namespace

Result evaluate_coverage(const LabelledAnswers& answers, const std::string& human,
                         const CoverageOptions& options) {
  std::vector<size_t> rows(answers.systems.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  const std::vector<LabelledPart> parts = parts_of_systems(answers, rows);
  check_coverage(answers, parts, options);
  const std::vector<std::string> predictors = predictor_names(answers);
  int64_t total = 0;
  for (const LabelledPart& part : parts) {
    total += options.draws * std::ranges::count_if(options.sizes, [&](int64_t size) {
               return size < std::ssize(part.sample.records);
             });
  }
  Progress progress("draws", total);
  Result result{.title = "Coverage of intervals from few labels"};
  std::vector<std::string> without_width;
  for (size_t s = 0; s < parts.size(); ++s) {
    const std::string& name = answers.system_names[s];
    const LabelledSystem system = system_of(answers, parts[s], options.bootstrap.seed);
    const auto n = std::ssize(system.labels);
    const double truth = stats::mean(system.labels);
    const std::vector<double> theories = theories_of(system);
    Adder{result.measurements, {.system = name}, n}("truth", truth);
    for (const int64_t size : options.sizes) {
      if (size >= n) continue;
      const Keys keys{.system = name, .subset = counted(size, "label")};
      const Tally tally = tally_of(system, size, truth, predictors.size(), options, progress);
      add_coverage(tally, options.draws, predictors, theories,
                   {result.measurements, keys, {}, "no interval has a width"});
      if (tally.width[0] > 0) continue;
      without_width.push_back((name.empty() ? "" : name + ", ") + keys.subset);
    }
  }
  progress.finish();
  result.notes = coverage_notes(options.draws, without_width);
  result.tables = {read_layout("estimate", "coverage",
                               {{"human", human}, {"draws", counted(options.draws, "draw")}})};
  return result;
}

namespace {

// Rows to draw labels of, and those to leave out().
struct DrawnFrom {
  data::ScoredRows rows;
  std::vector<bool> is_left_out = {};  // by row; empty: none
};

// The rows of the first judge, with the other's verdicts as labels; without those of which either
// reply holds no verdicts. Answers must be the same.
DrawnFrom judged_by_both(const CoverageRequest& request, const std::filesystem::path& other) {
  const std::string& aspect = request.human;
  std::vector<std::string> notes;
  const judge::Ledger ledger = judge::read_chosen_ledger(request.ledger, request.judge);
  const judge::Ledger labels = judge::read_chosen_ledger(other, {.parser = request.judge.parser});
  const std::string judge = labels.entries.front().judge;
  JudgedSource judged = judged_source(ledger, aspect, request.ledger, notes);
  const JudgedSource truth = judged_source(labels, aspect, other, notes);
  // As a list: "m" with "x/1" is not "m/x" with "1".
  const auto name = [](const Json& row) {
    return Json(Json::Array{*row.find("system"), *row.find("id")}).dump();
  };
  std::map<std::string, size_t> truths;  // by name
  for (size_t i = 0; i < truth.source.rows.size(); ++i) truths[name(truth.source.rows[i])] = i;
  std::vector<bool> is_left_out = judged.is_unread;
  for (size_t i = 0; i < judged.source.rows.size(); ++i) {
    Json& row = judged.source.rows[i];
    row["id"] = judged.source.ids[i] = name(row);
    const auto found = truths.find(judged.source.ids[i]);
    if (found == truths.end()) continue;
    row[aspect] = *truth.source.rows[found->second].find("scores")->find(judge);
    is_left_out[i] = is_left_out[i] || truth.is_unread[found->second];
  }
  for (const std::string& note : notes) log_info(note);
  return {data::read_scored_rows(std::move(judged.source),
                                 {"", "", request.system, {ledger.entries.front().judge}}),
          std::move(is_left_out)};
}

DrawnFrom rows_to_draw_from(const CoverageRequest& request) {
  for (const int64_t size : request.options.sizes) {
    if (std::ranges::count(request.options.sizes, size) == 1) continue;
    throw InputError("the size " + std::to_string(size) + " is named twice", "--sizes",
                     "name it once");
  }
  const bool has_ledger = !request.ledger.empty();
  if (has_ledger || !request.other_ledgers.empty()) {
    if (has_ledger && request.other_ledgers.size() == 1 && request.input.empty()) {
      return judged_by_both(request, request.other_ledgers.front());
    }
    throw InputError("two ledgers, --ledger and --other-ledger, go alone", "",
                     "name these two, or --input");
  }
  if (request.input.empty()) throw InputError("--input is missing", "", "name the scored rows");
  data::RowFields fields;
  fields.system = request.system;
  fields.metrics = request.metrics;
  fields.label = request.human;
  fields.fields = request.row_format.fields;
  return {data::read_scored_rows(request.input,
                                 data::input_format(request.row_format, request.input), fields)};
}

}  // namespace

Result evaluate_coverage_files(const CoverageRequest& request, const Context& context) {
  const ContextScope scope(context);
  EstimateRequest labelled;
  labelled.human = request.human;
  labelled.system = request.system;
  DrawnFrom from = rows_to_draw_from(request);
  const std::string file = from.rows.file.string();
  warn_of_scales(from.rows, from.is_left_out);
  LabelledAnswers answers = join_labels(labelled, std::move(from.rows), nullptr);
  leave_out(from.is_left_out, answers);
  Result result = evaluate_coverage(answers, request.human, request.options);
  result.signature = Signature("coverage")
                         .text("human", request.human)
                         .texts("metric", answers.metrics)
                         .file("all", file)
                         .add("draws", request.options.draws)
                         .end(request.options.bootstrap);
  return result;
}

}  // namespace rubric::eval
