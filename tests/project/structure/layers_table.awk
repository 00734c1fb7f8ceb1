# SPDX-License-Identifier: BSD-2-Clause
# Who may use whom, for layers.awk, which reads includes, and linked.awk, which reads symbols.
#
# Each folder of src has a line: the folders that it may use, besides itself. What stands lower in the list uses
# only what stands above it, so no two folders use each other. All folders below `core` use that. src/conformance
# has no line: it uses public headers only. Folders of bindings use public headers, each other, and what they name here.
BEGIN {
  may["core/base"] = ""
  may["core/exact"] = "core/base"
  may["core/math"] = "core/base"
  may["core/context"] = "core/base"
  may["core"] = "core/base core/exact core/math core/context"
  may["core/node"] = "core/base core/context core"
  may["comm/net"] = ""
  may["comm/net/emulated"] = "comm/net"
  may["comm/net/ibverbs"] = "comm/net"
  may["comm/engine/schedule"] = ""
  may["comm/engine/schedule/algorithms"] = "comm/engine/schedule"
  may["comm/engine/channels"] = "comm/net comm/engine/schedule"
  may["comm/engine/topology"] = "comm/engine/schedule"
  may["comm/engine"] = "comm/net comm/engine/schedule comm/engine/schedule/algorithms comm/engine/channels comm/engine/topology"
  may["comm/agent/stream"] = ""
  may["comm/agent/wire"] = "comm/engine/channels comm/engine/schedule comm/net comm/engine comm/agent/stream"
  may["comm/agent"] = "comm/net comm/engine comm/engine/schedule comm/engine/channels comm/agent/stream comm/agent/wire"
  may["comm/engine/collectives"] = "comm/net comm/engine/schedule comm/engine/schedule/algorithms comm/engine/topology comm/engine comm/agent"
  may["comm/engine/board"] = "comm/engine/schedule comm/engine/channels comm/engine/topology comm/engine"
  may["matrix/layout"] = ""
  may["matrix/vector"] = "matrix/layout"
  may["matrix/formats"] = ""
  may["matrix/formats/dia"] = "matrix/formats"
  may["matrix/formats/pattern"] = "matrix/formats"
  may["matrix/formats/sell"] = "matrix/formats"
  may["matrix/formats/sym"] = "matrix/formats matrix/formats/sell"
  may["matrix/formats/symdia"] = "matrix/formats matrix/formats/dia matrix/formats/sym"
  may["matrix/formats/sym3"] = "matrix/formats matrix/formats/sell matrix/formats/sym"
  may["matrix/assembly"] = "matrix/layout matrix/formats"
  may["matrix/order"] = ""
  may["matrix/halo"] = "comm/engine/collectives matrix/layout"
  may["matrix"] = "matrix/layout matrix/order matrix/vector matrix/formats matrix/formats/sym matrix/assembly matrix/halo"
  may["matrix/symmetry"] = "matrix/assembly matrix/halo matrix/vector matrix"
  may["matrix/near_nullspace"] = "matrix/layout matrix/vector matrix"
  may["matrix/reorder"] = "matrix/layout matrix/order matrix/vector matrix/formats matrix/halo matrix matrix/near_nullspace"
  may["matrix/float"] = "matrix/layout matrix/vector matrix/formats matrix/halo matrix"
  may["matrix/gallery"] = "matrix/layout matrix/vector matrix"
  may["matrix/io"] = "matrix/layout matrix/vector matrix/assembly matrix"
  may["precond"] = "matrix/formats matrix/layout matrix/vector matrix matrix/symmetry"
  may["precond/incomplete/triangle"] = "matrix/formats matrix precond"
  may["precond/incomplete"] = "matrix/formats matrix/order matrix precond precond/incomplete/triangle"
  may["precond/bjacobi"] = "matrix/formats matrix/vector matrix precond precond/incomplete precond/incomplete/triangle"
  may["precond/amg/aggregation"] = "matrix/assembly matrix/formats matrix/layout matrix/halo matrix/vector matrix"
  may["precond/amg/operators"] = "matrix/assembly matrix/formats matrix/layout matrix/halo matrix/vector matrix precond/amg/aggregation"
  may["precond/amg/prolongator"] = "matrix/assembly matrix/formats matrix/layout matrix/halo matrix/vector matrix precond/amg/aggregation precond/amg/operators"
  may["precond/amg/transfer"] = "matrix/assembly matrix/formats matrix/formats/sell matrix/layout matrix/halo precond/amg/operators"
  may["precond/amg"] = "precond/amg/transfer matrix/assembly matrix/float matrix/formats matrix/layout matrix/halo matrix/vector matrix matrix/near_nullspace matrix/symmetry precond precond/amg/aggregation precond/amg/operators precond/amg/prolongator"
  may["precond/auto"] = "matrix/formats matrix/layout matrix/near_nullspace matrix/vector matrix precond"
  may["backends"] = "comm/engine/schedule comm/engine/schedule/algorithms comm/engine comm/engine/topology"
  # Backends are plug-ins: none uses another, and of the front end only its public functions.
  may["backends/blocking"] = ""
  may["backends/iallreduce"] = ""
  may["backends/emulate_latency"] = "comm/engine/topology comm/engine"
  may["backends/shm"] = "comm/engine/channels comm/engine comm/engine/topology"
  may["backends/nbc"] = "comm/engine/schedule comm/engine/topology comm/engine"
  may["backends/verbs/recovery"] = "comm/net comm/engine"
  may["backends/verbs"] = "comm/net comm/engine/schedule comm/engine/channels comm/engine comm/engine/topology comm/agent backends/verbs/recovery"
  may["backends/verbs/atomic"] = "comm/net comm/engine/schedule comm/engine/schedule/algorithms comm/engine comm/engine/topology backends/verbs"
  may["solvers/kernels"] = "precond"
  may["solvers/kernels/updates"] = "precond solvers/kernels"
  may["solvers/kernels/exact"] = "precond solvers/kernels solvers/kernels/updates"
  may["solvers/kernels/many"] = "precond solvers/kernels solvers/kernels/updates"
  may["solvers/state"] = "matrix/halo matrix/vector matrix matrix/symmetry precond solvers/kernels"
  may["solvers/kernels/basis"] = "solvers/kernels solvers/kernels/updates"
  may["solvers/ops"] = "matrix/vector matrix precond backends solvers/state solvers/kernels solvers/kernels/updates solvers/kernels/exact"
  may["solvers/nullspace"] = "matrix/vector matrix matrix/symmetry backends solvers/state solvers/ops"
  may["solvers/convergence"] = "matrix/vector matrix matrix/symmetry precond solvers/state solvers/kernels solvers/kernels/updates solvers/ops"
  may["solvers/many"] = "matrix/layout matrix/vector matrix precond solvers/state solvers/kernels solvers/kernels/updates solvers/kernels/many solvers/ops solvers/convergence"
  may["solvers/guesses"] = "matrix/vector matrix solvers/state solvers/kernels/basis solvers/ops"
  methods = "matrix/vector matrix precond solvers/state solvers/kernels solvers/kernels/updates solvers/kernels/many solvers/ops solvers/convergence solvers/many"
  may["solvers/methods/cg"] = methods
  may["solvers/methods/chebyshev"] = methods
  may["solvers/methods/flexible"] = methods " solvers/kernels/basis"
  may["solvers/methods/gmres"] = methods " solvers/kernels/basis"
  may["solvers/methods/minres"] = methods " solvers/kernels/exact"
  may["solvers/methods/bcgs"] = methods
  may["solvers/methods/pipelcg"] = methods
  may["solvers/auto"] = "matrix/vector matrix matrix/symmetry precond backends solvers/state solvers/kernels solvers/kernels/updates"
  may["solvers"] = "matrix/halo matrix/layout matrix/vector matrix matrix/symmetry precond backends solvers/state solvers/kernels solvers/kernels/updates solvers/ops solvers/nullspace solvers/convergence solvers/many solvers/guesses solvers/auto"
  # The simulation does as backends do. Its public header, model/model.h, is for all of its folders.
  may["papers/model/network"] = ""
  may["papers/model/plan"] = "papers/model/network comm/engine/schedule comm/engine/schedule/algorithms comm/engine comm/engine/topology backends backends/emulate_latency"
  may["papers/model"] = "papers/model/network papers/model/plan comm/engine/schedule comm/engine/schedule/algorithms comm/engine comm/engine/topology backends backends/emulate_latency precond/amg solvers/state solvers"
  may["bindings/mpi"] = ""
  may["bindings/mpi/carry/process"] = "bindings/mpi core/base" # a clock
  may["bindings/mpi/carry/types"] = "bindings/mpi/carry/process"
  may["bindings/mpi/carry/exact"] = "core/exact" # arithmetic alone
  may["bindings/mpi/carry/nodes"] = "bindings/mpi/carry/process comm/engine/schedule comm/engine/schedule/algorithms comm/engine core/base" # schedules alone
  may["bindings/mpi/carry/boards"] = "core/base comm/engine/board bindings/mpi/carry/process bindings/mpi/carry/exact bindings/mpi/carry/nodes bindings/mpi/carry/types"
  may["bindings/mpi/carry"] = "bindings/mpi/carry/exact bindings/mpi/carry/process bindings/mpi/carry/types bindings/mpi/carry/nodes bindings/mpi/carry/boards"
  may["bindings/mpi/carry/parts"] = "bindings/mpi/carry bindings/mpi/carry/boards bindings/mpi/carry/process bindings/mpi/carry/types"
  may["bindings/mpi/carry/fortran"] = "bindings/mpi/carry"
  may["bindings/mpi/delay"] = "bindings/mpi"
  may["bindings/petsc/state"] = ""
  may["bindings/petsc/system"] = "bindings/petsc/state"
  may["bindings/petsc/pc"] = "bindings/petsc/state"
  may["bindings/petsc/ksp"] = "bindings/petsc/state bindings/petsc/system bindings/petsc/pc"
  may["bindings/petsc/take"] = "bindings/petsc/state bindings/petsc/ksp"
  may["bindings/petsc"] = "bindings/petsc/state bindings/petsc/ksp bindings/petsc/take"
  may["bindings/hypre"] = ""
  may["bindings/hypre/parcsr"] = "bindings/hypre"
  may["bindings/hypre/take"] = "bindings/hypre bindings/hypre/parcsr"
  for (name in may) layers[top(name)]
}
function top(path) { sub(/\/.*/, "", path); return path }
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function allowed(from, to) {
  if (from == to || index(" " may[from] " ", " " to " ")) return 1
  return top(to) == "core" && top(from) != "core"
}
