/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench compress`: blocks are compressed and gathered, all at the end or one by one. */
#include "bench/bench.h"
#include "bench/compress/blocks.h"
#include "bench/support/table.h"

enum { BYTES, BLOCKS, WINDOW, POLLS, LETTERS, LEVEL, SPEC, ROUNDS, JSON };

static const option compress_options[] = {
    [BYTES] = {"--bytes", 1, "N", "of input, all ranks together; default 2000000"},
    [BLOCKS] = {"--blocks", 1, "N", "blocks of a rank; default 16"},
    [WINDOW] = {"--window", 1, "N", "blocks on their way at most; default 4"},
    [POLLS] = {"--polls", 1, "N", "tests of each while a block is compressed; default 4"},
    [LETTERS] = {"--letters", 1, "N", "different bytes in the input; default 64"},
    [LEVEL] = {"--level", 1, "N", "of compression, 1 to 9; default 6"},
    [SPEC] = {"--spec", 1, "SPEC", "the library's gather; default nbc"},
    [ROUNDS] = {"--rounds", 1, "N", "rounds; figures are their medians; default 5"},
    [JSON] = {"--json", 1, "FILE|-", "write the rows as JSON, - for standard output"},
    {0},
};

static const char definitions[] =
    "Each rank compresses its part of random letters, block by block, by zlib; rank 0 gathers\n"
    "what comes out. After Hoefler, Lumsdaine, Rehm, \"Implementation and performance analysis\n"
    "of non-blocking collective operations for MPI\", section 5.1. Gathered are\n"
    "  gather  all blocks by MPI_Gather, when the last one is compressed\n"
    "  nbc     each block by the library's non-blocking gather, while the next ones are\n"
    "          compressed.\n"
    "Blocks travel in places of equal size, that of the longest one when it is compressed,\n"
    "which is found out before. All else is the same code. Times are those of the slowest rank,\n"
    "as a rule rank 0:\n"
    "  behind   what of the time comes after the last block was compressed\n"
    "  speedup  the time of gather over this one, round by round\n"
    "  packed   bytes gathered, as a fraction of the input.\n"
    "All that rank 0 has got is decompressed and compared with the input of all ranks.\n"
    "On one node gathering is copying, which takes a small part of the time of compression:\n"
    "there is little to hide, and with two ranks less than the noise. What overlap gains needs\n"
    "a slow network or many ranks.\n";

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

static ovk_err read_options(ovk_ctx *ctx, const args *given, blocks_request *request, int *nrounds)
{
  request->spec = args_text(given, SPEC, "nbc");
  TRY(args_int(ctx, given, BYTES, 1, 1 << 30, &request->bytes));
  TRY(args_int(ctx, given, BLOCKS, 1, 1000, &request->nblocks));
  TRY(args_int(ctx, given, WINDOW, 1, 1000, &request->window));
  TRY(args_int(ctx, given, POLLS, 0, 1 << 20, &request->polls));
  TRY(args_int(ctx, given, LETTERS, 1, 256, &request->letters));
  TRY(args_int(ctx, given, LEVEL, 1, 9, &request->level));
  return args_int(ctx, given, ROUNDS, 1, MAX_ROUNDS, nrounds);
}

static ovk_err measure_and_report(const args *given, bench *b, int nrounds)
{
  ovk_ctx *ctx = b->blocks.ctx;
  TRY(table_create(ctx, GATHERINGS, nrounds, &b->table));
  name_rows(b);
  table *const tables[] = {&b->table};
  return tables_run(ctx, args_text(given, JSON, NULL), tables, 1);
}

static ovk_err compress_run(ovk_ctx *ctx, const args *given, int *status)
{
  blocks_request request = {
      .bytes = 2000000, .nblocks = 16, .window = 4, .polls = 4, .letters = 64, .level = 6};
  int nrounds = 5;
  bench b = {.table = {.columns = columns, .ncolumns = NCOLUMNS, .measure = measure, .arg = &b}};
  *status = STATUS_CONVERGED;
  TRY(read_options(ctx, given, &request, &nrounds));
  ovk_err err = blocks_create(ctx, &request, &b.blocks);
  if (!err) err = measure_and_report(given, &b, nrounds);
  table_destroy(&b.table);
  blocks_destroy(&b.blocks);
  return err;
}

const command bench_compress = {
    .name = "compress",
    .usage = "[OPTIONS]",
    .summary = "compressed blocks gathered, each behind the work on the next",
    .notes = definitions,
    .options = compress_options,
    .run = compress_run,
};
