# SPDX-License-Identifier: BSD-2-Clause
"""The papers whose experiments these are."""
from typing import NamedTuple


class Paper(NamedTuple):
    short: str
    authors: str
    title: str
    where: str


PAPERS = {
    "offload": Paper(
        "Kandalla et al. (2012)",
        "K. Kandalla, U. Yang, J. Keasler, T. Kolev, A. Moody, H. Subramoni, K. Tomko, J. Vienne, "
        "B. R. de Supinski, D. K. Panda",
        "Designing non-blocking allreduce with collective offload on InfiniBand clusters: a case "
        "study with conjugate gradient solvers",
        "IPDPS, 2012; MVAPICH2 with ConnectX-2 adapters, 64 to 512 processes"),
    "cg": Paper(
        "Hoefler et al. (2007)", "T. Hoefler, P. Gottschling, A. Lumsdaine, W. Rehm",
        "Optimizing a conjugate gradient solver with non-blocking collective operations",
        "Parallel Computing, 2007; InfiniBand and Gigabit Ethernet, up to 96 nodes"),
    "hierarchy": Paper(
        "Gorentla Venkata et al. (2013)",
        "M. Gorentla Venkata, P. Shamis, R. Sampath, R. L. Graham, J. S. Ladd",
        "Optimizing blocking and nonblocking reduction operations for multicore systems: "
        "hierarchical design and implementation",
        "CLUSTER, 2013; InfiniBand and Cray XT5, up to 6144 processes"),
    "libnbc": Paper(
        "Hoefler, Lumsdaine, Rehm (2007)", "T. Hoefler, A. Lumsdaine, W. Rehm",
        "Implementation and performance analysis of non-blocking collective operations for MPI",
        "SC'07, Reno, 2007; InfiniBand and Gigabit Ethernet, 64 nodes"),
    "fft": Paper(
        "Kandalla et al. (2011)",
        "K. Kandalla, H. Subramoni, K. Tomko, D. Pekurovsky, N. Dandapanthula, S. Sur, D. K. Panda",
        "Improving parallel 3D FFT performance using hardware offloaded collective communication "
        "on modern InfiniBand clusters",
        "2011; ConnectX-2 adapters, 32 and 64 processes"),
}
