#include "core/files/gzip.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <set>
#include <string_view>
#include <utility>

#include <zlib.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"

namespace rubric {

namespace {

constexpr size_t kTarBlock = 512;  // bytes
using TarBlock = std::array<char, kTarBlock>;

// Reads the decompressed bytes of an archive up to the allowed size.
class ArchiveReader {
 public:
  explicit ArchiveReader(const std::filesystem::path& path)
      : file_(path, "fetch the archive again") {
    constexpr uint64_t kMostTimes = 16, kAlways = uint64_t{16} << 20;
    limit_ = kMostTimes * file_.packed_size() + kAlways;
  }

  size_t read(char* into, size_t size) {  // as GzipReader::read
    const size_t count = file_.read(into, size);
    unpacked_ += count;
    if (unpacked_ > limit_) fail("it unpacks to over sixteen times its size, which no weights do");
    return count;
  }

  void read_exactly(char* into, size_t size) {
    if (read(into, size) < size) fail("it is truncated");
  }

  [[noreturn]] void fail(const std::string& what) const {
    file_.fail("not a usable .tar.gz archive: " + what);
  }

 private:
  GzipReader file_;
  uint64_t limit_ = 0, unpacked_ = 0;
};

struct Entry {
  std::string path;
  uint64_t size = 0;
  char type = '0';
};

// A text field of a header; it ends at a NUL or at the end of the field.
std::string_view text_field(const TarBlock& header, size_t offset, size_t size) {
  const std::string_view field(header.data() + offset, size);
  return field.substr(0, std::min(field.find('\0'), size));
}

// A number in octal digits between spaces. Numbers from 8 GB on have another form, which is
// refused.
uint64_t number_field(const ArchiveReader& file, const TarBlock& header, size_t offset,
                      size_t size) {
  uint64_t number = 0;
  std::string_view digits = text_field(header, offset, size);
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  for (const char digit : digits) {
    if (digit < '0' || digit > '7') file.fail("a header of tar is damaged");
    number = 8 * number + static_cast<uint64_t>(digit - '0');
  }
  return number;
}

void check_sum(const ArchiveReader& file, const TarBlock& header) {
  constexpr size_t kOffset = 148, kSize = 8;
  uint64_t sum = 0;
  for (size_t i = 0; i < kTarBlock; ++i) {
    const bool is_of_sum = i >= kOffset && i < kOffset + kSize;  // counts as spaces
    sum += is_of_sum ? ' ' : static_cast<unsigned char>(header[i]);
  }
  if (sum != number_field(file, header, kOffset, kSize)) file.fail("a header of tar is damaged");
}

// Offsets and types as in POSIX's pax interchange format (ustar).
Entry entry_of(const ArchiveReader& file, const TarBlock& header) {
  check_sum(file, header);
  Entry entry;
  entry.path = text_field(header, 0, 100);
  if (text_field(header, 257, 6) == "ustar") {  // GNU tar's own format uses the prefix differently
    const std::string prefix(text_field(header, 345, 155));
    if (!prefix.empty()) entry.path = prefix + "/" + entry.path;
  }
  entry.size = number_field(file, header, 124, 12);
  entry.type = header[156] == '\0' ? '0' : header[156];
  return entry;
}

void check_path(const ArchiveReader& file, const std::string& path) {
  const std::filesystem::path parts(path);
  const bool climbs = std::find(parts.begin(), parts.end(), "..") != parts.end();
  if (!path.empty() && !parts.is_absolute() && !climbs) return;
  file.fail("the path " + json_quote(path) + " leads out of it");
}

void check_type(const ArchiveReader& file, const Entry& entry) {
  constexpr std::string_view kLinks = "12", kDevices = "346", kLongNames = "LK";
  const auto is_one_of = [&](std::string_view types) {
    return types.find(entry.type) != std::string_view::npos;
  };
  const std::string name = json_quote(entry.path);
  if (is_one_of(kLinks)) file.fail(name + " is a link");
  if (is_one_of(kDevices)) file.fail(name + " is a device or a pipe");
  if (is_one_of(kLongNames)) file.fail("a name is over 100 bytes long");
  if (!is_one_of("05xg")) file.fail(name + " has an unknown kind");
}

// Calls `take` with successive parts of the content, and skips the padding of its last block.
template <class Take>
void read_content(ArchiveReader& file, uint64_t size, const Take& take) {
  std::array<char, 128 * kTarBlock> buffer;
  for (uint64_t left = size; left > 0;) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(left, buffer.size()));
    file.read_exactly(buffer.data(), count);
    take(std::string_view(buffer.data(), count));
    left -= count;
  }
  file.read_exactly(buffer.data(), static_cast<size_t>((kTarBlock - size % kTarBlock) % kTarBlock));
}

// Checks a pax header, which has additional attributes of the next entry, such as times in
// nanoseconds. Refuses a path, size or link in it, which would override the entry's own header.
void check_pax_header(ArchiveReader& file, const Entry& entry) {
  constexpr uint64_t kMostBytes = 1 << 16;
  if (entry.size > kMostBytes) file.fail("a pax header is too long");
  std::string records = "\n";  // "LENGTH KEY=VALUE\n", one after another
  read_content(file, entry.size, [&](std::string_view bytes) { records += bytes; });
  for (const char* key : {" path=", " size=", " linkpath=", " GNU.sparse"}) {
    if (records.find(key) != std::string::npos) file.fail("a name is over 100 bytes long");
  }
}

}  // namespace

