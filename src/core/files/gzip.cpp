#include "core/files/gzip.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <new>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <zlib.h>

#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/process.h"
#include "core/text/ascii.h"

namespace rubric {

namespace {

// An entry of an archive, as tar lists it: "-rw-r--r-- 0/0 2 2020-06-30 12:00 ./config.json".
struct Entry {
  std::string mode, owner, size, date, time, path;
};

std::vector<Entry> entries_of(const std::string& listing) {
  std::vector<Entry> entries;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    Entry& entry = entries.emplace_back();
    std::istringstream words(line);
    words >> entry.mode >> entry.owner >> entry.size >> entry.date >> entry.time >> std::ws;
    std::getline(words, entry.path);
  }
  return entries;
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

namespace {

constexpr const char* kTooLarge =
    "unpacks to over sixteen times the archive's size, which no weights do";

// Fails beyond `most` bytes.
void write_unpacked(GzipReader& packed, uint64_t most, const std::filesystem::path& file) {
  std::string block(size_t{1} << 20, '\0');
  AtomicFile unpacked(file);
  uint64_t bytes = 0;
  while (const size_t count = packed.read(block.data(), block.size())) {
    bytes += count;
    if (bytes > most) packed.fail(kTooLarge);
    unpacked.write({block.data(), count});
  }
  unpacked.commit();
}

}  // namespace

void unpack_tar_gz(const std::filesystem::path& archive, const std::vector<std::string>& wanted,
                   const std::filesystem::path& directory) {
  GzipReader packed(archive, "fetch the archive again");
  constexpr uint64_t kMostTimes = 16, kAlways = uint64_t{16} << 20, kBlock = 512;  // of ulimit
  constexpr int kNotFound = 127, kSignal = 128;  // statuses of a shell
  const uint64_t most = kMostTimes * packed.packed_size() + kAlways;
  const TemporaryDirectory temporary;
  const std::filesystem::path unpacked = temporary.file("archive.tar");
  write_unpacked(packed, most, unpacked);
  const auto tar = [&](std::vector<std::string> arguments) {
    const std::filesystem::path output = temporary.file("output"),
                                errors = temporary.file("errors");
    // tar unpacks a file that is packed once more, but not its standard input. A name that a global
    // header gives all entries makes the listing large: no file that tar writes may be.
    const std::string limit = std::to_string(most / kBlock + 1);
    const std::vector<std::string> first = {
        "sh",  "-c",     "ulimit -f " + limit + "; unset TAR_OPTIONS; LC_ALL=C exec tar \"$@\"",
        "tar", "--file", "-"};
    arguments.insert(arguments.begin(), first.begin(), first.end());
    const int status = run_process(arguments, {unpacked, output, errors});
    if (status == 0) return read_file(output);
    if (status == kNotFound) throw Error("there is no program tar: install it");
    if (status == kSignal + SIGXFSZ) packed.fail(kTooLarge);
    std::string said = read_file(errors);
    said.erase(0, said.find_first_not_of('\n'));
    packed.fail("damaged or truncated, or no .tar.gz archive: " + said.substr(0, said.find('\n')));
  };
  std::vector<std::string> extract = {
      "--extract",       "--directory",           directory.string(),
      "--no-same-owner", "--no-same-permissions", "--no-wildcards"};
  std::set<std::string> found;
  for (const Entry& entry : entries_of(tar({"--list", "--verbose", "--numeric-owner"}))) {
    // Behind the name of a link, and of no file, stands what it leads to.
    const std::string_view arrow = entry.mode.front() == 'l'   ? " -> "
                                   : entry.mode.front() == 'h' ? " link to "
                                                               : "";
    const std::string listed =
        arrow.empty() ? entry.path : entry.path.substr(0, entry.path.find(arrow));
    const std::string path = std::filesystem::path(listed).lexically_normal().string();
    const auto name = std::ranges::find(wanted, path);
    if (name == wanted.end()) continue;
    const std::string quoted = json_quote(*name);
    if (entry.mode.front() == 'd') continue;
    if (entry.mode.front() != '-') packed.fail(quoted + " is a link or a device");
    // A file with holes is larger than what the archive holds of it.
    if (parse_count(entry.size).value_or(INT64_MAX) > static_cast<int64_t>(most)) {
      packed.fail(quoted + " " + kTooLarge);
    }
    if (!found.insert(*name).second) packed.fail(quoted + " occurs twice");
    extract.push_back(entry.path);
  }
  for (const std::string& name : wanted) {
    if (found.contains(name)) continue;
    throw InputError("the archive holds no " + name, archive.string(),
                     "give the model.tar.gz that AllenNLP wrote");
  }
  tar(std::move(extract));
}

}  // namespace rubric
