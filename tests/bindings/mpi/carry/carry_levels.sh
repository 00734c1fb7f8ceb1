#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A rank of a program in which rank 0 alone has MPI_THREAD_MULTIPLE, which the variables ask for.
# Usage: carry_levels.sh "VARIABLE;VARIABLE" PROGRAM
set -euo pipefail
IFS=';' read -ra variables <<<"$1"
case ${OMPI_COMM_WORLD_RANK-}${PMI_RANK-} in
0) exec env "${variables[@]}" "${@:2}" ;;
*) exec "${@:2}" ;;
esac