std::string gunzip(std::string_view packed, const std::string& where) {
  constexpr size_t kBlock = size_t{1} << 16;
  constexpr size_t kMostTimes = 200, kAlwaysFine = size_t{1} << 28;
  const auto fail = [&](const std::string& what) {
    return InputError("not usable as gzip data: " + what, where, "compress the file again");
  };
  constexpr int kGzipOnly = 16;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, &inflateEnd);
  std::string bytes;
  std::vector<char> block(kBlock);
  size_t taken = 0;
  int code = Z_OK;
  while (taken < packed.size() || code == Z_OK) {
    if (code == Z_STREAM_END) {
      if (packed.find_first_not_of('\0', taken) == packed.npos) break;  // padding, as tapes have it
      if (inflateReset(&stream) != Z_OK) throw fail("it is damaged");
    }
    // A stream takes at most so much at once.
    const size_t given = std::min(packed.size() - taken, size_t{1} << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_BUF_ERROR && given == 0) throw fail("it is truncated");
    if (code != Z_OK && code != Z_STREAM_END) throw fail("it is damaged");
    taken += given - stream.avail_in;
    bytes.append(block.data(), block.size() - stream.avail_out);
    if (bytes.size() > kAlwaysFine && bytes.size() / kMostTimes > packed.size()) {
      throw fail("it unpacks to over 200 times its size and 256 MB");
    }
  }
  return bytes;
}

std::string gzip(std::string_view bytes) {
  constexpr int kGzip = 16, kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip + MAX_WBITS, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, decltype(&deflateEnd)> owner(&stream, &deflateEnd);
  std::string packed;
  std::vector<char> block(size_t{1} << 16);
  size_t taken = 0;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    const size_t given = std::min(bytes.size() - taken, size_t{1} << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + taken));
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    code = deflate(&stream, taken + given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    taken += given - stream.avail_in;
    packed.append(block.data(), block.size() - stream.avail_out);
  }
  return packed;
}

GzipReader::GzipReader(const std::filesystem::path& path, std::string what_to_do)
    : path_(path.string()), what_to_do_(std::move(what_to_do)) {
  constexpr unsigned kBuffer = 1 << 20;
  packed_size_ = MappedFile(path).bytes().size();  // refuses anything but a regular file
  file_.reset(gzopen(path_.c_str(), "rb"));
  if (file_ == nullptr) fail("cannot open");
  gzbuffer(file_.get(), kBuffer);
  if (gzdirect(file_.get()) != 0) fail("not packed by gzip");
}

void GzipReader::Close::operator()(gzFile_s* file) const {
  gzclose_r(file);
}

size_t GzipReader::read(char* into, size_t size) {
  const int count = gzread(file_.get(), into, static_cast<unsigned>(size));
  check();
  return static_cast<size_t>(count);
}

bool GzipReader::next_line(std::string_view& line) {
  constexpr int kMostBytes = 1 << 14;
  line_.resize(kMostBytes);
  const z_off_t begin = gztell(file_.get());
  const bool is_line = gzgets(file_.get(), line_.data(), kMostBytes) != nullptr;
  check();
  if (!is_line) return false;
  line = {line_.data(), std::strlen(line_.data())};
  ++line_number_;
  if (gztell(file_.get()) - begin != std::ssize(line)) fail("a line has a byte of 0");
  if (!line.ends_with('\n') && gzeof(file_.get()) == 0) fail("a line is too long");
  return true;
}

void GzipReader::fail(const std::string& what) const {
  const std::string line = line_number_ > 0 ? ":" + std::to_string(line_number_) : "";
  throw InputError(what, path_ + line, what_to_do_);
}

void GzipReader::check() const {
  int problem = Z_OK;
  gzerror(file_.get(), &problem);
  if (problem != Z_OK && problem != Z_STREAM_END) fail("the gzip file is damaged or truncated");
}

void unpack_tar_gz(const std::filesystem::path& archive, const std::vector<std::string>& wanted,
                   const std::filesystem::path& directory) {
  ArchiveReader file(archive);
  std::set<std::string> found;
  TarBlock header;
  constexpr TarBlock kEnd = {};
  for (file.read_exactly(header.data(), kTarBlock); header != kEnd;
       file.read_exactly(header.data(), kTarBlock)) {
    const Entry entry = entry_of(file, header);
    check_type(file, entry);
    if (entry.type == 'x' || entry.type == 'g') {
      check_pax_header(file, entry);
      continue;
    }
    check_path(file, entry.path);
    const std::string name = std::filesystem::path(entry.path).lexically_normal().string();
    const bool is_wanted = entry.type == '0' && std::ranges::count(wanted, name) > 0;
    if (!is_wanted) {
      read_content(file, entry.size, [](std::string_view) {});
      continue;
    }
    if (!found.insert(name).second) file.fail(json_quote(name) + " occurs twice");
    AtomicFile out(directory / name);
    read_content(file, entry.size, [&](std::string_view bytes) { out.write(bytes); });
    out.commit();
  }
  while (file.read(header.data(), kTarBlock) > 0) {  // up to gzip's checksum
  }
  for (const std::string& name : wanted) {
    if (!found.contains(name)) {
      throw InputError("the archive holds no " + name, archive.string(),
                       "give the model.tar.gz that AllenNLP wrote");
    }
  }
}

}  // namespace rubric
