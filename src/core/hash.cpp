#include "core/hash.h"

#include <charconv>
#include <fstream>

#include <openssl/evp.h>

#include "core/error.h"
#include "core/files/files.h"

namespace rubric {

namespace {

constexpr size_t kShortDigits = 12;

void require(bool succeeded) {
  if (!succeeded) throw Error("SHA-256 is not available in this OpenSSL");
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(context_ != nullptr && EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() {
  EVP_MD_CTX_free(context_);
}

void Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::digits() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(context_, digest, &size) == 1);
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kHex[digest[i] >> 4];
    text += kHex[digest[i] & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digits();
}

std::string sha256_file(const std::filesystem::path& path) {
  const MappedFile checked(path);  // its pages would all count as memory of this process
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::string block(size_t{1} << 20, '\0');
  do {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    hash.add({block.data(), static_cast<size_t>(file.gcount())});
  } while (file);
  if (!file.eof())
    throw InputError("cannot read", path.string(), "check the disk, or copy it again");
  return hash.digits();
}

uint64_t sha256_bits(std::string_view bytes) {
  constexpr size_t kDigits = 16;
  constexpr int kHexadecimal = 16;
  const std::string digits = sha256(bytes);
  uint64_t bits = 0;
  std::from_chars(digits.data(), digits.data() + kDigits, bits, kHexadecimal);
  return bits;
}

std::string short_sha256(std::string_view bytes) {
  return sha256(bytes).substr(0, kShortDigits);
}

std::string short_sha256_file(const std::filesystem::path& path) {
  return sha256_file(path).substr(0, kShortDigits);
}

}  // namespace rubric
