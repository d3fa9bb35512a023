// A CHIE judge to measure and to torment the client with: answers each chat completion with four
// verdicts that are a function of the request's body. Its first line on stdout is its URL; it ends
// at SIGINT or SIGTERM.
//
//   chat_server [--port N] [--delay MILLISECONDS] [--fault NAME:SHARE,…] [--log FILE]
//
// NAME is a status from 400 to 599; three, five (verdicts), empty (no choices), filter (a content
// filter's null), megabyte (of text around the verdicts); reset, close, half_close, truncate,
// chunked, chunked_cut, stall, trickle as in tests/chat_reply.h. Which request gets which is a
// function of its number. FILE gets the SHA-256 of each body, a line each, before it is answered.

#include "chat_server.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/text/ascii.h"

namespace {

using namespace rubric;

struct FaultShare {
  std::string name;
  double share = 0;  // of the requests
};

struct Arguments {
  ChatServerSettings server;
  std::chrono::milliseconds delay{0};
  std::vector<FaultShare> faults;
  std::string log;
};

const std::map<std::string, ChatFault> kDeliveries = {
    {"reset", ChatFault::reset},           {"close", ChatFault::close},
    {"half_close", ChatFault::half_close}, {"truncate", ChatFault::truncate},
    {"chunked", ChatFault::chunked},       {"chunked_cut", ChatFault::chunked_cut},
    {"stall", ChatFault::stall},           {"trickle", ChatFault::trickle}};

std::string verdicts(uint64_t bits, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::to_string(i + 1) + ((bits >> i & 1) != 0 ? ". Agree\n" : ". Disagree\n");
  }
  return text;
}

std::optional<int> error_status(const std::string& name) {
  constexpr int kFirst = 400, kLast = 599;
  const std::optional<int64_t> number = parse_count(name);
  if (!number || *number < kFirst || *number > kLast) return std::nullopt;
  return static_cast<int>(*number);
}

ChatReply faulty_reply(const std::string& name, uint64_t bits) {
  constexpr int kAspects = 4;
  const std::string good = verdicts(bits, kAspects);
  ChatReply reply;
  if (const std::optional<int> status = error_status(name)) {
    reply.status = *status;
    reply.body = chat_error(name, "as asked for");
  } else if (name == "three" || name == "five") {
    reply.body = chat_completion(verdicts(bits, name == "three" ? kAspects - 1 : kAspects + 1));
  } else if (name == "empty") {
    reply.body = R"({"choices": []})";
  } else if (name == "filter") {
    reply.body = chat_completion(Json(), "content_filter");
  } else if (name == "megabyte") {
    constexpr size_t kHalf = 1 << 19;
    reply.body = chat_completion(std::string(kHalf, 'x') + "\n" + good + std::string(kHalf, 'x'));
  } else {
    reply.body = chat_completion(good);
    if (!name.empty()) reply.fault = kDeliveries.at(name);
  }
  return reply;
}

// "" where nothing goes wrong.
std::string drawn_fault(const std::vector<FaultShare>& faults, int64_t number) {
  double left = uniform(mix(static_cast<uint64_t>(number)));
  for (const auto& [name, share] : faults) {
    if (left < share) return name;
    left -= share;
  }
  return "";
}

std::vector<FaultShare> parse_faults(const std::string& text) {
  constexpr const char* kForm = "--fault is NAME:SHARE,…, the names as the file's head has them";
  std::vector<FaultShare> faults;
  double sum = 0;
  for (size_t at = 0; at < text.size();) {
    const std::string part = text.substr(at, text.find(',', at) - at);
    at += part.size() + 1;
    const size_t colon = std::min(part.find(':'), part.size() - 1);
    const std::string name = part.substr(0, colon);
    const std::optional<double> share = parse_number(part.substr(colon + 1));
    const std::vector<std::string> others = {"three", "five", "empty", "filter", "megabyte"};
    const bool is_known = error_status(name) || kDeliveries.contains(name) ||
                          std::count(others.begin(), others.end(), name) > 0;
    if (!is_known || !share || *share < 0) throw InputError("no fault: " + part, kForm);
    sum += *share;
    faults.push_back({name, *share});
  }
  if (sum > 1) throw InputError("the shares are more than the whole", text, kForm);
  return faults;
}

int64_t parse_option_count(const std::string& value) {
  if (const std::optional<int64_t> count = parse_count(value)) return *count;
  throw InputError("no number: " + value);
}

Arguments parse(const std::vector<std::string>& words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); i += 2) {
    const std::string& name = words[i];
    if (i + 1 == words.size()) throw InputError(name + " lacks its value");
    const std::string& value = words[i + 1];
    if (name == "--port") {
      arguments.server.port = static_cast<uint16_t>(parse_option_count(value));
    } else if (name == "--delay") {
      arguments.delay = std::chrono::milliseconds(parse_option_count(value));
    } else if (name == "--fault") {
      arguments.faults = parse_faults(value);
    } else if (name == "--log") {
      arguments.log = value;
    } else {
      throw InputError("there are --port, --delay, --fault and --log, no " + name);
    }
  }
  return arguments;
}

void serve(const Arguments& arguments) {
  // Before the server's thread is there, so that only sigwait() gets them.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::ofstream log;
  if (!arguments.log.empty()) log.open(arguments.log, std::ios::app);
  if (!log) throw Error("cannot write it", arguments.log);
  const ChatServer server(
      [&](const ChatRequest& request) {
        if (log.is_open()) log << sha256(request.body) << std::endl;
        ChatReply reply =
            faulty_reply(drawn_fault(arguments.faults, request.number), sha256_bits(request.body));
        reply.delay = arguments.delay;
        return reply;
      },
      arguments.server);
  std::printf("%s\n", server.url().c_str());
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    serve(parse({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "chat_server: %s\n", error.what());
    return 1;
  }
  return 0;
}
