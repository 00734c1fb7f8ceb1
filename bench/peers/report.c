/* SPDX-License-Identifier: BSD-2-Clause */
/* The report of a run: a line of text, or JSON. */
#include "report.h"

#include <inttypes.h>
#include <math.h>

static void write_text(FILE *file, const char *key, const char *text)
{
  fprintf(file, "  \"%s\": ", key);
  if (!text) {
    fputs("null,\n", file);
    return;
  }
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', file);
    fputc((unsigned char)*text < 0x20 ? ' ' : *text, file);
  }
  fputs("\",\n", file);
}

static void write_int(FILE *file, const char *key, int64_t value)
{
  fprintf(file, "  \"%s\": %" PRId64 ",\n", key, value);
}

static void write_real(FILE *file, const char *key, double value)
{
  if (isfinite(value)) {
    fprintf(file, "  \"%s\": %.17g,\n", key, value);
  } else {
    fprintf(file, "  \"%s\": null,\n", key);
  }
}

/* Milliseconds per iteration, product or application; NaN if there was none. */
static double each_ms(const run *r)
{
  const int repeated = r->options->products + r->options->applications; /* one of them is 0 */
  const int count = repeated ? repeated : r->outcome.iterations;
  return count ? 1e3 * r->seconds / count : (double)NAN;
}

static void write_system(FILE *file, const ovk_ctx *ctx, const run *r)
{
  const problem *p = &r->problem;
  write_text(file, "program", r->ops->program);
  write_text(file, "version", r->ops->version());
  write_text(file, "problem", p->text);
  write_int(file, "ranks", ovk_ctx_size(ctx));
  write_int(file, "rows", p->rows.size);
  write_int(file, "nnz", p->nnz);
  fprintf(file, "  \"checksum\": \"%016" PRIx64 "\",\n", p->checksum);
}

static void write_solve(FILE *file, const run *r, const peer_facts *facts)
{
  write_text(file, "method", facts->method);
  write_text(file, "backend", facts->backend);
  write_text(file, "precond", r->options->precond);
  if (r->options->columns) write_int(file, "columns", r->options->columns);
  write_int(file, "iterations", r->outcome.iterations);
  fprintf(file, "  \"converged\": %s,\n", r->outcome.converged ? "true" : "false");
  write_real(file, "true_relative_residual", r->residual);
  write_real(file, "solution_norm", r->norm);
  write_real(file, "ms_per_iteration", each_ms(r));
}

static void write_products(FILE *file, const run *r)
{
  write_int(file, "products", r->options->products);
  write_real(file, "product_norm", r->norm);
  write_real(file, "ms_per_product", each_ms(r));
}

static void write_applications(FILE *file, const run *r)
{
  write_text(file, "precond", r->options->precond);
  write_int(file, "applications", r->options->applications);
  write_real(file, "application_norm", r->norm);
  write_real(file, "ms_per_application", each_ms(r));
}

static void write_memory(FILE *file, const run *r)
{
  write_text(file, "huge_pages", memory_huge_pages());
  fprintf(file,
          "  \"megabytes\": {\"before\": %.1f, \"resident\": %.1f, \"peak\": %.1f, "
          "\"huge\": %.1f},\n",
          r->before.resident, r->after.resident, r->after.peak, r->after.huge);
}

void report_json(FILE *file, const ovk_ctx *ctx, const run *r)
{
  const peer_facts facts = r->ops->facts(r->state);
  fputs("{\n", file);
  write_system(file, ctx, r);
  if (r->options->products) {
    write_products(file, r);
  } else if (r->options->applications) {
    write_applications(file, r);
  } else {
    write_solve(file, r, &facts);
  }
  write_text(file, "format", facts.format);
  if (facts.matrix_bytes) write_int(file, "matrix_bytes", facts.matrix_bytes);
  write_memory(file, r);
  if (r->options->steps) {
    write_int(file, "steps", r->options->steps);
    write_real(file, "refill_seconds", r->refill);
    write_real(file, "update_seconds", r->update);
  }
  fprintf(file, "  \"repeat\": %d,\n", r->options->repeat);
  const char *what = r->options->products       ? "products"
                     : r->options->applications ? "applications"
                                                : "solve";
  fprintf(file,
          "  \"seconds\": {\"generate\": %.9g, \"assemble\": %.9g, \"setup\": %.9g, \"%s\": %.9g, "
          "\"cpu\": %.9g}\n}\n",
          r->problem.seconds, r->assemble, r->setup, what, r->seconds, r->cpu);
}

void report_line(FILE *file, const ovk_ctx *ctx, const run *r)
{
  fprintf(file, "%s, %d rank%s, %s: ", r->ops->program, ovk_ctx_size(ctx),
          ovk_ctx_size(ctx) > 1 ? "s" : "", r->problem.text);
  if (r->options->applications) {
    fprintf(file, "%.4f ms an application of %s, ||C^-1 x|| = %.12g\n", each_ms(r),
            r->options->precond, r->norm);
    return;
  }
  if (r->options->products) {
    fprintf(file, "%.4f ms a product, ||A x|| = %.12g\n", each_ms(r), r->norm);
    return;
  }
  if (r->options->steps) {
    fprintf(file, "setup %.4f s, a step: values %.4f s, update %.4f s, solve %.4f s; ", r->setup,
            r->refill, r->update, r->seconds);
  }
  fprintf(file, "%d iterations%s, %.4f ms each, ||b - A x|| / ||b|| = %.3e\n",
          r->outcome.iterations, r->outcome.converged ? "" : " without convergence", each_ms(r),
          r->residual);
}
