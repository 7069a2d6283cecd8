// One line on a terminal that is written over: how far a long command is.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace daemark {

/// Shows a text on standard error, from the second second on and only where that is a terminal: a
/// line that is written over spoils a log. It is shown by a thread of its own, so that the time in
/// it goes on also where the work says nothing; it is fitted to the terminal, and cleared at the
/// end.
class StatusLine {
 public:
  /// Called from the thread, some times a second; `seconds` since the start.
  using Text = std::function<std::string(double seconds)>;
  explicit StatusLine(Text text);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

 private:
  void show();

  Text text_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool over_ = false;
  std::thread thread_;  ///< none where standard error is no terminal
};

/// `text` in so many columns: what stands before its first ": " is shortened rather than what it
/// says of the time.
std::string fitted(const std::string& text, std::size_t columns);

/// "what: 40 %, 12 s, 15 to 20 s left"; `part` < 0 where it is not known.
std::string status_text(const std::string& what, double part, double seconds,
                        const std::string& left);

}  // namespace daemark
