/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench compress`: blocks are compressed and gathered, all at the end or one by one. */
#include "bench/bench.h"
#include "bench/compress/blocks.h"
#include "bench/support/table.h"

enum { BYTES, BLOCKS, WINDOW, POLLS, LETTERS, LEVEL, SPEC, ROUNDS, JSON };

static const option compress_options[] = {
    [BYTES] =
        OPTION_INTEGER("--bytes", "N", 1, 1 << 30, "2000000", "bytes of input, all ranks together"),
    [BLOCKS] = OPTION_INTEGER("--blocks", "N", 1, 1000, "16", "blocks of a rank"),
    [WINDOW] = OPTION_INTEGER("--window", "N", 1, 1000, "4", "blocks in flight at most"),
    [POLLS] = OPTION_INTEGER("--polls", "N", 0, 1 << 20, "4",
                             "tests of each while a block is compressed"),
    [LETTERS] = OPTION_INTEGER("--letters", "N", 1, 256, "64", "different bytes in the input"),
    [LEVEL] = OPTION_INTEGER("--level", "N", 1, 9, "6", "level of compression"),
    [SPEC] = OPTION_TEXT("--spec", "SPEC", "nbc", "the gather of the library"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("5"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Each rank compresses its part of random letters by zlib, block by block. Rank 0 gathers the\n"
    "compressed blocks. After Hoefler, Lumsdaine, Rehm, \"Implementation and performance analysis\n"
    "of non-blocking collective operations for MPI\", section 5.1. The gather is\n"
    "  gather  MPI_Gather of all blocks, after the last one is compressed\n"
    "  nbc     the nonblocking gather of the library for each block, while the next ones are\n"
    "          compressed.\n"
    "Blocks travel in places of equal size, that of the longest compressed one, which is\n"
    "determined before. The rest is the same code. Times are those of the slowest rank, as a rule\n"
    "rank 0:\n"
    "  behind   the part of the time after the last block was compressed\n"
    "  speedup  the time of gather over this one, round by round\n"
    "  packed   bytes gathered, as a fraction of the input.\n"
    "Rank 0 decompresses all blocks and compares them with the input of all ranks.\n"
    "On one node a gather is a copy, which takes a small part of the time of compression: there\n"
    "is little to overlap, and with two ranks less than the noise. A gain of overlap needs a slow\n"
    "network or many ranks.\n";

static const column columns[] = {
    {"ms", "total_ms", "total_min_ms", 1e3, 3},
    {"behind", "behind_ms", "behind_min_ms", 1e3, 3},
    {"speedup", "speedup", NULL, 1, 3},
    {"packed", "packed", NULL, 1, 3},
};
enum { TOTAL, BEHIND, SPEEDUP, PACKED, NCOLUMNS };

typedef struct bench {
  blocks blocks;
  table table;
  double gather_seconds; /* of this round */
} bench;

static ovk_err measure(void *self, int which, double *figures)
{
  bench *b = self;
  const gathering how = (gathering)which;
  TRY(blocks_gather(&b->blocks, how, &figures[TOTAL], &figures[BEHIND]));
  TRY(tool_greatest(b->blocks.ctx, figures, SPEEDUP));
  if (how == GATHER_BLOCKING) b->gather_seconds = figures[TOTAL];
  figures[SPEEDUP] = b->gather_seconds / figures[TOTAL];
  figures[PACKED] = blocks_packed(&b->blocks);
  return blocks_check(&b->blocks, how);
}

static void name_rows(bench *b)
{
  const blocks_request *request = &b->blocks.request;
  table *t = &b->table;
  snprintf(t->title, sizeof t->title, "%d bytes, blocks of a rank: %d, ms", request->bytes,
           request->nblocks);
  for (int how = 0; how < GATHERINGS; how++) {
    row *r = &t->rows[how];
    snprintf(r->name, sizeof r->name, "%s", gathering_names[how]);
    row_add_text(r, "gather", gathering_names[how]);
    row_add_number(r, "bytes", request->bytes);
    row_add_number(r, "blocks", request->nblocks);
    row_add_number(r, "window", request->window);
    row_add_number(r, "letters", request->letters);
    row_add_number(r, "level", request->level);
  }
}

static blocks_request read_options(const args *given)
{
  blocks_request request = {.spec = args_text(given, SPEC)};
  args_int(given, BYTES, &request.bytes);
  args_int(given, BLOCKS, &request.nblocks);
  args_int(given, WINDOW, &request.window);
  args_int(given, POLLS, &request.polls);
  args_int(given, LETTERS, &request.letters);
  args_int(given, LEVEL, &request.level);
  return request;
}

static ovk_err measure_and_report(const args *given, bench *b)
{
  ovk_ctx *ctx = b->blocks.ctx;
  TRY(table_create(ctx, GATHERINGS, args_integer(given, ROUNDS), &b->table));
  name_rows(b);
  table *const tables[] = {&b->table};
  return tables_run(ctx, args_text(given, JSON), tables, 1);
}

static ovk_err compress_run(ovk_ctx *ctx, const args *given)
{
  const blocks_request request = read_options(given);
  bench b = {.table = {.columns = columns, .ncolumns = NCOLUMNS, .measure = measure, .arg = &b}};
  ovk_err err = blocks_create(ctx, &request, &b.blocks);
  if (!err) err = measure_and_report(given, &b);
  table_destroy(&b.table);
  blocks_destroy(&b.blocks);
  return err;
}

const command bench_compress = {
    .name = "compress",
    .usage = "[OPTIONS]",
    .summary = "gather of compressed blocks, each overlapped with the work on the next",
    .notes = definitions,
    .options = compress_options,
    .run = compress_run,
};
