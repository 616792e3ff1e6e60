#include "tests/service/explorer/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

using Json = nlohmann::json;

constexpr int kPatienceMs = 60'000;

// As Chromium expects its pipe: it reads from 3 and writes to 4.
constexpr int kReadEnd = 3;
constexpr int kWriteEnd = 4;

[[noreturn]] void RunChromium(int read_end, int write_end,
                              const std::string& folder,
                              const std::string& size) {
  // Out of the way of 3 and 4, which they may be themselves.
  read_end = fcntl(read_end, F_DUPFD, 10);
  write_end = fcntl(write_end, F_DUPFD, 10);
  dup2(read_end, kReadEnd);
  dup2(write_end, kWriteEnd);
  const std::string log = absl::StrCat(folder, "/log");
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  setenv("HOME", folder.c_str(), /*overwrite=*/1);
  const std::string profile =
      absl::StrCat("--user-data-dir=", folder, "/profile");
  const std::string window = absl::StrCat("--window-size=", size);
  execlp("chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-extensions", "--hide-scrollbars",
         "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
         "--remote-debugging-pipe", profile.c_str(), window.c_str(),
         "about:blank", nullptr);
  _exit(127);
}

// The middle of an element, in pixels of the window.
constexpr std::string_view kMiddle = R"(
  const node = document.querySelector(SELECTOR);
  if (!node) throw new Error('nothing matches ' + SELECTOR);
  node.scrollIntoView({block: 'center', inline: 'center'});
  const box = node.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];)";

}  // namespace

absl::StatusOr<std::unique_ptr<Browser>> Browser::Start(
    const std::string& folder, int width, int height) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) {
    return absl::UnavailableError("no pipe");
  }
  const pid_t process = fork();
  if (process < 0) return absl::UnavailableError("no process");
  if (process == 0) {
    // A group of its own, to end all of it.
    setpgid(0, 0);
    RunChromium(to[0], from[1], folder, absl::StrCat(width, ",", height));
  }
  signal(SIGPIPE, SIG_IGN);
  close(to[0]);
  close(from[1]);
  std::unique_ptr<Browser> browser(new Browser(process, to[1], from[0]));
  const absl::StatusOr<Json> target =
      browser->CallBrowser({{"method", "Target.createTarget"},
                            {"params", {{"url", "about:blank"}}}});
  if (!target.ok()) return target.status();
  const absl::StatusOr<Json> session = browser->CallBrowser(
      {{"method", "Target.attachToTarget"},
       {"params", {{"targetId", (*target)["targetId"]}, {"flatten", true}}}});
  if (!session.ok()) return session.status();
  browser->session_ = (*session)["sessionId"];
  const absl::StatusOr<Json> enabled =
      browser->Call("Page.enable", Json::object());
  if (!enabled.ok()) return enabled.status();
  return browser;
}

