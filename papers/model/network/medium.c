/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/network/medium.h"

#include <string.h>

enum { MOST = sizeof((ovk__medium *)0)->starts / sizeof(double) };

double ovk__medium_take(ovk__medium *medium, double time)
{
  double *starts = medium->starts;
  int at = 0;
  if (medium->seconds <= 0) return time;
  for (; at < medium->count && starts[at] < time + medium->seconds; at++) {
    if (starts[at] + medium->seconds > time) time = starts[at] + medium->seconds;
  }
  const int dropped = medium->count == MOST && at > 0; /* the first one */
  if (medium->count == MOST && !dropped) return time;
  memmove(starts, starts + dropped, (size_t)(at - dropped) * sizeof *starts);
  if (!dropped) {
    memmove(starts + at + 1, starts + at, (size_t)(medium->count - at) * sizeof *starts);
    medium->count++;
  }
  starts[at - dropped] = time;
  return time;
}
