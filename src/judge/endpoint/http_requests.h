// Many requests to one URL at a time, on one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubric::judge {

struct HttpResponse {
  size_t request = 0;  // as post() was told
  int status = 0;      // 0: no whole response came
  std::string body;
  std::string error;            // why none came
  bool is_unreachable = false;  // because nobody there speaks HTTP: no host, no connection, no TLS
  std::string location;         // where a redirection points
  std::optional<std::chrono::milliseconds> retry_after;  // that the server asks for
};

// Connections are kept open between requests; nothing is redirected, and no request is sent twice.
// Proxies are those of $https_proxy, $http_proxy, $all_proxy and $no_proxy.
class HttpRequests {
 public:
  // `headers` are lines such as "Content-Type: application/json". A request that has not ended
  // after `timeout` fails, as does one with a response of more than 4 MiB.
  HttpRequests(const std::string& url, const std::vector<std::string>& headers,
               std::chrono::seconds timeout, int64_t parallel);
  ~HttpRequests();
  HttpRequests(const HttpRequests&) = delete;
  HttpRequests& operator=(const HttpRequests&) = delete;

  int64_t in_flight() const;

  // Begins a request; no more than `parallel` may be in flight.
  void post(size_t request, std::string body);

  // The requests that ended, with or without a response; waits no longer than `most` for one.
  std::vector<HttpResponse> wait(std::chrono::milliseconds most);

 private:
  struct Transfer;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rubric::judge
