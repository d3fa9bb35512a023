// The subcommands of `derive`, by what they make.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/data/describe.h"
#include "data/behaviours/behaviours.h"
#include "data/rationales/list.h"
#include "data/rationales/task_outputs.h"
#include "rubric/row_format.h"

namespace rubric::cli {

enum class DerivationRule { core, ie };

struct R4cBaselineRequest {
  DerivationRule baseline = DerivationRule::core;
  std::filesystem::path articles, parses, output;

  void visit_fields(auto& field) {
    field("baseline", baseline, "core or ie").choices({"core", "ie"}).positional().required();
    field("articles", articles, "questions and supporting facts, HotpotQA's JSON")
        .input()
        .required();
    field("parses", parses, "the parsed supporting facts, CoNLL-U as scripts/parse writes it")
        .input()
        .required();
    field("output", output, "the predictions").output().short_as('o').required();
  }
};
void derive_r4c_baseline(const R4cBaselineRequest& request, const Context& context);

struct R4cPairsRequest {
  std::filesystem::path hotpotqa, derivations, output;
  int64_t max_references = 0;

  void visit_fields(auto& field) {
    field("hotpotqa", hotpotqa, "the questions of the pairs, HotpotQA's JSON").input().required();
    field("derivations", derivations,
          "their reference derivations, R4C's JSON; without it rows have no target")
        .input();
    field("max-references", max_references,
          "use the first N references of each question, a row for each; 0: all")
        .range(0, 1000);
    field("output", output, "the rows, as JSON lines")
        .output()
        .json_lines()
        .short_as('o')
        .required();
  }
};
void derive_r4c_pairs(const R4cPairsRequest& request, const Context& context);

struct DerivationsRequest {
  std::filesystem::path input, output;
  std::string text = "text";
  RowFormat row_format;

  void visit_fields(auto& field) {
    field("input", input, "rows with id and a text").input().short_as('i').required();
    field("text", text, "the field that holds the text").named("FIELD");
    field("output", output, "the predictions").output().short_as('o').required();
    row_format.visit_file_fields(field);
  }
};
void derive_derivations(const DerivationsRequest& request, const Context& context);

struct RationalesRequest {
  RationaleSourceRequest source;
  std::filesystem::path output, rest;
  bool keep_going = false;

  void visit_fields(auto& field) {
    source.visit_fields(field);
    field("output", output, "the rows, as JSON lines")
        .output()
        .json_lines()
        .short_as('o')
        .required();
    field("rest", rest, "the file for the examples that are not drawn").output().json_lines();
    field("keep-going", keep_going, "leave out and count rows that cannot be used");
  }
};
void derive_rationales(const RationalesRequest& request, const Context& context);

struct VacuousRationalesRequest {
  std::filesystem::path input, statements, output;
  RowFormat row_format;

  void visit_fields(auto& field) {
    field("input", input, "rationale rows").input().short_as('i').required();
    field("statements", statements,
          "statements that a converter made from questions and answers, JSON lines")
        .input();
    field("output", output, "the same rows with baselines, as JSON lines")
        .output()
        .json_lines()
        .short_as('o')
        .required();
    row_format.visit_file_fields(field);
  }
};
void derive_vacuous_rationales(const VacuousRationalesRequest& request, const Context& context);

struct ConversionsRequest {
  std::filesystem::path input, output;
  RowFormat row_format;

  void visit_fields(auto& field) {
    field("input", input, "rationale rows").input().short_as('i').required();
    field("output", output, "the pairs, as JSON lines")
        .output()
        .json_lines()
        .short_as('o')
        .required();
    row_format.visit_file_fields(field);
  }
};
void derive_conversions(const ConversionsRequest& request, const Context& context);

struct RationalePairsRequest {
  data::OutputKind kind = data::OutputKind::xy_r;
  std::filesystem::path input, ids, output;
  std::optional<std::string> text;  // the field; without it "generated"
  bool keep_going = false;

