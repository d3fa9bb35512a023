// Hashes that name things: token stores, models, configurations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rubric {

// SHA-256 as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);
std::string sha256_file(const std::filesystem::path& path);  // throws as read_file does

// The first 64 bits: a text as a number to draw random numbers by.
uint64_t sha256_bits(std::string_view bytes);

// The first 12 digits: what signatures show of a file.
std::string short_sha256_file(const std::filesystem::path& path);

}  // namespace rubric
