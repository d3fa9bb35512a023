#include "http_text.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/text/ascii.h"

namespace rubric {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

size_t parse_size(const std::string& digits) {
  size_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error == std::errc() && end == digits.data() + digits.size()) return size;
  throw std::runtime_error("no Content-Length: " + digits);
}

// What stands before the separator; `text` goes on behind it.
std::string_view take(std::string_view& text, std::string_view separator) {
  const size_t end = text.find(separator);
  if (end == text.npos) throw std::runtime_error("no HTTP: " + std::string(text));
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end + separator.size());
  return taken;
}

}  // namespace

bool HttpHead::has(const std::string& name, std::string_view value) const {
  const auto found = headers.find(name);
  return found != headers.end() && ascii_lower(found->second) == value;
}

std::optional<HttpHead> parse_head(std::string_view bytes) {
  const size_t end = bytes.find("\r\n\r\n");
  if (end == bytes.npos) return std::nullopt;
  HttpHead head;
  head.size = end + 2 * kLineEnd.size();
  std::string_view lines = bytes.substr(0, end + kLineEnd.size());
  std::string_view first = take(lines, kLineEnd);
  take(first, " ");  // the method
  head.path = take(first, " ");
  while (!lines.empty()) {
    std::string_view line = take(lines, kLineEnd);
    const std::string name = ascii_lower(take(line, ":"));
    head.headers[name] = trim(line);
  }
  if (head.headers.contains("content-length")) {
    head.body_size = parse_size(head.headers["content-length"]);
  }
  return head;
}

std::string reply_head(int status, const HttpHeaders& headers) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + " Status\r\n";
  for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
  return head + std::string(kLineEnd);
}

std::string chunks(std::string_view body) {
  constexpr size_t kSize = 16;  // in hexadecimal: 10
  constexpr std::string_view kHexadecimal = "0123456789abcdef";
  std::string bytes;
  for (; !body.empty(); body.remove_prefix(std::min(kSize, body.size()))) {
    const std::string_view chunk = body.substr(0, kSize);
    bytes += chunk.size() == kSize ? "10" : std::string(1, kHexadecimal[chunk.size()]);
    bytes += kLineEnd;
    bytes += chunk;
    bytes += kLineEnd;
  }
  return bytes;
}

}  // namespace rubric
