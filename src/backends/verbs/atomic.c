#include "backends/verbs/verbs.h"
const ovk__mode ovk__mode_atomic = {.name = "atomic"};
