// HTTP/1.1 as text, as far as a test server speaks it (RFC 9112).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubric {

struct HttpHead {
  std::string path;
  std::map<std::string, std::string> headers;  // by lower-case name
  size_t size = 0;                             // bytes, with the empty line
  size_t body_size = 0;                        // bytes, as Content-Length says

  bool has(const std::string& name, std::string_view value) const;
};

// The head that `bytes` start with; nothing while its end has not come. Throws std::runtime_error
// when it is no request.
std::optional<HttpHead> parse_head(std::string_view bytes);

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// A reply's head, with the empty line.
std::string reply_head(int status, const HttpHeaders& headers);

// A body as Transfer-Encoding: chunked has it, in small pieces and without the last, empty one.
std::string chunks(std::string_view body);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace rubric
