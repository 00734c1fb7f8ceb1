#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What a graph of dependencies would save over the rounds of a schedule: docs/papers/model.md, "Rounds or a graph".
Reads the schedules of all ranks from model_smpi_dump. With rounds an action begins when the round before it has
ended, and additions when all messages of their round are there. In the graph it begins when the data that it reads or
overwrites are there. Additions keep their order, so that all ranks have the same bits. Messages cost what they do in
LogGOPS. Arguments: model_smpi_dump, ranks. Prints microseconds, with ranks that begin together and up to 5 and 50 us
(on average) late, and the time of the graph over that of the rounds. Fails if a graph makes the fastest of all
algorithms faster by 5 %."""
import collections
import heapq
import random
import re
import subprocess
import sys

SPECS = ["nbc:alg=doubling", "nbc:alg=kary,k=3", "nbc:alg=kary,k=4", "nbc:alg=tree", "nbc:alg=tree,k=4", "nbc:alg=nary",
         "nbc:alg=halving", "nbc:levels=8", "nbc:levels=2x4", "nbc:levels=8,alg=tree+kary,k=4"]
COUNTS = [1, 1024, 8192]  # the last one: a piece of 64 KiB
Link = collections.namedtuple("Link", "L o O g G")  # us and us a byte
NETWORKS = {  # within a node, between nodes; as in `ovk bench model --help` and cluster.md
    "connectx2": (Link(0.4, 0.2, 2e-4, 0.1, 3e-4), Link(1.3, 0.4, 1e-4, 0.5, 2.5e-3)),
    "TCP": (Link(0.3, 0.1, 1e-4, 0.05, 1e-4), Link(120, 10, 3e-5, 6, 1e-3)),
}
ADD, NODE = 0.002, 8  # us a number; ranks
MOVE = re.compile(r"(send|receive) (\w+)\[(\d+)\.\.(\d+)\) (?:to|from) (\d+) ")
LOCAL = re.compile(r"(combine|copy) (\w+)\[(\d+)\.\.(\d+)\) (?:into|to) (\w+)\[(\d+)\.\.(\d+)\)")


class Action:
    """Of a rank: what it reads and writes, and what it waits for."""

    def __init__(self, line, number):
        move, local = MOVE.match(line), LOCAL.match(line)
        self.round, self.after, self.missing, self.arrival = number, [], 0, None
        if move:
            self.kind, self.peer = move[1], int(move[5])
            place = (move[2], int(move[3]), int(move[4]))
            self.reads, self.writes = ([place], []) if self.kind == "send" else ([], [place])
        else:
            self.kind = local[1]
            place, into = (local[2], int(local[3]), int(local[4])), (local[5], int(local[6]), int(local[7]))
            self.reads, self.writes = ([place, into] if self.kind == "combine" else [place]), [into]
        self.count = place[2] - place[1]


def overlap(some, others):
    return any(a[0] == b[0] and a[1] < b[2] and b[1] < a[2] for a in some for b in others)


def depends(late, early, graph):
    """Whether an action must follow an earlier one of its rank."""
    if graph:
        return overlap(late.reads, early.writes) or overlap(late.writes, early.reads + early.writes)
    moves = ("send", "receive")
    return early.round < late.round or (late.kind not in moves and (early.kind in moves or early is not late))


def schedules(dump, spec, ranks, count):
    """The actions of all ranks."""
    text = subprocess.run([dump, spec, str(ranks), str(count)], check=True, capture_output=True, text=True).stdout
    actions = [[] for _ in range(ranks)]
    for line in text.splitlines():
        rank, number, what = line.split(maxsplit=2)
        actions[int(rank)].append(Action(what, int(number)))
    return actions


def prepare(all_actions, graph):
    """Sets what follows each action; finds the receives of the messages, which do not overtake each other."""
    receives = collections.defaultdict(collections.deque)
    for rank, actions in enumerate(all_actions):
        for k, late in enumerate(actions):
            late.after, late.arrival = [], None
            early = [e for e in actions[:k] if depends(late, e, graph)]
            late.missing = len(early)
            for e in early:
                e.after.append(late)
            if late.kind == "receive":
                receives[late.peer, rank].append(late)
    return receives


def simulate(all_actions, graph, network, starts):
    """Microseconds until the last rank has ended."""
    receives, events, number = prepare(all_actions, graph), [], 0
    owner = {id(a): rank for rank, actions in enumerate(all_actions) for a in actions}
    processor, adapter = list(starts), list(starts)

    def ready(action, time):
        nonlocal number
        if action.missing == 0 and (action.kind != "receive" or action.arrival is not None):
            number += 1
            heapq.heappush(events, (max(time, action.arrival or 0), number, action))

    for actions in all_actions:
        for action in actions:
            ready(action, starts[owner[id(action)]])
    while events:
        time, _, action = heapq.heappop(events)
        rank = owner[id(action)]
        if processor[rank] > time:
            number += 1
            heapq.heappush(events, (processor[rank], number, action))
            continue
        size = 8 * action.count
        if action.kind in ("send", "receive"):
            link = network[rank // NODE != action.peer // NODE]
            processor[rank] = time + link.o + size * link.O
        else:
            processor[rank] = time + action.count * ADD * (action.kind == "combine")
        if action.kind == "send":
            leaves = max(processor[rank], adapter[rank])
            adapter[rank] = leaves + link.g + size * link.G
            message = receives[rank, action.peer].popleft()
            message.arrival = leaves + link.L + size * link.G
            ready(message, message.arrival)
        for late in action.after:
            late.missing -= 1
            ready(late, processor[rank])
    return max(processor)


def main(dump, ranks):
    draw = random.Random(1)
    late = [[0.0] * ranks] + [[draw.expovariate(1 / mean) for _ in range(ranks)] for mean in (5, 50)]
    best = collections.defaultdict(lambda: [float("inf")] * 2)  # rounds, graph
    for spec in SPECS:
        for count in COUNTS:
            actions = schedules(dump, spec, ranks, count)
            for name, network in NETWORKS.items():
                times = [[simulate(actions, graph, network, starts) for starts in late] for graph in (False, True)]
                ratios = [graph / rounds for rounds, graph in zip(*times)]
                best[count, name] = [min(b, t[0]) for b, t in zip(best[count, name], times)]
                print(f"{spec:32} {count:6} {name:10}", *(f"{r:9.1f} {x:6.3f}" for r, x in zip(times[0], ratios)))
    for (count, name), (rounds, graph) in best.items():
        print(f"fastest with {count} doubles, {name}: {rounds:.1f}, graph {graph / rounds:.3f}")
    return any(graph < 0.95 * rounds for rounds, graph in best.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
