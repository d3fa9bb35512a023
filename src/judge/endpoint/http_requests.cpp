#include "judge/endpoint/http_requests.h"

#include <algorithm>
#include <array>
#include <utility>

#include <curl/curl.h>

#include "core/error.h"
#include "core/text/ascii.h"

namespace rubric::judge {

// A body that libcurl cannot rewind: otherwise it would resend a request by itself on a stale
// connection, and the request would not be counted.
struct SentBody {
  std::string text;
  size_t at = 0;
};

namespace {

constexpr long kConnectSeconds = 30;
constexpr size_t kMostBytes = size_t{4} << 20;

void require(CURLMcode code) {
  if (code != CURLM_OK) throw Error(std::string("libcurl: ") + curl_multi_strerror(code));
}

// Initialises libcurl once for the process, before any other use.
void start_curl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw Error(std::string("libcurl: ") + curl_easy_strerror(code));
}

size_t take_bytes(char* bytes, size_t size, size_t count, void* body) {
  std::string& text = *static_cast<std::string*>(body);
  if (text.size() + size * count > kMostBytes) return CURL_WRITEFUNC_ERROR;
  text.append(bytes, size * count);
  return size * count;
}

size_t give_bytes(char* bytes, size_t size, size_t count, void* body) {
  SentBody& sent = *static_cast<SentBody*>(body);
  const size_t given = sent.text.copy(bytes, size * count, sent.at);
  sent.at += given;
  return given;
}

bool is_unreachable(CURLcode code) {
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:  // also for a reply that is not HTTP
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
      return true;
    default:
      return false;
  }
}

// The delay of OpenAI's header in milliseconds, else of the standard header in seconds or as a
// date; at most a day.
std::optional<std::chrono::milliseconds> retry_after(CURL* easy) {
  curl_header* header = nullptr;
  constexpr std::chrono::hours kMost{24};
  if (curl_easy_header(easy, "retry-after-ms", 0, CURLH_HEADER, -1, &header) == CURLHE_OK) {
    if (const auto count = parse_count(header->value)) {
      return std::min<std::chrono::milliseconds>(std::chrono::milliseconds(*count), kMost);
    }
  }
  curl_off_t count = 0;
  curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &count);
  if (count <= 0) return std::nullopt;
  return std::min<std::chrono::seconds>(std::chrono::seconds(count), kMost);
}

}  // namespace

// One request at a time on a reused handle.
struct HttpRequests::Transfer {
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy{curl_easy_init(), &curl_easy_cleanup};
  std::array<char, CURL_ERROR_SIZE> error{};
  size_t request = 0;
  SentBody sent;
  std::string body;
};

struct HttpRequests::State {
  // Destroyed in reverse order: transfers are removed from `multi` by then.
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers{nullptr,
                                                                      &curl_slist_free_all};
  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi{curl_multi_init(),
                                                              &curl_multi_cleanup};
  std::vector<std::unique_ptr<Transfer>> transfers;
  std::vector<Transfer*> idle;

  std::vector<HttpResponse> take_ended() {
    std::vector<HttpResponse> ended;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      CURL* const easy = message->easy_handle;
      Transfer* transfer = nullptr;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
      HttpResponse response;
      response.request = transfer->request;
      if (code == CURLE_OK) {
        long status = 0;
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        response.status = static_cast<int>(status);
        response.body = std::exchange(transfer->body, {});
        response.retry_after = retry_after(easy);
        const char* location = nullptr;
        curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &location);
        if (location != nullptr) response.location = location;
      } else if (code == CURLE_WRITE_ERROR) {
        response.error = "a response of more than 4 MiB";
      } else {
        response.error =
            transfer->error[0] != 0 ? transfer->error.data() : curl_easy_strerror(code);
        response.is_unreachable = is_unreachable(code);
      }
      require(curl_multi_remove_handle(multi.get(), easy));
      idle.push_back(transfer);
      ended.push_back(std::move(response));
    }
    return ended;
  }
};

HttpRequests::HttpRequests(const std::string& url, const std::vector<std::string>& headers,
                           std::chrono::seconds timeout, int64_t parallel) {
  start_curl();
  state_ = std::make_unique<State>();
  for (const std::string& line : headers) {
    state_->headers.reset(curl_slist_append(state_->headers.release(), line.c_str()));
  }
  curl_multi_setopt(state_->multi.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(parallel));
  for (int64_t i = 0; i < parallel; ++i) {
    Transfer& transfer = *state_->transfers.emplace_back(std::make_unique<Transfer>());
    state_->idle.push_back(&transfer);
    CURL* const easy = transfer.easy.get();
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, state_->headers.get());
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS,
                     static_cast<long>(std::chrono::milliseconds(timeout).count()));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.error.data());
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, &give_bytes);
    curl_easy_setopt(easy, CURLOPT_READDATA, &transfer.sent);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &take_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer.body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
#if LIBCURL_VERSION_NUM >= 0x075700
    // A stop does not wait for the thread that looks up the server's name.
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
  }
}

HttpRequests::~HttpRequests() {
  for (const auto& transfer : state_->transfers) {
    curl_multi_remove_handle(state_->multi.get(), transfer->easy.get());
  }
}

int64_t HttpRequests::in_flight() const {
  return std::ssize(state_->transfers) - std::ssize(state_->idle);
}

void HttpRequests::post(size_t request, std::string body) {
  Transfer& transfer = *state_->idle.back();
  state_->idle.pop_back();
  transfer.request = request;
  transfer.sent = {std::move(body)};
  transfer.body = {};
  transfer.error[0] = 0;
  CURL* const easy = transfer.easy.get();
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                   static_cast<curl_off_t>(transfer.sent.text.size()));
  require(curl_multi_add_handle(state_->multi.get(), easy));
}

std::vector<HttpResponse> HttpRequests::wait(std::chrono::milliseconds most) {
  int running = 0;
  require(curl_multi_perform(state_->multi.get(), &running));
  std::vector<HttpResponse> ended = state_->take_ended();
  if (!ended.empty()) return ended;
  require(
      curl_multi_poll(state_->multi.get(), nullptr, 0, static_cast<int>(most.count()), nullptr));
  require(curl_multi_perform(state_->multi.get(), &running));
  return state_->take_ended();
}

}  // namespace rubric::judge
