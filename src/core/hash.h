// SHA-256 hashes of texts and files, used to name token stores, models and configurations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // OpenSSL's

namespace rubric {

// SHA-256 as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

// SHA-256 of bytes that arrive in several parts.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  std::string digits();  // of all bytes added; call it once

 private:
  evp_md_ctx_st* context_;
};

std::string sha256_file(const std::filesystem::path& path);  // throws as read_file does

// The first 64 bits, as a key for random numbers.
uint64_t sha256_bits(std::string_view bytes);

// The first 12 digits, as signatures show them.
std::string short_sha256(std::string_view bytes);
std::string short_sha256_file(const std::filesystem::path& path);

}  // namespace rubric
