// A call: a request, whose fields are set by name, and the function that runs it. A command and a
// function of Python are each a name and how a call of theirs is made:
//
//   std::unique_ptr<Call> call = make_call<CompareRequest, compare_systems>();
//   call->fields.set("metric", {"f1"});
//   const Result result = call->run(context);
#pragma once

#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "config/request.h"
#include "rubric/context.h"
#include "rubric/result.h"

namespace rubric::config {

class Call {
 public:
  virtual ~Call() = default;
  // Without a result, such as of a command that only writes a file, what is returned is empty.
  virtual Result run(const Context& context) const = 0;

  RequestFields fields;
  bool has_result = true;
  // The names of the result's tables of records, of a request that says them because its call also
  // writes files.
  std::optional<std::vector<std::string>> records;
};

template <class Request, auto kFunction>
class CallOf final : public Call {
 public:
  CallOf() {
    request_.visit_fields(fields);
    has_result = !kIsVoid;
    if constexpr (requires { Request::kRecords; }) {
      records.emplace(std::begin(Request::kRecords), std::end(Request::kRecords));
    }
  }
  Result run(const Context& context) const override {
    if constexpr (!kIsVoid) return kFunction(request_, context);
    kFunction(request_, context);
    return {};
  }

 private:
  static constexpr bool kIsVoid =
      std::is_void_v<std::invoke_result_t<decltype(kFunction), const Request&, const Context&>>;
  Request request_;
};

template <class Request, auto kFunction>
std::unique_ptr<Call> make_call() {
  return std::make_unique<CallOf<Request, kFunction>>();
}

}  // namespace rubric::config
