import { type Operation, operations } from "./operations.ts";
import type { Memory } from "./requests.ts";
import type { Turn, Turns } from "./rounds.ts";
import { costOf, type Goal, missingRow, rateOf, ratios, type Row, rowOf } from "./row.ts";
import type { Version } from "./servers/version.ts";

/** The commit of version 0.1, with which later versions are compared. */
const firstVersion = "006edbe";

/** Operations compared with those of the bare server. */
const toBare: [Operation, Goal | null][] = [
  ["list", { atLeast: 0.82 }],
  ["post", { atLeast: 0.78 }],
  ["get", null],
  ["download", null],
];

/** Operations of one server compared with each other. */
const toItself: [name: string, of: Operation, to: Operation, goal: Goal][] = [
  ["GET photos while comments are written, to GET from memory", "getBesideComments", "get", { atMost: 1.3 }],
  ["GET photos while a photo is changed, to GET from memory", "getBesidePhotos", "get", { atMost: 2 }],
];

type Comparison = { title?: string; unit: string; of: "Vitrine" | "0.1"; measure: (turn: Turn) => number };
const processor: Comparison = { unit: "processor time, 0.1 / Vitrine", of: "0.1", measure: costOf };
const rate: Comparison = { unit: "rate, Vitrine / 0.1", of: "Vitrine", measure: rateOf };
const p99: Comparison = {
  title: "p99, ",
  unit: "latency, Vitrine / 0.1",
  of: "Vitrine",
  measure: ({ latency }) => latency.p99,
};

/** Operations compared with those of version 0.1. */
const toFirst: [Operation, Comparison, Goal][] = [
  ["missedList", processor, { atLeast: 1 }],
  ["missedPhoto", processor, { atLeast: 1 }],
  ["missedPost", processor, { atLeast: 1 }],
  ...(["create16", "create64", "update16", "update64"] as const).flatMap((operation): typeof toFirst => [
    [operation, rate, { atLeast: 1 }],
    [operation, p99, { atMost: 1 }],
  ]),
  ["comment", rate, { atLeast: 1.5 }],
  ["photo", rate, { atLeast: 1.2 }],
  ["attach", rate, { atLeast: 1.8 }],
  ["small", rate, { atLeast: 1.2 }],
  ["large", rate, { atLeast: 1.2 }],
];

/** Only with PocketBase's operations. */
const toPocketBase: Operation[] = [
  "list",
  "post",
  "get",
  "missedList",
  "missedPhoto",
  "download",
  "create16",
  "create64",
  "small",
];

/** What was measured, compared with the goals. */
export function rowsOf(turns: Turns<Operation>, memory: Memory[], versions: Pick<Version, "ref" | "commit">[]): Row[] {
  const of = (operation: Operation, server: string) => turns[operation][server] ?? [];
  const first = versions.find(({ commit }) => commit.startsWith(firstVersion))?.ref;
  return [
    ...toBare.map(([operation, goal]) => {
      const described = { name: operations[operation], unit: "processor time, bare / Vitrine", goal };
      return rowOf(described, ratios(of(operation, "bare"), of(operation, "Vitrine"), costOf));
    }),
    ...toItself.map(([name, one, other, goal]) =>
      rowOf({ name, unit: "processor time", goal }, ratios(of(one, "Vitrine"), of(other, "Vitrine"), costOf)),
    ),
    ...toFirst.map(([operation, comparison, goal]) => {
      const described = {
        name: `${operations[operation]}, ${comparison.title ?? ""}to 0.1`,
        unit: comparison.unit,
        goal,
      };
      if (!first) return missingRow(described, `needs --against ${firstVersion}`);
      const [own, others] = [of(operation, "Vitrine"), of(operation, first)];
      const isOwn = comparison.of === "Vitrine";
      return rowOf(described, ratios(isOwn ? own : others, isOwn ? others : own, comparison.measure));
    }),
    ...toPocketBase
      .filter((operation) => of(operation, "PocketBase").length > 0)
      .map((operation) => {
        const described = { name: `${operations[operation]}, to PocketBase`, unit: "rate, Vitrine / PocketBase" };
        return rowOf(described, ratios(of(operation, "Vitrine"), of(operation, "PocketBase"), rateOf));
      }),
    rowOf(
      { name: "memory after the requests above", unit: "MiB", goal: { atMost: 110 } },
      memory.filter(({ server }) => server === "Vitrine").map(({ after }) => after),
    ),
  ];
}