  void visit_fields(auto& field) {
    field("kind", kind, "the kind of pairs")
        .choices({"xy_r", "x_yr", "x_ry", "vacuous"})
        .positional()
        .required();
    field("input", input, "rationale rows with what a model wrote")
        .input()
        .short_as('i')
        .required();
    field("text", text, "the field that holds the text").named("FIELD");
    field("ids", ids, "for published outputs: the rationale rows whose ids they get").input();
    field("keep-going", keep_going, "leave out and count rows that cannot be used");
    field("output", output, "the rows, as JSON lines")
        .output()
        .json_lines()
        .short_as('o')
        .required();
  }
};
void derive_rationale_pairs(const RationalePairsRequest& request, const Context& context);

struct BehavioursRequest {
  std::filesystem::path input, output;
  data::BehaviourOptions options;
  RowFormat row_format;

  void visit_fields(auto& field) {
    field("input", input, "answers to questions, with references").input().short_as('i').required();
    field("output", output, "the pairs, as JSON lines")
        .output()
        .json_lines()
        .short_as('o')
        .required();
    field("behaviour", options.names,
          "a behaviour, or several: a,b; may be repeated; all when left out")
        .names();
    field("wordings", options.wordings, "learning, tuning or testing")
        .choices({"learning", "tuning", "testing"})
        .named("SET");
    field("each", options.pairs, "at most N pairs of each behaviour, drawn; 0: all");
    field("seed", options.seed, "another seed, other incorrect answers and wordings");
    row_format.visit_fields(field);
  }
};
Result derive_behaviours(const BehavioursRequest& request, const Context& context);

std::map<std::string, std::string> listed_behaviours();  // {behaviours}

inline constexpr Command kDeriveR4cBaseline = {
    .name = "r4c-baseline",
    .parent = "derive",
    .summary = "R4C's baselines, CORE and IE: derivations from parsed sentences",
    .make_call = config::make_call<R4cBaselineRequest, derive_r4c_baseline>};
inline constexpr Command kDeriveR4cPairs = {
    .name = "r4c-pairs",
    .parent = "derive",
    .summary = "rows of source and target that a sequence model learns derivations from",
    .make_call = config::make_call<R4cPairsRequest, derive_r4c_pairs>};
inline constexpr Command kDeriveDerivations = {
    .name = "derivations",
    .parent = "derive",
    .summary = "derivations from the texts that a sequence model wrote",
    .make_call = config::make_call<DerivationsRequest, derive_derivations>};
inline constexpr Command kDeriveRationales = {
    .name = "rationales",
    .parent = "derive",
    .summary = "rows of rationales from a published data set",
    .make_call = config::make_call<RationalesRequest, derive_rationales>,
    .listed = listed_readers};
inline constexpr Command kDeriveVacuousRationales = {
    .name = "vacuous-rationales",
    .parent = "derive",
    .summary = "rationale rows with REV's vacuous rationales, to compare theirs with",
    .make_call = config::make_call<VacuousRationalesRequest, derive_vacuous_rationales>};
inline constexpr Command kDeriveConversions = {
    .name = "conversions",
    .parent = "derive",
    .summary = "questions with their answers, for a converter of them to vacuous rationales",
    .make_call = config::make_call<ConversionsRequest, derive_conversions>};
inline constexpr Command kDeriveRationalePairs = {
    .name = "rationale-pairs",
    .parent = "derive",
    .summary = "pairs of rationale and label from what REV's task models wrote",
    .make_call = config::make_call<RationalePairsRequest, derive_rationale_pairs>};
inline constexpr Command kDeriveBehaviours = {
    .name = "behaviours",
    .parent = "derive",
    .summary = "pairs of correct and incorrect answers by rule, to test metrics of answers with",
    .make_call = config::make_call<BehavioursRequest, derive_behaviours>,
    .listed = listed_behaviours};

// A new one is a line here, its request and its function.
// clang-format off
inline constexpr const Command* kDerivations[] = {
    &kDeriveR4cBaseline,
    &kDeriveR4cPairs,
    &kDeriveDerivations,
    &kDeriveRationales,
    &kDeriveVacuousRationales,
    &kDeriveConversions,
    &kDeriveRationalePairs,
    &kDeriveBehaviours,
};
// clang-format on
static_assert(have_unique_names(kDerivations));

inline constexpr Command kDerive = {
    .name = "derive",
    .summary = "makes R4C's derivations, REV's rationales and test pairs of answers",
    .is_step = true,
    .has_link = true,
    .subcommands = kDerivations,
    .subcommand_name = "kind"};

}  // namespace rubric::cli
