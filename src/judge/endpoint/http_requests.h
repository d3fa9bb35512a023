// Sends many HTTP POST requests to one URL in parallel, on one thread.
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
  size_t request = 0;  // the number given to post()
  int status = 0;      // 0: no complete response
  std::string body;
  std::string error;            // why there is no response
  bool is_unreachable = false;  // no host, no connection, no TLS, or no HTTP there
  std::string location;         // target of a redirection
  std::optional<std::chrono::milliseconds> retry_after;  // delay that the server asks for
};

// Keeps connections open between requests, follows no redirection, and sends no request twice. Uses
// the proxies of $https_proxy, $http_proxy, $all_proxy and $no_proxy.
class HttpRequests {
 public:
  // `headers` are lines such as "Content-Type: application/json". A request fails after `timeout`,
  // and when its response has more than 4 MiB.
  HttpRequests(const std::string& url, const std::vector<std::string>& headers,
               std::chrono::seconds timeout, int64_t parallel);
  ~HttpRequests();
  HttpRequests(const HttpRequests&) = delete;
  HttpRequests& operator=(const HttpRequests&) = delete;

  int64_t in_flight() const;

  // Starts a request; at most `parallel` may be in flight.
  void post(size_t request, std::string body);

  // Returns the requests that ended, with or without a response; waits at most `most` for the
  // first.
  std::vector<HttpResponse> wait(std::chrono::milliseconds most);

 private:
  struct Transfer;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rubric::judge
