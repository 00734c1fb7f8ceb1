# SPDX-License-Identifier: BSD-2-Clause
# Reads the symbols of objects, as `nm -A -P` lists them, and prints a line for each call that layers_table.awk
# does not allow, and for files of a folder that call each other in a circle. A table that a list names (a method,
# a format, a backend) is data: naming it is not a call. Plug-ins call the public functions of their front end.
{
  file = $1
  sub(/^.*ovk_(objects|model)\.dir\//, file ~ /ovk_model/ ? "papers/" : "", file)
  sub(/\.o:$/, "", file)
  if ($3 == "U") uses[file, $2]
  else if ($3 ~ /^[TiW]$/) home[$2] = file
}
END {
  for (key in uses) {
    split(key, part, SUBSEP)
    from = part[1]; symbol = part[2]
    if (!(symbol in home) || home[symbol] == from) continue
    to = home[symbol]
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