Browser::~Browser() {
  close(to_);
  close(from_);
  kill(-process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

absl::StatusOr<Json> Browser::Receive() {
  while (true) {
    const size_t end = received_.find('\0');
    if (end != std::string::npos) {
      Json message = Json::parse(received_.substr(0, end));
      received_.erase(0, end + 1);
      if (message.value("method", "") == "Page.loadEventFired") ++loads_;
      return message;
    }
    pollfd ready = {from_, POLLIN, 0};
    if (poll(&ready, 1, kPatienceMs) != 1) {
      return absl::DeadlineExceededError("chromium does not answer");
    }
    char buffer[65536];
    const ssize_t size = read(from_, buffer, sizeof(buffer));
    if (size <= 0) return absl::UnavailableError("chromium has ended");
    received_.append(buffer, size);
  }
}

absl::StatusOr<Json> Browser::CallBrowser(Json command) {
  const int id = ++commands_;
  command["id"] = id;
  std::string text = command.dump();
  text.push_back('\0');
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t size = write(to_, text.data() + sent, text.size() - sent);
    if (size <= 0) return absl::UnavailableError("chromium has ended");
    sent += size;
  }
  while (true) {
    absl::StatusOr<Json> message = Receive();
    if (!message.ok()) return message.status();
    if (message->value("id", 0) != id) continue;
    if (message->contains("error")) {
      return absl::AbortedError((*message)["error"].dump());
    }
    return (*message)["result"];
  }
}

absl::StatusOr<Json> Browser::Call(const std::string& method, Json parameters) {
  return CallBrowser({{"method", method},
                      {"params", std::move(parameters)},
                      {"sessionId", session_}});
}

absl::Status Browser::Load(const std::string& url) {
  const int before = loads_;
  absl::Status status = Call("Page.navigate", {{"url", url}}).status();
  while (status.ok() && loads_ == before) status = Receive().status();
  return status;
}

absl::Status Browser::Open(const std::string& url) {
  // Another place in the page that is open would load nothing.
  const absl::Status status = Load("about:blank");
  return status.ok() ? Load(url) : status;
}

absl::StatusOr<Json> Browser::Evaluate(std::string_view script) {
  absl::StatusOr<Json> result =
      Call("Runtime.evaluate",
           {{"expression",
             absl::StrCat("(async () => {", AbslView(script), "\n})()")},
            {"awaitPromise", true},
            {"returnByValue", true}});
  if (!result.ok()) return result;
  if (result->contains("exceptionDetails")) {
    return absl::AbortedError((*result)["exceptionDetails"].dump());
  }
  const Json& value = (*result)["result"];
  return value.contains("value") ? value["value"] : Json();
}

absl::Status Browser::Mouse(const char* type, double x, double y) {
  return Call("Input.dispatchMouseEvent",
              {{"type", type},
               {"x", x},
               {"y", y},
               {"button",
                std::string_view(type) == "mouseMoved" ? "none" : "left"},
               {"clickCount", 1}})
      .status();
}

absl::Status Browser::Hover(const std::string& selector) {
  const absl::StatusOr<Json> middle = Evaluate(absl::StrReplaceAll(
      AbslView(kMiddle), {{"SELECTOR", Json(selector).dump()}}));
  if (!middle.ok()) return middle.status();
  return Mouse("mouseMoved", (*middle)[0], (*middle)[1]);
}

absl::Status Browser::Click(const std::string& selector) {
  const absl::StatusOr<Json> middle = Evaluate(absl::StrReplaceAll(
      AbslView(kMiddle), {{"SELECTOR", Json(selector).dump()}}));
  if (!middle.ok()) return middle.status();
  for (const char* type : {"mouseMoved", "mousePressed", "mouseReleased"}) {
    const absl::Status status = Mouse(type, (*middle)[0], (*middle)[1]);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Browser::Press(const std::string& key) {
  const Json codes = {{"Enter", 13},   {"Escape", 27},     {"ArrowLeft", 37},
                      {"ArrowUp", 38}, {"ArrowRight", 39}, {"ArrowDown", 40},
                      {"Tab", 9}};
  for (const char* type : {"rawKeyDown", "keyUp"}) {
    const absl::Status status =
        Call("Input.dispatchKeyEvent",
             {{"type", type},
              {"key", key},
              {"code", key},
              {"windowsVirtualKeyCode", codes.value(key, 0)}})
            .status();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Browser::Type(const std::string& text) {
  return Call("Input.insertText", {{"text", text}}).status();
}

absl::Status Browser::SetColorScheme(const std::string& scheme) {
  return Call("Emulation.setEmulatedMedia",
              {{"features",
                {{{"name", "prefers-color-scheme"}, {"value", scheme}}}}})
      .status();
}

absl::Status Browser::SetWidth(int width, int height) {
  return Call("Emulation.setDeviceMetricsOverride", {{"width", width},
                                                     {"height", height},
                                                     {"deviceScaleFactor", 1},
                                                     {"mobile", false}})
      .status();
}

}  // namespace tessera
