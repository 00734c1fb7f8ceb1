# SPDX-License-Identifier: BSD-2-Clause
# Who may include whom: prints "file:line: fault" for every offending include. See layers.sh.
BEGIN { # what each layer may include
  may["core"] = " core "
  may["engine"] = " core engine "
  may["matrix"] = " core engine matrix "
  may["precond"] = " core matrix precond "
  may["backends"] = " core engine backends "
  may["solvers"] = " core matrix precond backends solvers "
  may["model"] = " core engine backends solvers model "
}
function top(path) { sub(/\/.*/, "", path); return path }
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function exists(path,   line, found) { found = (getline line < path) >= 0; close(path); return found }

# A plug-in is a folder in backends, with those in it; what stands beside the folders is the front end.
function plug_in(path) { sub(/^backends\//, "", path); return top(path) }
function backend_fault(from, to) {
  if (top(from) == "model") return "" # it does as backends do
  if (to == "backends") return from ~ /^backends\// ? "a backend must not include the front end" : ""
  return plug_in(from) == plug_in(to) ? "" : from " must not include the backend " to
}
# Schedules are plain data: they know nothing of those who carry them out.
function engine_fault(from, to) {
  if (from != "engine/schedule" || to == from) return ""
  return from " must not include " to
}
function src_fault(file, path,   from, to) {
  from = top(substr(file, 5)); to = top(path)
  if (!(from in may)) return "src/" from " is no layer"
  if (!(to in may)) return "an internal include starts with its layer"
  if (!index(may[from], " " to " ")) return from " must not include " to
  if (to == "engine") return engine_fault(folder(substr(file, 5)), folder(path))
  return to == "backends" ? backend_fault(folder(substr(file, 5)), folder(path)) : ""
}
function test_fault(file, path,   to) {
  to = top(path)
  if (to == "support" || exists(folder(file) "/" path)) return ""
  if (!(to in may)) return "a test includes support/ and one layer of src"
  if (file in layer && layer[file] != to) return "a test includes one layer of src, here " layer[file]
  layer[file] = to
  return ""
}
function fault(file, path) {
  if (path ~ /\.\./) return "an include must not climb out of its folder"
  if (file ~ /^src\//) return src_fault(file, path)
  if (file ~ /^tests\//) return test_fault(file, path)
  if (file ~ /^include\//) return "a public header includes public headers only"
  if (exists(folder(file) "/" path) || exists(top(file) "/" path)) return ""
  return "only public headers and those of the own program"
}
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
  path = $0
  sub(/^[^"<]*/, "", path)
  quoted = path ~ /^"/
  path = substr(path, 2)
  sub(/[">].*$/, "", path)
  if (!quoted && !(top(path) in may)) next # public headers, MPI and libc are for all
  what = fault(FILENAME, path)
  if (what) print FILENAME ":" FNR ": \"" path "\": " what
}
