/* SPDX-License-Identifier: BSD-2-Clause */
/* Files in other formats than Matrix Market: an error that names the format and a remedy. */
#include "mm_support.h"

TEST(files_in_other_formats_are_refused_with_the_remedy)
{
  static const struct {
    size_t at, length;
    const char *bytes, *part;
  } packed[] = {
      {0, 3, "\x1f\x8b\x08",
       ": this file is compressed with gzip: unpack it first (gunzip, or tar"},
      {0, 4, "BZh9", ": this file is compressed with bzip2: unpack it first (bunzip2, or tar"},
      {0, 6,
       "\xfd"
       "7zXZ",
       ": this file is compressed with xz: unpack it first (unxz, or tar"},
      {0, 4, "\x28\xb5\x2f\xfd", ": this file is compressed with zstd: unpack it first (unzstd)"},
      {0, 4, "PK\x03\x04", ": this file is a zip archive: unpack it first (unzip)"},
      {257, 5, "ustar", ": this file is a tar archive: unpack it first (tar xf)"},
      {0, 4, "\0\x12\x7b\x50",
       ": this file is a binary matrix of PETSc: a PETSc program writes Matrix Market with"},
      {0, 4, "\0\x12\x7b\x4e", ": this file is a binary vector of PETSc: convert it to Matrix"},
      {0, 8, "MATLAB 5", ": this file is of Matlab: convert it to Matrix Market first"},
  };
  for (size_t i = 0; i < COUNT(packed); i++) {
    char bytes[600] = "lap/";
    memcpy(bytes + packed[i].at, packed[i].bytes, packed[i].length);
    const char *path = scratch_file(bytes, sizeof bytes);
    assert_matrix_error(path, OVK_ERR_UNSUPPORTED, packed[i].part);
    assert_vector_error(path, 3, OVK_ERR_UNSUPPORTED, packed[i].part);
    remove_scratch(path);
  }
  const char *path = scratch_file("\x1f\x8b", 2); /* no more than its first bytes */
  assert_matrix_error(path, OVK_ERR_UNSUPPORTED, "compressed with gzip");
  remove_scratch(path);
}

/* The head of a Harwell-Boeing file with these lines of the type and of the formats. */
static const char *boeing_file(const char *type, const char *formats)
{
  char text[400];
  const int length =
      snprintf(text, sizeof text, "%-72s%-8s\n%14d%14d%14d%14d%14d\n%-14s%14d%14d%14d%14d\n%s",
               "a matrix", "KEY", 3, 1, 1, 1, 0, type, 3, 3, 7, 0, formats);
  return scratch_file(text, (size_t)length);
}

TEST(harwell_boeing_files_are_refused_with_the_remedy)
{
  static const struct {
    const char *type, *formats, *part;
    ovk_err code;
  } files[] = {
      {"RUA", "(16I5) (16I5) (5E15.8)\n", ": this file is in Harwell-Boeing format: collections",
       OVK_ERR_UNSUPPORTED},
      {"psa", "(26I3) (26I3)\n", "Harwell-Boeing format", OVK_ERR_UNSUPPORTED},
      {"RUB", "(16I5) (16I5) (5E15.8)\n", "does not start with", OVK_ERR_FORMAT},
      {"RUA", "", "does not start with", OVK_ERR_FORMAT},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    const char *path = boeing_file(files[i].type, files[i].formats);
    assert_matrix_error(path, files[i].code, files[i].part);
    remove_scratch(path);
  }
}

TEST_GROUP(open_self, close_self)
