#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program ovk: what it solves, shows and writes. Arguments: OVK RANKS LAUNCHER...
# shellcheck source=tests/tools/cli_lib.sh
source "${BASH_SOURCE[0]%/*}/cli_lib.sh"

model=(solve --laplace27 20 20 20)

# Every key of the contract, in an object that a parser takes.
run 0 "${model[@]}" --json -
is_json out
for key in problem ranks rows nnz method precond backend format iterations converged reason sentence version rtol atol restarts \
  relative_residual true_relative_residual reductions_per_iteration replacements method_changes \
  matrix_bytes precond_bytes precond_info seconds assemble precond_setup solve per_iteration spmv halo_wait precond vector \
  reduction_begin reduction_wait; do
  has out "\"$key\": "
done
has out "\"problem\": \"laplace27 20x20x20 per process, grid 1x1x$ranks\"" '"converged": true'
[[ $(value out ranks) == "$ranks" ]] || fail 'wrong number of ranks'
[[ $(value out rows) == $((8000 * ranks)) ]] || fail 'wrong number of rows'
[[ $(value out nnz) == $((58 * 58 * (60 * ranks - 2))) ]] || fail 'wrong number of nonzeros'
expected=$(value out iterations)
has out '"backend": "shm"' # what auto chose
[[ ! -s err ]] || fail 'standard error is not empty'

# The same iterations with methods, two backends by turns, and the grid named.
backend=blocking
for method in cg groppcg pipelcg pipelcg:l=3 pipefcg:m=3; do
  run 0 "${model[@]}" --grid 1 1 "$ranks" --method "$method" --backend "$backend" --json -
  [[ $(value out iterations) == "$expected" ]] || fail "not $expected iterations"
  has out "\"method\": \"$method" # with the depth of pipelcg
  has out "\"backend\": \"$backend\""
  if [[ $backend == blocking ]]; then backend=iallreduce; else backend=blocking; fi
done

# Several right-hand sides at once, the first one as alone.
run 0 "${model[@]}" --columns 3 --method cg --json -
is_json out
has out '"columns": ['
[[ $(grep -c '"true_relative_residual"' out) == 4 ]] || fail 'not three columns'
[[ $(grep -c "\"iterations\": $expected," out) -ge 1 ]] || fail "no column takes $expected iterations"
run 0 "${model[@]}" --columns 2 --method gmres
has out 'true relative residual  reason'
run 1 "${model[@]}" --columns 2 --maxit 2
has err '2 of 2 columns have not converged; column 0: not converged after 2 iterations'

# The problems of the benchmarks.
for name in varsym27 irregular27 aniso7 jumps7 cubes7 graph27 elasticity; do
  run 0 solve --problem "$name" 8 9 10 --precond amg:coarse=50 --json -
  has out "\"problem\": \"$name 8x9x10 per process, grid 1x1x$ranks\"" '"converged": true'
  unknowns=1
  if [[ $name == elasticity ]]; then unknowns=3; fi
  [[ $(value out rows) == $((720 * unknowns * ranks)) ]] || fail "wrong number of rows of $name"
done

# The table, and JSON in a file beside it.
run 0 "${model[@]}" --json result.json
has out "iterations         $expected" 'reduction wait'
is_json result.json
[[ $(value result.json iterations) == "$expected" ]] || fail 'the file tells something else'

# Medians.
run 0 "${model[@]}" --repeat 3 --history history.csv
has out 'median of 3 solves'
[[ $(wc -l <history.csv) == $((expected + 2)) ]] || fail 'not a heading and a line an iteration'
[[ $(head -n 1 history.csv) == iteration,relative_residual,true_relative_residual ]] ||
  fail 'a wrong heading'
tail -n 1 history.csv | awk -F, -v n="$expected" \
  '{ if ($1 != n || $2 > 1e-8 || $2 <= 0 || $3 > 1e-8 || $3 <= 0) exit 1 }' ||
  fail 'the last line is not that of the last iteration'

# A line an iteration: on standard output, which is the JSON's if that goes there.
run 0 "${model[@]}" --monitor
cp out table
run 0 "${model[@]}" --monitor --json -
is_json out
[[ $(wc -l <err) == $((expected + 1)) ]] || fail 'not a line an iteration'
grep -qFf <(sed -n 2p err) table || fail 'no lines on standard output'

# By default the preconditioner is chosen, and the reason is given.
run 0 "${model[@]}" --json -
has out '"precond": "auto"' '"precond_info": "jacobi, predicted to take '
run 0 "${model[@]}" --precond auto:solves=5
has out 'preconditioner     auto:solves=5, ' ' ms for setup and 5 solves, ic '

# Right-hand sides; a random one depends on the row alone.
run 0 solve --laplace7 4 4 4 --rhs Aones --solution x.mtx --rtol 1e-12
tail -n +3 x.mtx | awk '{ if (($1 - 1) ^ 2 > 1e-16) exit 1 }' || fail 'x is not ones'
run 0 solve --laplace7 4 4 4 --rhs random --maxit 0 --atol 1e9 --json -
[[ $(value out iterations) == 0 ]] || fail 'iterations, though x = 0 is good enough'
has out '"per_iteration": null'

