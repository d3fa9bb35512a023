// Hashes that name things: token stores, models, configurations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // OpenSSL's

namespace rubric {

// SHA-256 as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

// The same of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  std::string digits();  // of all that was added; once, at the end

 private:
  evp_md_ctx_st* context_;
};

std::string sha256_file(const std::filesystem::path& path);  // throws as read_file does

// The first 64 bits: a text as a number to draw random numbers by.
uint64_t sha256_bits(std::string_view bytes);

// The first 12 digits: what signatures show of a file.
std::string short_sha256_file(const std::filesystem::path& path);

}  // namespace rubric
