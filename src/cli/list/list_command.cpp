// rubric list KIND: prints the entries of a kind's table.
#include "cli/list/list_command.h"

#include <algorithm>
#include <iostream>

#include "cli/list.h"
#include "cli/list/command_lines.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/terminal.h"
#include "data/answers/list.h"
#include "data/model_files/list.h"
#include "data/model_files/shipped_models.h"
#include "data/multiple_choice/list.h"
#include "data/rationales/list.h"
#include "data/tasks/list.h"
#include "eval/report/table.h"
#include "metrics/list.h"
#include "metrics/ngram/answer_features.h"
#include "models/encoders/list.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

Json::Array texts(std::span<const std::string_view> names) {
  Json::Array array;
  for (const std::string_view name : names) array.emplace_back(std::string(name));
  return array;
}

// What every descriptor has.
template <Listed T>
Json common(const T& descriptor) {
  Json json{Json::Object()};
  json["name"] = std::string(descriptor.name);
  if constexpr (requires { descriptor.aliases; }) json["aliases"] = texts(descriptor.aliases);
  json["summary"] = std::string(descriptor.summary);
  return json;
}

Json options_of(const CommandSyntax& syntax) {
  Json::Array options;
  const po::options_description shown = shown_options(syntax);
  for (const auto& option : shown.options()) {
    Json json{Json::Object()};
    json["name"] = "--" + option->long_name();
    json["value"] = option->format_parameter();
    json["help"] = option->description();
    options.push_back(std::move(json));
  }
  return options;
}

Json command(const Command& each) {
  Json json = common(each);
  if (each.subcommands.empty()) json["options"] = options_of(syntax_of(each));
  Json::Array examples;
  for (std::string& example : examples_of(each)) examples.emplace_back(std::move(example));
  json["examples"] = std::move(examples);
  Json::Array subcommands;
  for (const Command* const subcommand : each.subcommands)
    subcommands.push_back(command(*subcommand));
  if (!subcommands.empty()) json["subcommands"] = std::move(subcommands);
  return json;
}

Json metric(const metrics::MetricKind& each) {
  Json json = common(each);
  json["record"] = name_of(each.record);
  json["needs_model"] = each.needs_model();
  if (each.default_model != nullptr) json["default_model"] = each.default_model_name();
  Json::Array settings;
  for (const metrics::Setting* const setting : each.settings) {
    settings.push_back(Json::Object{{"name", std::string("--") + setting->name},
                                    {"value", std::string(setting->value_name)},
                                    {"help", std::string(setting->help)}});
  }
  json["settings"] = std::move(settings);
  json["example"] = std::string(each.example);
  return json;
}

Json encoder(const models::EncoderKind& each) {
  Json json = common(each);
  json["title"] = std::string(each.title);
  json["tokenizer"] = std::string(each.tokenizer);
  json["example"] = std::string(each.example);
  return json;
}

// There are readers for several kinds of record.
template <Listed T>
void add_readers(const std::string& record, List<T> readers, Json::Array& all) {
  for (const T* const reader : readers) {
    Json json = common(*reader);
    json["record"] = record;
    all.push_back(std::move(json));
  }
}

template <Listed T>
Json::Array each(List<T> list, Json (*to_json)(const T&)) {
  Json::Array all;
  for (const T* const descriptor : list) all.push_back(to_json(*descriptor));
  return all;
}

struct Kind {
  std::string_view name, summary;
  Json::Array (*entries)();
};

constexpr Kind kMetricKind = {"metrics", "what `score` computes",
                              [] { return each<metrics::MetricKind>(metrics::kMetrics, metric); }};
constexpr Kind kReaderKind = {
    "readers", "formats of files, and published data sets", [] {
      Json::Array all;
      add_readers<data::InputFormat>("answer", data::kInputFormats, all);
      add_readers<data::ChoiceReader>("choice_question", data::kChoiceReaders, all);
      add_readers<data::RationaleReader>("rationale", data::kRationaleReaders, all);
      return all;
    }};
constexpr Kind kCommandKind = {"commands", "what the program does, with its options",
                               [] { return each<Command>(kCommands, command); }};
constexpr Kind kSuiteKind = {"suites", "what `evaluate` evaluates",
                             [] { return each<Command>(kSuites, command); }};
constexpr Kind kTaskKind = {"tasks", "what `train` trains",
                            [] { return each<data::TaskKind>(data::kTasks, common); }};