# The solution is in the given order of rows, whatever the order of the solve.
run 0 solve --problem graph27 6 6 6 --rhs random --precond jacobi --rtol 1e-12 --solution natural.mtx
run 0 solve --problem graph27 6 6 6 --rhs random --precond jacobi --rtol 1e-12 --solution rcm.mtx --order rcm --json out.json
has out 'rows in reverse Cuthill-McKee order'
has out.json '"order": "rcm"'
paste natural.mtx rcm.mtx | tail -n +3 | awk '{ if (($1 - $2) ^ 2 > 1e-10) exit 1 }' || fail 'another solution'
run 0 solve --problem graph27 6 6 6 --rhs random --columns 3 --rtol 1e-12 --solution columns.mtx --order rcm
paste natural.mtx columns.mtx | tail -n +3 | awk 'NF == 2 && ($1 - $2) ^ 2 > 1e-10 { bad = 1 } END { exit bad }' ||
  fail 'another solution of several'
run 0 solve --problem graph27 6 6 6 --order auto --json -
has out '"order": "natural"'

# The norm of the test: a smaller one ends sooner, and is named.
run 0 "${model[@]}" --json -
has out '"norm": "unpreconditioned"'
run 0 "${model[@]}" --norm natural --json -
has out '"norm": "natural"'
run 0 "${model[@]}" --norm preconditioned --history history.csv
has out 'recursive in the preconditioned norm'
tail -n 1 history.csv | awk -F, '{ if ($2 > 1e-8 || $3 > 1.01e-8) exit 1 }' || fail 'another norm'
alone run 2 "${model[@]}" --norm euclidean
has err "is 'euclidean', but must be unpreconditioned, preconditioned or natural"
alone run 2 "${model[@]}" --norm naturl
has err "did you mean 'natural'?"

# Names of PETSc, hypre and the papers: the listed one is shown. tests/support/method_names.h has all of them.
alone run 0 "${model[@]}" --json -
same=$(value out iterations)
for names in cg=pcg cg=algorithm1 cg=PCG-Algorithm1 pipelcg=deep; do
  alone run 0 "${model[@]}" --method "${names#*=}" --json -
  [[ $(value out iterations) == "$same" ]] || fail "not $same iterations"
  has out "\"method\": \"${names%=*}"
done

# A singular matrix: the path of 4 nodes, whose null space is constant.
{
  echo '%%MatrixMarket matrix coordinate real symmetric'
  printf '%s\n' '4 4 7' '1 1 1' '2 2 2' '3 3 2' '4 4 1' '2 1 -1' '3 2 -1' '4 3 -1'
} >path.mtx
for method in cg pipelcg; do
  run 0 solve --matrix path.mtx --nullspace constant --method "$method" --rhs ones --json -
  has out '"reason": "CONVERGED_ZERO_RHS"'
  run 0 solve --matrix path.mtx --nullspace constant --method "$method" --rhs random --solution x.mtx
  grep -q 'null space  .* of the right-hand side' out || fail 'no part of b is told'
  tail -n +3 x.mtx | awk '{ s += $1 } END { if (s ^ 2 > 1e-20) exit 1 }' || fail 'x has a mean'
done
alone run 0 solve --matrix path.mtx
has err 'b = A ones is 0, so constants are in the null space of A: try --rhs random --nullspace constant'
alone run 2 solve --matrix path.mtx --nullspace ones
has err "is 'ones', but must be constant"
run 2 "${model[@]}" --nullspace constant
has err 'the constant vector is not in the null space of A: ||A v|| is'

# What is said of A: true, false, and of some other A.
{
  echo '%%MatrixMarket matrix coordinate real general'
  printf '%s\n' '4 4 10' '1 1 2' '2 2 2' '3 3 2' '4 4 2' '2 1 -1.000001' '1 2 -1' '3 2 -1' '2 3 -1' '4 3 -1' '3 4 -1'
} >blurred.mtx
run 0 solve --matrix blurred.mtx --rtol 1e-5 --json -
has out 'bcgs, because A is not symmetric' # pipebcgs where the sums of this machine are slow
run 0 solve --matrix blurred.mtx --rtol 1e-5 --symmetric --json -
has out 'the options declare A symmetric'
run 0 solve --matrix blurred.mtx --rtol 1e-5 --spd --json -
has out 'the options declare A positive definite'
sed -i 's/-1.000001/9/; s/^4 3 -1/4 3 9/; s/^3 2 -1/3 2 9/' blurred.mtx
for said in --symmetric --spd; do
  run 1 solve --matrix blurred.mtx --precond jacobi --rhs random --maxit 200 "$said"
  has err 'A is not symmetric, though the options say so'
done

# Did not converge.
run 1 "${model[@]}" --maxit 3 --json -
has out '"reason": "MAXIT"' '"iterations": 3,'
has err 'ovk: '
run 1 "${model[@]}" --maxit 3
has out 'MAXIT'

# The environment chooses where no option does.
OVK_METHOD=overlap OVK_BACKEND=iallreduce run 0 "${model[@]}" --json -
has out '"method": "overlap"' '"backend": "iallreduce"'

finish
