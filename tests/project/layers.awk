# SPDX-License-Identifier: BSD-2-Clause
# Who may include whom: prints "file:line: fault" for every offending include. See layers.sh.
#
# Each folder of src has a line: the folders that it may include, besides itself. What stands lower in the
# list includes only what stands above it, so no two folders include each other. src/conformance has none: it
# includes public headers only.
BEGIN {
  may["base"] = ""
  may["core"] = "base"
  may["net"] = "base core"
  may["net/emulated"] = "base core net"
  may["net/ibverbs"] = "base core net"
  may["engine/schedule"] = "base core"
  may["engine/channels"] = "base core net engine/schedule"
  may["engine"] = "base core net engine/schedule engine/channels"
  may["agent"] = "base core net engine engine/schedule engine/channels"
  may["agent/openssl"] = "base core agent"
  may["engine/collectives"] = "base core net engine/schedule engine agent"
  may["engine/board"] = "base core engine/schedule engine/channels engine"
  may["matrix/layout"] = "base core"
  may["matrix/formats"] = "base core"
  may["matrix/formats/dia"] = "base core matrix/formats"
  may["matrix/formats/pattern"] = "base core matrix/formats"
  may["matrix/formats/sell"] = "base core matrix/formats"
  may["matrix/formats/sym"] = "base core matrix/formats matrix/formats/dia matrix/formats/sell"
  may["matrix/assembly"] = "base core matrix/layout matrix/formats"
  may["matrix/halo"] = "base core matrix/layout"
  may["matrix"] = "base core matrix/layout matrix/formats matrix/assembly matrix/halo"
  may["matrix/io"] = "base core matrix/layout matrix/assembly matrix"
  may["precond"] = "base core matrix"
  may["precond/incomplete"] = "base core matrix precond"
  may["precond/bjacobi"] = "base core matrix precond precond/incomplete"
  may["backends"] = "base core engine/schedule engine"
  # Backends are plug-ins: none includes another, nor the front end.
  may["backends/blocking"] = "base core"
  may["backends/iallreduce"] = "base core"
  may["backends/delay"] = "base core engine"
  may["backends/shm"] = "base core engine/channels engine"
  may["backends/nbc"] = "base core engine/schedule engine"
  may["backends/verbs/recovery"] = "base core net engine"
  may["backends/verbs"] = "base core net engine/schedule engine agent backends/verbs/recovery"
  may["backends/verbs/atomic"] = "base core net engine/schedule engine backends/verbs"
  may["solvers/state"] = "base core matrix precond"
  may["solvers/kernels"] = "base core precond"
  may["solvers/kernels/basis"] = "base core solvers/kernels"
  may["solvers/steps"] = "base core backends solvers/state solvers/kernels"
  may["solvers/stopping"] = "base core matrix solvers/state solvers/kernels solvers/steps"
  may["solvers/methods/cg"] = "base core solvers/state solvers/kernels solvers/steps solvers/stopping"
  may["solvers/methods/chebyshev"] = "base core solvers/state solvers/steps solvers/stopping"
  may["solvers/methods/flexible"] = "base core solvers/state solvers/kernels solvers/kernels/basis solvers/steps solvers/stopping"
  may["solvers/methods/gmres"] = "base core solvers/state solvers/kernels solvers/kernels/basis solvers/steps solvers/stopping"
  may["solvers/methods/minres"] = "base core solvers/state solvers/kernels solvers/steps solvers/stopping"
  may["solvers/methods/bicgstab"] = "base core solvers/state solvers/kernels solvers/steps solvers/stopping"
  may["solvers/methods/deep"] = "base core solvers/state solvers/kernels solvers/steps solvers/stopping"
  may["solvers/auto"] = "base core matrix backends solvers/state solvers/kernels"
  may["solvers"] = "base core matrix precond backends solvers/state solvers/kernels solvers/steps solvers/stopping solvers/auto"
  # The simulation does as backends do.
  may["model"] = "base core engine/schedule engine backends backends/delay solvers/state"
  for (name in may) layers[top(name)]
}
function top(path) { sub(/\/.*/, "", path); return path }
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function exists(path,   line, found) { found = (getline line < path) >= 0; close(path); return found }

function src_fault(file, path,   from, to) {
  from = folder(substr(file, 5)); to = folder(path)
  if (!(from in may)) return "layers.awk does not know the folder src/" from
  if (!(to in may)) return "an internal include starts with its folder, from src on"
  if (from == to || index(" " may[from] " ", " " to " ")) return ""
  return from " must not include " to
}
function test_fault(file, path,   to) {
  to = top(path)
  if (to == "support" || exists(folder(file) "/" path)) return ""
  if (exists("tools/ovk/" path) || exists("adapters/mpi/" path)) return ""
  if (!(to in layers)) return "a test includes support/ and one layer of src"
  if (to == "base" || to == "core") return ""
  if (file in layer && layer[file] != to) return "a test includes one layer of src, here " layer[file]
  layer[file] = to
  return ""
}
# Headers of programs are named from the program's own folder on; the two libraries of adapters/mpi share
# requests/. Programs of bench/ may share what `ovk bench` measures with.
function program(file) {
  return file ~ /^tools\/ovk\// ? "tools/ovk" : file ~ /^adapters\/mpi\// ? "adapters/mpi" : folder(file)
}
function fault(file, path) {
  if (path ~ /\.\./) return "an include must not climb out of its folder"
  if (file ~ /^src\//) return src_fault(file, path)
  if (file ~ /^tests\//) return test_fault(file, path)
  if (file ~ /^include\//) return "a public header includes public headers only"
  if (exists(folder(file) "/" path) || exists(program(file) "/" path)) return ""
  if (file ~ /^bench\// && exists("tools/ovk/" path)) return ""
  return "only public headers and those of the own program"
}
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
  path = $0
  sub(/^[^"<]*/, "", path)
  quoted = path ~ /^"/
  path = substr(path, 2)
  sub(/[">].*$/, "", path)
  if (!quoted && !(top(path) in layers)) next # public headers, MPI and libc are for all
  what = fault(FILENAME, path)
  if (what) print FILENAME ":" FNR ": \"" path "\": " what
}
