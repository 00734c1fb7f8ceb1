/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes lines of the log. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { LINE_SIZE = 1024 };

static void write_line(const char *line)
{
  char when[32] = "";
  const time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc)) strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
  fprintf(stderr, "%s ovk-agent[%d]: %s\n", when, (int)getpid(), line);
}

void note(const char *format, ...)
{
  char line[LINE_SIZE];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  write_line(line);
}

void note_stranger(const char *format, ...)
{
  static time_t last;
  static unsigned long left_out;
  char line[LINE_SIZE];
  struct timespec now = {0};
  va_list args;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_sec == last) {
    left_out++;
    return;
  }
  va_start(args, format);
  const int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (left_out && n >= 0 && n < LINE_SIZE)
    snprintf(line + n, sizeof line - (size_t)n, " (and %lu more)", left_out);
  last = now.tv_sec;
  left_out = 0;
  write_line(line);
}
