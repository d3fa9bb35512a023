// `rubric worker`: a metric with its model in memory, for the Python package, which starts it and
// asks for scores over pipes (python/rubric/_worker.py).
#pragma once

namespace rubric::cli {

// Serves requests from standard input until it ends or the parent does. Both ways a frame is its
// length in bytes, eight of them with the lowest first, and that many of JSON.
//
// Requests, answered one after another, and a cancellation, which is read while one is answered:
//   {"id": 1, "do": "load", "metric": "lerc", "model": "DIR", "settings": {"int8": ""}, "threads":
//   2}, where "" is the metric's default model
//   {"id": 2, "do": "score", "answers": [[candidate, [reference, …], passage, question], …]}
//   {"id": 2, "do": "cancel"}
//   {"id": 0, "do": "end"}, which ends the process at once
// Events, with the id of their request, of which the last two end the answer:
//   {"event": "progress", "done": 32, "total": 2000}
//   {"event": "warning", "message": "…"}
//   {"event": "done", "scores": [{"name", "mean", "interval", "signature", "is_corpus",
//   "truncated", "seen", "fields": {"verdict": […]}, "rows": […]}, …]}
//   {"event": "error", "kind": "InputError", "message": "…"}
// An interval is [low, high], or null where a metric has none.
// Standard error is for what a crash leaves. Returns the exit code.
int serve_requests();

}  // namespace rubric::cli
