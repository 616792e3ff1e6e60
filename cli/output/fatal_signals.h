// Removes the temporary file if a signal ends the process.
//
//   HandleFatalSignals();  // in main, once
//   const int file = CreateTemporaryFile(".out.tmp", 0666);
//   ...
//   rename(".out.tmp", "out");
//   ForgetTemporaryFile();
//
// A signal handler can only reach global data, so there is one such file at
// a time.

#ifndef TESSERA_CLI_OUTPUT_FATAL_SIGNALS_H_
#define TESSERA_CLI_OUTPUT_FATAL_SIGNALS_H_

#include <sys/types.h>

#include <string>

namespace tessera::cli {

// From here on:
// - SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGTERM and SIGXCPU remove the temporary
//   file and then end the process as usual. Signals that are ignored, as under
//   nohup, stay ignored.
// - A write past the limit on the size of files fails with EFBIG and does not
//   raise SIGXFSZ.
// - SIGBUS, raised if a mapped file is truncated, removes the temporary file,
//   reports the truncation on standard error, and exits with 1.
void HandleFatalSignals();

// Makes a file, opens it to read and write, and returns its descriptor, or -1
// with errno: EEXIST if the file exists. Signals are blocked meanwhile.
int CreateTemporaryFile(const std::string& path, mode_t mode);

// Removes the temporary file, if there is one. Signal handlers may call it.
void RemoveTemporaryFile();

// Call this once the temporary file has been removed or renamed.
void ForgetTemporaryFile();

}  // namespace tessera::cli

#endif  // TESSERA_CLI_OUTPUT_FATAL_SIGNALS_H_
