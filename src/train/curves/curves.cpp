#include "train/curves/curves.h"

#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <boost/crc.hpp>

#include "core/error.h"
#include "core/files/files.h"
#include "eval/result/training.h"

namespace rubric::train {
namespace {

uint32_t crc32c(std::string_view bytes) {  // Castagnoli's
  constexpr uint32_t kPolynomial = 0x1EDC6F41, kOnes = ~uint32_t{0};
  boost::crc_optimal<32, kPolynomial, kOnes, kOnes, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

// Little-endian.
template <class Number>
std::string bytes_of(Number number) {
  std::string bytes(sizeof(Number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(Number));
  if constexpr (std::endian::native == std::endian::big) bytes.assign(bytes.rbegin(), bytes.rend());
  return bytes;
}

// The CRC of a CRC would be a constant, so that TensorFlow's records hold a changed one.
std::string masked_crc(std::string_view bytes) {
  constexpr uint32_t kMask = 0xA282EAD8;
  return bytes_of(std::rotr(crc32c(bytes), 15) + kMask);
}

std::string record(const std::string& data) {
  const std::string length = bytes_of(uint64_t{data.size()});
  return length + masked_crc(length) + data + masked_crc(data);
}

// Fields of protocol buffers.

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
  return bytes + static_cast<char>(value);
}

enum WireType { kVarint = 0, kDouble = 1, kBytes = 2, kFloat = 5 };

std::string field(int number, WireType type, const std::string& value) {
  const std::string key = varint(static_cast<uint64_t>(number << 3 | type));
  return key + (type == kBytes ? varint(value.size()) : "") + value;
}

std::string event(double wall_time, int64_t step, int number, const std::string& value) {
  std::string bytes = field(1, kDouble, bytes_of(wall_time));
  if (step != 0) bytes += field(2, kVarint, varint(static_cast<uint64_t>(step)));
  return bytes + field(number, kBytes, value);
}

bool is_event(const Json& event, std::string_view kind) {
  const Json* const found = event.find("event");
  return found != nullptr && found->is_string() && found->string() == kind;
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string version_record(double wall_time) {
  constexpr int kFileVersion = 3;
  return record(event(wall_time, 0, kFileVersion, "brain.Event:2"));
}

std::string start_record(double wall_time, int64_t step) {
  constexpr int kSessionLog = 7, kStatus = 1;
  constexpr uint64_t kStart = 1;
  return record(event(wall_time, step, kSessionLog, field(kStatus, kVarint, varint(kStart))));
}

std::string scalars_record(double wall_time, int64_t step, const Scalars& scalars) {
  constexpr int kSummary = 5, kValue = 1, kTag = 1, kSimpleValue = 2;
  std::string summary;
  for (const auto& [tag, value] : scalars) {
    summary += field(kValue, kBytes,
                     field(kTag, kBytes, tag) +
                         field(kSimpleValue, kFloat, bytes_of(static_cast<float>(value))));
  }
  return record(event(wall_time, step, kSummary, summary));
}

Scalars scalars_of(const Json& event) {
  const bool is_validation = is_event(event, "validation");
  if (!is_validation && !is_event(event, "update")) return {};
  const std::string group = is_validation ? "dev/" : "train/";
  Scalars scalars;
  for (const auto& [name, value] : event.object()) {
    if (name == "step" || name == "steps" || !value.is_number()) continue;
    if (name == "train_loss") {
      scalars.emplace_back("train/mean_loss", value.number());
    } else if (name == "dev_loss") {
      scalars.emplace_back("dev/loss", value.number());
    } else {
      const Json* const metric = name == "value" ? event.find("statistic") : nullptr;
      scalars.emplace_back(group + (metric != nullptr ? metric->string() : name), value.number());
    }
  }
  return scalars;
}

void write_metrics_table(const std::filesystem::path& run) {
  constexpr int64_t kEvery = 10;
  constexpr const char* kColumns[] = {"event",     "step",          "epoch",
                                      "loss",      "train_loss",    "dev_loss",
                                      "lr",        "gradient_norm", "tokens_per_second",
                                      "statistic", "value"};
  std::string table;
  for (const char* const column : kColumns)
    table += (table.empty() ? "" : ",") + std::string(column);
  table += "\n";
  const auto add_row = [&](const Json& event, const std::string& kind, const std::string& where) {
    const bool is_update = kind == "update";
    if (!is_update && kind != "validation") return;
    if (is_update && event.require_integer("step", where) % kEvery != 0) return;
    std::string row;
    for (const char* const column : kColumns) {
      const Json* const value = event.find(column);
      if (column != kColumns[0]) row += ",";
      if (value == nullptr || value->is_null()) continue;
      row += value->is_string() ? value->string() : value->dump();
    }
    table += row + "\n";
  };
  eval::visit_log(run / "log.jsonl", add_row);
  write_file(run / "metrics.csv", table);
}

void EventFile::add(const Json& event) {
  const Scalars scalars = scalars_of(event);
  const Json* const step = event.find("step");
  if (scalars.empty() || step == nullptr || !step->is_number()) return;
  const auto number = static_cast<int64_t>(step->number());
  const double now = seconds_since_1970();
  if (!stream_.is_open()) {
    char name[64];  // later starts come later in the alphabet
    std::snprintf(name, sizeof(name), "events.out.tfevents.%017.6f.rubric", now);
    file_ = run_ / name;
    stream_.open(file_, std::ios::app | std::ios::binary);
    // A run that resumes with a validation that was due keeps the update before it.
    const int64_t first = is_event(event, "validation") ? number + 1 : number;
    stream_ << version_record(now) << start_record(now, first);
  }
  stream_ << scalars_record(now, number, scalars) << std::flush;
  if (!stream_) {
    throw Error(std::string("cannot write: ") + std::strerror(errno), file_.string(),
                write_advice(errno));
  }
}

}  // namespace rubric::train
