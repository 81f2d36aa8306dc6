# SPDX-License-Identifier: MIT
# The blocks of C in a page of the documentation, as files that compile. Those under one heading are one file: a whole
# program, OUT/program-K.c, or the body of a function, OUT/part-K.c, whose data are in given.h.
#     awk -v out=OUT -f examples.awk PAGE
function finish() {
  if (body ~ /int main\(/)
    printf "%s%s", top, body > (out "/program-" ++count ".c")
  else if (body != "")
    printf "%s#include \"given.h\"\nvoid part(void)\n{\n%s}\n", top, body > (out "/part-" ++count ".c")
  top = body = ""
}
/^ *```/ {
  inside = !inside
  is_c = inside && /```c$/
  next
}
!inside && /^##* / { finish() }
is_c && /^#/ { top = top $0 "\n"; next }
is_c { body = body $0 "\n" }
END { finish() }
