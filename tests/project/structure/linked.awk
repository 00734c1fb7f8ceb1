# SPDX-License-Identifier: BSD-2-Clause
# Reads the symbols of objects, as `nm -A -P` lists them in the build folder, and prints a line for each call that
# layers_table.awk does not allow, and for files of a folder that call each other in a circle. A table that a list
# names (a method, a format, a backend) is data: naming it is not a call. Plug-ins call the public functions of their
# front end. Each binding is a unit: it defines functions of other libraries, which only its own files find.
function unit_of(object,   unit) {
  if (object !~ /^bindings\//) return "ovkrylov"
  match(object, /CMakeFiles\/[a-z_]*\.dir/)
  unit = substr(object, RSTART, RLENGTH)
  sub(/_(objects|take)\.dir$/, ".dir", unit)
  return unit
}
{
  file = $1
  unit = unit_of(file)
  sub(/CMakeFiles\/[a-z_]*\.dir\//, "", file)
  sub(/^src\//, "", file)
  sub(/[^\/]*\/__\//, "", file) # a source of the folder above
  sub(/\.o:$/, "", file)
  if ($3 == "U") uses[unit, file, $2]
  else if ($3 ~ /^[TiW]$/) home[unit, $2] = file
}
END {
  for (key in uses) {
    split(key, part, SUBSEP)
    unit = part[1]; from = part[2]; symbol = part[3]
    if (!((unit, symbol) in home) || home[unit, symbol] == from) continue
    to = home[unit, symbol]
    if (folder(from) == folder(to)) calls[from, to] = symbol
    else if (!(folder(from) in may)) print from ": layers_table.awk does not know its folder"
    else if (!allowed(folder(from), folder(to)) && !(folder(to) == "backends" && top(from) == "backends" && symbol !~ /^ovk__/)) print from ": " symbol "() of " to ": " folder(from) " must not use " folder(to)
  }
  # Files that call no other one of their folder are taken away, and those that none calls, until only circles
  # and what lies between them are left.
  do {
    gone = 0
    split("", callers); split("", callees)
    for (key in calls) { split(key, part, SUBSEP); callees[part[1]]; callers[part[2]] }
    for (key in calls) {
      split(key, part, SUBSEP)
      if ((part[1] in callers) && (part[2] in callees)) continue
      delete calls[key]
      gone = 1
    }
  } while (gone)
  for (key in calls) {
    split(key, part, SUBSEP)
    print part[1] ": " calls[key] "() of " part[2] ": files of " folder(part[1]) " call each other in a circle"
  }
}
