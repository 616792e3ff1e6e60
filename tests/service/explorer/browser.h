// A browser that a test looks at pages with, and points, clicks and types in:
// headless Chromium, spoken to over its DevTools protocol through a pipe.
//
//   absl::StatusOr<std::unique_ptr<Browser>> browser =
//       Browser::Start(folder, 1400, 1000);
//   (*browser)->Open("http://127.0.0.1:8080/");
//   (*browser)->Evaluate("return document.title;");   // "Tessera explorer"
//   (*browser)->Click("#copy-link");
//
// Nothing sleeps: a page is there when it is loaded, and what follows from an
// event is waited for in the page, by what Evaluate runs.

#ifndef TESSERA_TESTS_SERVICE_EXPLORER_BROWSER_H_
#define TESSERA_TESTS_SERVICE_EXPLORER_BROWSER_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

namespace tessera {

class Browser {
 public:
  // The profile goes into `folder`. Errors: kUnavailable if it does not start.
  static absl::StatusOr<std::unique_ptr<Browser>> Start(
      const std::string& folder, int width, int height);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // All that follows is kDeadlineExceeded where no answer comes within a
  // minute.

  // Returns when the page has loaded.
  absl::Status Open(const std::string& url);
  // Runs the body of an async function, and returns what it returns. Errors:
  // kAborted with what it throws.
  absl::StatusOr<nlohmann::json> Evaluate(std::string_view script);

  // To the middle of the first element that a selector matches, which is
  // scrolled to. Errors: kAborted if there is none.
  absl::Status Hover(const std::string& selector);
  absl::Status Click(const std::string& selector);
  // "a", "Enter", "ArrowLeft".
  absl::Status Press(const std::string& key);
  // Into what has the focus.
  absl::Status Type(const std::string& text);
  // "light" or "dark".
  absl::Status SetColorScheme(const std::string& scheme);
  absl::Status SetWidth(int width, int height);

 private:
  Browser(pid_t process, int to, int from)
      : process_(process), to_(to), from_(from) {}

  // Sends a command and returns its result, passing over events: Call to the
  // page, CallBrowser to the browser.
  absl::StatusOr<nlohmann::json> Call(const std::string& method,
                                      nlohmann::json parameters);
  absl::StatusOr<nlohmann::json> CallBrowser(nlohmann::json command);
  absl::StatusOr<nlohmann::json> Receive();
  absl::Status Load(const std::string& url);
  absl::Status Mouse(const char* type, double x, double y);

  pid_t process_;
  int to_;
  int from_;
  int commands_ = 0;
  int loads_ = 0;  // of pages, that were told
  std::string session_;
  std::string received_;
};

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_EXPLORER_BROWSER_H_
