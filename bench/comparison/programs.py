# SPDX-License-Identifier: BSD-2-Clause
"""The programs and problems, and the memory traffic of an iteration of ovkrylov."""

DRIVERS = {"ovk": "ovk_pcg", "petsc": "petsc_ksp", "hypre": "hypre_pcg",
           "belos": "belos_cg"}
SOLVERS = ["ovk/cg/csr", "ovk/cg", "hypre", "petsc/cg", "petsc/groppcg",
           "petsc/pipecg"]
PRODUCTS = ["ovk//csr", "ovk", "hypre", "petsc"]
PRECONDS = [f"ovk/cg@{name}"
            for name in ("ic", "ic:store=float", "ilu", "ssor", "chebyshev", "jacobi")]
PRECONDS += [f"petsc/cg@{name}" for name in ("icc", "ilu", "sor", "chebyshev", "jacobi")]
PRECONDS += [f"hypre@{name}" for name in ("ilu", "euclid", "ssor", "chebyshev", "jacobi")]
MODELS = ["laplace27", "laplace7", "varsym27", "irregular27", "aniso7", "jumps7", "cubes7", "graph27",
          "elasticity", "convdiff7"]

# Doubles a row that an iteration reads or writes beside the matrix, a store counted twice for the
# line that it fetches first, Jacobi's diagonal included; see "Fusing sweeps" in docs/lessons.md.
# The product takes 3 of them. Second number: how many of them read the diagonal. A method that is not
# listed has no model.
VECTOR_DOUBLES = {"cg": (13, 2), "two-reductions": (13, 2), "split-cg": (13, 2), "overlap": (16, 2),
                  "single-reduction": (15, 1), "groppcg": (19, 1), "pipecg": (19, 1),
                   "pipeprcg": (21, 1),
                   "pipelcg": (22, 1), "pipelcg:l=1": (18, 1), "pipelcg:l=2": (22, 1), "pipelcg:l=3": (25, 1)}
CONSTANT_DIAGONAL = ["laplace27"]  # where Jacobi's diagonal is not read
PRODUCT_DOUBLES = 3
PAIRS = ["pipeprcg"]  # two products an iteration, which csr makes in one pass
LONGEST_DELAY_US = 1e7  # the limit of the decorator and of libovk_delay


class Program:
    """NAME[/METHOD[/FORMAT[/BACKEND]]][@PRECOND], parts may be empty: petsc/cg, ovk//csr, ovk@ic.
    Without a preconditioner all have Jacobi's.

    With delay_us all sums have that latency: ours by the wrapper `emulate-latency`, those of the others by
    the library that does the same to any MPI program.
    """

    def __init__(self, spec, delay_us=None, launcher=None):
        self.spec = spec
        program, _, precond = spec.partition("@")
        name, *parts = program.split("/", 3)
        if name not in DRIVERS:
            raise ValueError(f"'{spec}': there are {', '.join(DRIVERS)}")
        if delay_us is not None and not 0 <= delay_us <= LONGEST_DELAY_US:
            raise ValueError(f"latencies are 0 to {LONGEST_DELAY_US:g} us, not {delay_us:g}")
        self.driver = DRIVERS[name]
        self.is_ours = name == "ovk"
        self.variables = {}
        method, layout, backend = (parts + [""] * 3)[:3]
        if delay_us is not None and self.is_ours:
            backend = f"emulate-latency:us={delay_us:g}|{backend or 'auto'}"
        elif delay_us is not None:
            self.variables = launcher.preload_delay(delay_us)
        self.options = []
        for option, value in (("--method", method), ("--format", layout), ("--backend", backend),
                              ("--precond", precond)):
            if value:
                self.options += [option, value]


def choose(specs, launcher, delay_us=None, leave_out=False):
    """The programs of these specs; those that are not built are a fault, or left out."""
    chosen = [Program(spec, delay_us, launcher) for spec in specs]
    missing = sorted({p.driver for p in chosen if not launcher.has(p.driver)})
    if missing and not leave_out:
        raise ValueError(f"not built: {', '.join(missing)}")
    return [p for p in chosen if p.driver not in missing]


def problem_arguments(problem, size):
    """The words that choose a problem: a model's name, or a matrix file."""
    if problem in MODELS:
        return [f"--{problem}", *[str(size)] * 3]
    return ["--matrix", problem]


def modeled_traffic(result):
    """Bytes of the matrix, and of vectors, that one iteration or product of ours moves on all
    ranks; None for others."""
    if "columns" in result or "matrix_bytes" not in result or result.get("precond", "jacobi") != "jacobi":
        return None
    if "products" in result:
        doubles = PRODUCT_DOUBLES
    elif result["method"] in VECTOR_DOUBLES:
        doubles, diagonal = VECTOR_DOUBLES[result["method"]]
        if result["problem"].split()[0] in CONSTANT_DIAGONAL:
            doubles -= diagonal
    else:
        return None
    passes = 2 if result.get("method") in PAIRS and result["format"] != "csr" else 1
    return passes * result["matrix_bytes"], 8 * doubles * result["rows"]


def modeled_milliseconds(traffic, stream):
    """A matrix is only read, as an inner product's vectors are; sweeps are like the triad."""
    matrix, vectors = traffic
    return 1e-6 * (matrix / stream["dot_gb_s"] + vectors / stream["triad_gb_s"])
