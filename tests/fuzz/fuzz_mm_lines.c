/* SPDX-License-Identifier: BSD-2-Clause */
/* Files cut into shares: for any cuts, each line is read once, by the share in which it starts.
 * Input: the number of cuts, two bytes for each; then the file. */
#include "matrix/io/mm_lines.h"
#include "support/fuzz/fuzz.h"

#include <string.h>

enum { MOST_CUTS = 7 };

/* The file, and how much of it has been seen. */
typedef struct reading {
  const uint8_t *data;
  size_t size, at;
} reading;

static void check_line(reading *r, const ovk__mm_line *line, MPI_Offset begin, MPI_Offset end)
{
  const uint8_t *start = r->data + r->at;
  const uint8_t *newline = memchr(start, '\n', r->size - r->at);
  const size_t length = newline ? (size_t)(newline - start) : r->size - r->at;
  FUZZ_CHECK((MPI_Offset)r->at >= begin && (MPI_Offset)r->at < end, "a line of another share");
  FUZZ_CHECK((size_t)(line->end - line->at) == length, "%zu bytes, not %zu",
             (size_t)(line->end - line->at), length);
  FUZZ_CHECK(memcmp(line->at, start, length) == 0 && *line->end == '\0', "other bytes");
  r->at += length + (newline != NULL);
}

static void read_share(ovk__mm_lines *lines, reading *r, MPI_Offset begin, MPI_Offset end)
{
  ovk__mm_line line = {0};
  bool found;
  FUZZ_CHECK(ovk__mm_lines_share(lines, begin, end) == OVK_OK, "no share");
  for (int64_t n = 1;; n++) {
    FUZZ_CHECK(ovk__mm_lines_next(lines, &line, &found) == OVK_OK, "no line");
    if (!found) break;
    FUZZ_CHECK(line.number == n, "line %lld", (long long)n);
    check_line(r, &line, begin, end);
    FUZZ_CHECK(ovk__mm_lines_position(lines) == (MPI_Offset)r->at, "another position");
  }
  FUZZ_CHECK((MPI_Offset)r->at >= end || r->at == r->size, "%zu of %zu bytes at the end", r->at,
             r->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  const int ncuts = (int)fuzz_below(&in, MOST_CUTS + 1);
  unsigned cuts[MOST_CUTS];
  for (int k = 0; k < ncuts; k++) cuts[k] = fuzz_below(&in, 1 << 16);
  const uint8_t *start = in.at;
  reading r = {start, (size_t)(in.end - start), 0};
  SCOPED(ovk__mm_lines_close) ovk__mm_lines lines;
  FUZZ_CHECK(ovk__mm_lines_open(fuzz_ctx(), fuzz_file(start, r.size), &lines) == OVK_OK, "no file");
  MPI_Offset begin = 0, rest = (MPI_Offset)r.size;
  for (int k = 0; k < ncuts; k++) {
    const MPI_Offset share = (MPI_Offset)cuts[k] % (rest + 1);
    read_share(&lines, &r, begin, begin + share);
    begin += share;
    rest -= share;
  }
  read_share(&lines, &r, begin, begin + rest);
  FUZZ_CHECK(r.at == r.size, "%zu of %zu bytes", r.at, r.size);
  return 0;
}
