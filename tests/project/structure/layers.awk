# SPDX-License-Identifier: BSD-2-Clause
# Reads includes: prints "file:line: fault" for every one that layers_table.awk does not allow. See layers.sh.
function exists(path,   line, found) { found = (getline line < path) >= 0; close(path); return found }

function src_fault(file, path,   from, to) {
  from = folder(file); sub(/^src\//, "", from); to = folder(path)
  if (!(from in may)) return "layers_table.awk does not know the folder src/" from
  if (!(to in may)) return "an internal include starts with its folder, from src on"
  if (allowed(from, to)) return ""
  return from " must not include " to
}
# Includes of a binding start at its own folder or at that of the program.
function binding_fault(file, path,   own, from, to) {
  own = exists(program(file) "/" path) ? program(file) "/" path : folder(file) "/" path
  if (folder(path) ~ /^(core\/(base|exact)|comm\/engine.*)$/ && exists("src/" path)) own = "src/" path
  if (!exists(own)) return "only public headers and those of the own program"
  from = folder(file); to = folder(own)
  sub(/^src\//, "", to)
  if (!(from in may)) return "layers_table.awk does not know the folder " from
  return from == to || index(" " may[from] " ", " " to " ") ? "" : from " must not include " to
}
# Includes of the simulator start at papers. Its public header is for all of its folders.
function model_fault(file, path,   from, to) {
  from = folder(file); to = "papers/" folder(path)
  return path == "model/model.h" || allowed(from, to) ? "" : from " must not include " to
}
function test_fault(file, path,   to) {
  to = top(path)
  if (to == "support" || exists(folder(file) "/" path)) return ""
  if (exists("tools/ovk/" path) || exists("papers/" path)) return ""
  if (exists("bindings/mpi/" path) || exists("bindings/petsc/" path) || exists("bindings/hypre/" path)) return ""
  if (!(to in layers)) return "a test includes support/ and one layer of src"
  if (to == "core") return ""
  if (file in layer && layer[file] != to) return "a test includes one layer of src, here " layer[file]
  layer[file] = to
  return ""
}
# Headers of programs are named from the program's own folder on; the two libraries of bindings/mpi share a
# file. Programs of bench/, papers/ and tools/ovk-agent may share parts of `ovk`.
function program(file) {
  if (match(file, /^(tools\/ovk|bench\/peers|papers|bindings\/mpi|bindings\/petsc|bindings\/hypre)\//)) return substr(file, 1, RLENGTH - 1)
  return folder(file)
}
function fault(file, path) {
  if (path ~ /\.\./) return "an include must not climb out of its folder"
  if (file ~ /^papers\/model\// && exists("papers/" path)) return model_fault(file, path)
  if (file ~ /^(src|papers\/model)\//) return src_fault(file, path)
  if (file ~ /^tests\//) return test_fault(file, path)
  if (file ~ /^bindings\//) return binding_fault(file, path)
  if (file ~ /^include\//) return "a public header includes public headers only"
  if (exists(folder(file) "/" path) || exists(program(file) "/" path)) return ""
  if (file ~ /^(bench|papers|tools\/ovk-agent)\// && exists("tools/ovk/" path)) return ""
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
