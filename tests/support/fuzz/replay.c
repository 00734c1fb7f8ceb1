/* SPDX-License-Identifier: BSD-2-Clause */
/* A main function that replaces libFuzzer's: runs the target once on each file of the folders on
 * the command line, so that every compiler and MPI is tested with the inputs that a fuzzer has
 * found. */
#include "support/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The bytes of a file, to be freed, in an array of exactly that size. */
static uint8_t *read_file(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  struct stat info;
  FUZZ_CHECK(file && stat(path, &info) == 0, "cannot open %s", path);
  *size = (size_t)info.st_size;
  uint8_t *data = malloc(*size ? *size : 1);
  FUZZ_CHECK(data && fread(data, 1, *size, file) == *size, "cannot read %s", path);
  fclose(file);
  return data;
}

static void replay_file(const char *path)
{
  size_t size;
  scoped_array uint8_t *data = read_file(path, &size);
  if (ovk_ctx_rank(fuzz_ctx()) == 0) fprintf(stderr, "%s: %zu bytes\n", path, size);
  LLVMFuzzerTestOneInput(data, size);
}

static int is_input(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* Runs the files in the order of their names, the same on all ranks. Returns the number of files; 0
 * if there is no such folder. */
static int replay_folder(const char *folder)
{
  struct dirent **entries = NULL;
  const int n = scandir(folder, &entries, is_input, alphasort);
  for (int k = 0; k < n; k++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
    replay_file(path);
    free(entries[k]);
  }
  free(entries);
  return n > 0 ? n : 0;
}

int main(int argc, char **argv)
{
  int n = 0;
  LLVMFuzzerInitialize(&argc, &argv);
  for (int k = 1; k < argc; k++) n += replay_folder(argv[k]);
  FUZZ_CHECK(n > 0, "no inputs in %d folders", argc - 1);
  return EXIT_SUCCESS;
}
