#include "data/answers/answer_file.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/files/gzip.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/rows/rows.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {

AnswerFile::AnswerFile(std::filesystem::path file, InputFormat format, const FieldNames& names,
                       RowSelection selection)
    : file_(std::move(file)), format_(format), selection_(std::move(selection)) {
  require_readable_file(file_);  // before errors that follow from a missing file's guessed format
  if (!format_.may_have_no_answer && !selection_.no_answers.empty()) {
    throw InputError("in the format " + std::string(format_.name) + " each question has an answer",
                     "--no-answer-probabilities " + selection_.no_answers.string(),
                     "leave it out, or name --input-format squad");
  }
  constexpr int64_t kFewest = 100;
  AnswerOptions& options = selection_.options;
  options.label = AnswerOptions::Label::ignored;
  if (selection_.limit > 0) options.first_rows = std::max(selection_.limit, kFewest);
  signature_ = visit_answers(
      file_, format_, names, options,
      [&](std::vector<Answer> answers, Json row, const FieldNames&, const std::string& where) {
        if (is_selected(answers.front().constituent)) {
          add_row(std::move(answers), std::move(row), where);
        }
        return !is_full();
      });
  if (constituents_.empty()) throw no_rows(file_);
  if (!is_full()) require_constituents();
  if (!selection_.no_answers.empty()) add_no_answers();
}

void AnswerFile::add_no_answers() {
  const std::map<std::string, NoAnswer> all = read_no_answers(selection_.no_answers);
  int64_t changed = 0;
  for (size_t i = 0; i < records_.size(); ++i) {
    Answer& answer = records_[i];
    const auto found = all.find(std::string(plain_name(answer.id)));
    if (found == all.end()) {
      throw InputError("the question " + json_quote(answer.id) + " has no probability",
                       selection_.no_answers.string(),
                       "give {\"ID\": probability, …}, all of them");
    }
    const double probability = found->second.probability;
    const std::optional<double>& threshold = selection_.no_answer_threshold;
    if (threshold && probability > *threshold) {
      if (!answer.candidate.empty()) ++changed;
      rows_[i]["prediction"] = answer.candidate;
      answer.candidate.clear();
      rows_[i]["candidate"] = "";
    }
    rows_[i]["no_answer_probability"] = probability;
    if (!threshold) no_answers_.push_back(found->second);
  }
  if (selection_.no_answer_threshold) {
    signature_ += "|no_answer:" + Json(*selection_.no_answer_threshold).dump();
    log_info(counted(changed, "answer is", "answers are") + " above the threshold, and count as " +
             "\"no answer\"");
  }
}

bool AnswerFile::is_selected(const std::string& constituent) {
  constituents_.insert(constituent);
  const std::vector<std::string>& wanted = selection_.constituents;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), constituent) != wanted.end();
}

bool AnswerFile::is_full() const {
  return selection_.limit > 0 && std::ssize(rows_) >= selection_.limit;
}

void AnswerFile::require_constituents() const {
  for (const std::string& name : selection_.constituents) {
    if (constituents_.contains(name)) continue;
    throw InputError("the file has no constituent \"" + name + "\"", file_.string(),
                     constituents_ == std::set<std::string>{""}
                         ? "its rows name none: leave --constituent out"
                         : "it has " + join({constituents_.begin(), constituents_.end()}));
  }
}

void AnswerFile::add_row(std::vector<Answer> answers, Json row, const std::string& where) {
  if (format_ == InputFormat::kMocha) {
    keys_.emplace_back(answers.front().constituent, answers.front().id);
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    const char* const suffix = answers.size() == 1 ? "" : i == 0 ? "1" : "2";
    check_scores_member(row, std::string("scores") + suffix, where);
    records_.push_back(std::move(answers[i]));
    slots_.push_back({rows_.size(), suffix});
  }
  rows_.push_back(std::move(row));
}

void AnswerFile::add_scores(const Scores& scores) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    add_row_scores(rows_[slots_[i].row], std::string("scores") + slots_[i].suffix, scores.names,
                   scores.rows[i]);
  }
}

void AnswerFile::set_seen(std::span<const std::string> metrics, const SeenRows& seen) {
  const std::vector<std::string> texts = seen.texts(slots_.size());
  for (size_t i = 0; i < slots_.size(); ++i) {
    data::set_seen(rows_[slots_[i].row], std::string("seen") + slots_[i].suffix, metrics, texts[i]);
  }
}

void AnswerFile::check_seen_member() const {
  for (size_t i = 0; i < slots_.size(); ++i) {
    check_scores_member(rows_[slots_[i].row], std::string("seen") + slots_[i].suffix,
                        record_place(file_.string(), records_[i]));
  }
}

int64_t AnswerFile::drop_fields(
    const std::function<std::vector<std::string>(const Json& row, const std::string& suffix)>&
        names) {
  int64_t dropped = 0;
  for (const Slot& slot : slots_) {
    Json& row = rows_[slot.row];
    const std::vector<std::string> of_row = names(row, slot.suffix);
    std::erase_if(row.object(), [&](const auto& member) {
      return std::ranges::find(of_row, member.first) != of_row.end();
    });
    dropped += of_row.empty() ? 0 : 1;
  }
  return dropped;
}

void AnswerFile::require_no_field(const std::string& name) const {
  for (size_t i = 0; i < slots_.size(); ++i) {
    data::require_no_field(rows_[slots_[i].row], name + slots_[i].suffix,
                           record_place(file_.string(), records_[i]));
  }
}

void AnswerFile::add_field(size_t record, const std::string& name, Json value) {
  rows_[slots_[record].row][name + slots_[record].suffix] = std::move(value);
}

void AnswerFile::require_cells(const std::filesystem::path& file) const {
  data::require_cells(file, rows_);
}

void AnswerFile::write(const std::filesystem::path& file) const {
  if (format_ != InputFormat::kMocha) return write_rows(file, rows_);
  if (is_table_name(file)) {
    std::vector<Json> rows;
    for (size_t i = 0; i < rows_.size(); ++i) {
      Json& row =
          rows.emplace_back(Json::Object{{"constituent", keys_[i].first}, {"id", keys_[i].second}});
      for (const auto& [name, value] : rows_[i].object()) row[name] = value;
    }
    return write_rows(file, rows);
  }
  Json root{Json::Object()};
  for (size_t i = 0; i < rows_.size(); ++i) {
    Json& constituent = root[keys_[i].first];
    if (constituent.is_null()) constituent = Json(Json::Object());
    constituent.object().emplace_back(keys_[i].second, rows_[i]);
  }
  const std::string text = root.dump(1) + "\n";
  write_file(file, file.extension() == ".gz" ? gzip(text) : text);
}

}  // namespace rubric::data