constexpr Kind kEncoderKind = {"encoders", "models that read texts", [] {
                                 return each<models::EncoderKind>(models::kEncoders, encoder);
                               }};
constexpr Kind kFeatureKind = {
    "features", "numbers that may be read beside the score of a trained LERC (head.features)",
    [] { return each<metrics::AnswerFeature>(metrics::kAnswerFeatures, common); }};
constexpr Kind kSequenceModelKind = {
    "sequence-models", "models that write texts",
    [] { return each<data::SequenceKind>(data::kSequenceKinds, common); }};

constexpr Kind kModelKind = {"models", "trained models that rubric ships",
                             [] { return each<data::ShippedModel>(data::kShippedModels, common); }};

constexpr const Kind* kKinds[] = {
    &kMetricKind, &kModelKind,   &kReaderKind,        &kCommandKind, &kSuiteKind,
    &kTaskKind,   &kEncoderKind, &kSequenceModelKind, &kFeatureKind,
};
static_assert(have_unique_names(kKinds));

eval::Table table_of(const Json::Array& entries) {
  eval::Table table;
  const bool has_record = entries.front().find("record") != nullptr;
  table.header = has_record ? std::vector<std::string>{"name", "of", "what it is"}
                            : std::vector<std::string>{"name", "what it is"};
  table.alignment = {eval::Align::left, eval::Align::left, eval::Align::left};
  table.key_columns = table.header.size() - 1;
  for (const Json& entry : entries) {
    table.rows.push_back({entry.find("name")->string()});
    if (has_record) table.rows.back().push_back(entry.find("record")->string());
    table.rows.back().push_back(entry.find("summary")->string());
  }
  return table;
}

// The stable names of docs/versioning.md.
eval::Table options_table() {
  eval::Table table;
  table.header = {"command", "options"};
  table.alignment = {eval::Align::left, eval::Align::left};
  for (const CommandLine& line : command_lines()) {
    if (!line.command->subcommands.empty()) continue;
    const po::options_description shown = shown_options(syntax_of(*line.command));
    std::string names;
    for (const auto& option : shown.options()) names += " --" + option->long_name();
    table.rows.push_back({line.name(), names.empty() ? names : names.substr(1)});
  }
  return table;
}

std::string printed(const eval::Table& table, OutputFormat format) {
  return eval::print_tables({&table, 1}, format,
                            format == OutputFormat::text ? terminal_width() : 0);
}

Json::Array kind_entries() {
  Json::Array all;
  for (const Kind* const kind : kKinds) {
    all.emplace_back(
        Json::Object{{"name", std::string(kind->name)}, {"summary", std::string(kind->summary)}});
  }
  return all;
}

// docs/lists.md
std::string page() {
  std::string text =
      "# What there is\n\n"
      "Made by `rubric list --markdown`, from the tables that the programs use "
      "(`src/*/**/list.h`).\n";
  for (const Kind* const kind : kKinds) {
    text += "\n## " + std::string(kind->name) + ": " + std::string(kind->summary) + "\n\n" +
            printed(table_of(kind->entries()), OutputFormat::markdown);
  }
  text += "\n## Options of each command\n\n" + printed(options_table(), OutputFormat::markdown);
  return text;
}

}  // namespace

std::map<std::string, std::string> listed_kinds() {
  std::string kinds;
  for (const Kind* const kind : kKinds) {
    std::string name(kind->name);
    name.resize(std::max<size_t>(17, name.size() + 1), ' ');
    kinds += "\n  " + name + std::string(kind->summary);
  }
  return {{"kinds", kinds.substr(1)}};
}

void list(const ListRequest& request, const Context&) {
  const bool writes_pages = !request.man.empty();
  if (request.markdown || writes_pages) {
    if (!request.kind.empty()) {
      throw InputError(std::string(request.markdown ? "--markdown" : "--man") + " is for all kinds",
                       "rubric list", "leave " + request.kind + " out");
    }
    if (request.markdown) std::cout << page();
    if (writes_pages) write_man_pages(request.man);
    return;
  }
  const Json::Array entries = request.kind.empty()
                                  ? kind_entries()
                                  : require<Kind>(kKinds, request.kind, "kind of things").entries();
  std::cout << (request.json ? Json(entries).dump(2) + "\n"
                             : printed(table_of(entries), OutputFormat::text));
}

}  // namespace rubric::cli
