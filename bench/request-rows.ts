import { type Operation, operations } from "./operations.ts";
import type { Memory } from "./requests.ts";
import type { Turns } from "./rounds.ts";
import { costOf, type Goal, rateOf, ratios, type Row, rowOf } from "./row.ts";
import type { Version } from "./servers/version.ts";

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
  ["GET photos while photos are added, to GET from memory", "getBesideNewPhotos", "get", { atMost: 1.1 }],
  ["GET photos while posts are added, to GET from memory", "getBesideNewPosts", "get", { atMost: 1.1 }],
];

/** Operations compared with those of another version, in processor time or by their rate. */
const toVersion: { processor: Operation[]; rate: Operation[] } = {
  processor: [
    "missedList",
    "missedPhoto",
    "missedPost",
    "getBesideComments",
    "getBesideNewPhotos",
    "getBesideNewPosts",
  ],
  rate: ["create16", "create64", "update16", "update64", "comment", "photo", "attach", "small", "large"],
};

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
export function rowsOf(turns: Turns<Operation>, memory: Memory[], versions: Pick<Version, "ref">[]): Row[] {
  const of = (operation: Operation, server: string) => turns[operation][server] ?? [];
  return [
    ...toBare.map(([operation, goal]) => {
      const described = { name: operations[operation], unit: "processor time, bare / Vitrine", goal };
      return rowOf(described, ratios(of(operation, "bare"), of(operation, "Vitrine"), costOf));
    }),
    ...toItself.map(([name, one, other, goal]) =>
      rowOf({ name, unit: "processor time", goal }, ratios(of(one, "Vitrine"), of(other, "Vitrine"), costOf)),
    ),
    ...versions.flatMap(({ ref }) => [
      ...toVersion.processor.map((operation) => {
        const described = { name: `${operations[operation]}, to ${ref}`, unit: `processor time, ${ref} / Vitrine` };
        return rowOf(described, ratios(of(operation, ref), of(operation, "Vitrine"), costOf));
      }),
      ...toVersion.rate.map((operation) => {
        const described = { name: `${operations[operation]}, to ${ref}`, unit: `rate, Vitrine / ${ref}` };
        return rowOf(described, ratios(of(operation, "Vitrine"), of(operation, ref), rateOf));
      }),
    ]),
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
