# SPDX-License-Identifier: BSD-2-Clause
# What is missing in the comments of the public functions of the headers given: "file:line: function: fault".

function report(fault) { printf "%s:%d: %s: %s\n", FILENAME, line, name, fault }

# How often the comment says whether the function is collective, in a sentence that says no more.
function collective_sentences(   text) {
  text = comment
  gsub(/[.:)] /, "&\n", text)
  return gsub(/(^|\n)(Collective( over `?comm`?)?|Not collective)\. /, "", text)
}

function judge(   returns) {
  if (comment == "") { report("no comment /** */ directly before it"); return }
  if (collective_sentences() != 1) {
    report("needs one of the sentences \"Collective.\", \"Collective over comm.\", \"Not collective.\"")
  }
  returns = index(comment, "@return ") ? substr(comment, index(comment, "@return ")) : ""
  if (is_void && returns != "") report("is void, but has a @return")
  if (!is_void && returns == "") report("has no @return")
  if (fails && returns != "" && returns !~ /OVK_(ERR_|OK)|as ovk_[a-z0-9_]+\(\)/) {
    report("its @return names no error")
  }
  if (makes && comment !~ /freed with ovk_[a-z0-9_]+\(\)/) report("does not say who frees its result")
}

FNR == 1 { comment = ""; inside = declaring = 0 }

# Comments: their words, one blank apart.
/^ *\/\*\*/ && !declaring { comment = ""; inside = 1 }
inside {
  text = $0
  inside = text !~ /\*\//
  gsub(/\/\*\*<?|\*\//, "", text)
  sub(/^ *\* ?/, "", text)
  comment = comment " " text " "
  gsub(/ +/, " ", comment)
  sub(/^ /, "", comment)
  next
}

/^(OVK_API |static inline |void ovk_)/ { declaring = 1; declaration = ""; line = FNR }
declaring {
  declaration = declaration " " $0
  if ($0 !~ /[;{]/) next
  declaring = 0
  functions++
  name = declaration
  sub(/\(.*/, "", name)
  sub(/.*[ *]/, "", name)
  is_void = declaration ~ /^ ((OVK_API|static inline) )?void [a-z]/
  fails = declaration ~ /^ (OVK_API|static inline) ovk_err /
  makes = fails && declaration ~ /ovk_[a-z_]+ \*\*out[,)]/
  judge()
  comment = ""
  next
}
{ comment = "" } # what stands between belongs to something else

END { if (!functions) print FILENAME ":1: no function found" }
