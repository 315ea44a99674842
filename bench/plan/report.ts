import { kindNames, kinds } from "../copies/site.ts";
import { layOut } from "../table.ts";
import type { Check, Costs } from "./costs.ts";
import { type Load, type Planned, type Resource, writeShares } from "./model.ts";

/** Three digits are more than the model is good for. */
const print = (number: number) =>
  Number(number.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: number < 10 ? 2 : 0 });

export function printBytes(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB", "PB"];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${print(bytes / 1000 ** step)} ${units[step]}`;
}

const percent = (share: number) => `${print(share * 100)}%`;
const signed = (share: number) => `${share < 0 ? "−" : "+"}${Math.round(Math.abs(share) * 100)}%`;

export function renderPlan(load: Load, planned: Planned, costs: Costs): string {
  const { comment, post, upload } = writeShares;
  const lines = layOut(
    [
      ["copies, of one core each", print(planned.copies)],
      ["looks at the database", `${print(planned.looks)} per second`],
      ["PostgreSQL: cores", print(planned.databaseCores)],
      ["PostgreSQL: size", printBytes(planned.databaseBytes)],
      ["PostgreSQL: statements", `${print(planned.statements)} per second`],
      ["PostgreSQL: operations of its disk", `${print(planned.operations)} per second`],
      ["PostgreSQL: connections", `up to ${print(planned.connections)}`],
      ["Redis: cores", print(planned.redisCores)],
      ["store: requests", `${print(planned.storeRequests)} per second`],
      ["store: traffic", `${printBytes(planned.storeBytesPerSecond)} per second`],
      ["store: size", `${printBytes(planned.storedBytes)} in ${print(planned.storedObjects)} objects`],
      ["store: requests of the daily sweep", print(planned.sweepRequests)],
      ["network to visitors", `${print(planned.bitsPerSecond / 1e9)} Gbit/s`],
    ],
    [1],
  );
  const limits = layOut(
    [
      ["what breaks first", "used", "there is", "at", "then"],
      ...planned.resources.map((resource) => resourceRow(resource)),
    ].map(([name = "", used = "", there = "", at = "", then = ""]) => [name, used, there, at, then]),
    [4],
  );
  return [
    `${print(load.reads)} reads per second (${percent(load.pictures)} pictures, of which a CDN serves ${percent(load.cdn)}; ${percent(load.misses)} of the pages miss memory), ` +
      `${print(load.writes)} writes per second (${percent(comment)} comments, ${percent(post)} posts, ${percent(upload)} uploads of 100 KB), ${print(load.photos)} photos:`,
    lines,
    limits,
    `Costs of ${costs.date}, ${costs.machine}. ${describeChecks(costs.checks)}`,
  ].join("\n\n");
}

function resourceRow({ name, used, limit, unit, remedy }: Resource): string[] {
  const share = used / limit;
  return [
    name,
    `${print(used)} ${unit}`.trim(),
    print(limit),
    `${print(1 / share)} × this load`,
    share > 0.7 ? remedy : "",
  ];
}

export function describeChecks(checks: Check[]): string {
  const offs = checks.map(({ predicted, measured }) => predicted / measured - 1);
  const range = `${signed(Math.min(...offs))} to ${signed(Math.max(...offs))}`;
  return `Checked with a mix of requests to ${[...new Set(checks.map(({ copies }) => copies))].join(", ")} copies: the processor time of the model is off by ${range}.`;
}

export function renderCosts({ kinds: costs, look, sizes, idle, checks, machine, date }: Costs): string {
  const table = layOut([
    ["one request", "program", "PostgreSQL", "Redis", "statements", "pages", "log", "response", "store"],
    ...kindNames.map((kind) => {
      const { program, database, redis, statements, blocks, log, bytes, storeRequests } = costs[kind];
      return [
        kinds[kind],
        `${print(program)} µs`,
        `${print(database)} µs`,
        `${print(redis)} µs`,
        print(statements),
        print(blocks),
        printBytes(log),
        printBytes(bytes),
        print(storeRequests),
      ];
    }),
  ]);
  const rest = layOut(
    [
      [
        "a look at the database",
        `program ${print(look.program)} µs, PostgreSQL ${print(look.database)} µs, ${print(look.milliseconds)} ms`,
      ],
      [
        "an idle copy, per second",
        `program ${print(idle.program)} µs, PostgreSQL ${print(idle.database)} µs, ${print(idle.transactions)} transactions`,
      ],
      [
        "rows of a record",
        `photo ${printBytes(sizes.photo)}, post ${printBytes(sizes.post)}, comment ${printBytes(sizes.comment)}`,
      ],
    ],
    [1],
  );
  const checked = layOut([
    ["busy cores in a mix of requests", "the model", "measured", "off by"],
    ...checks.map(({ copies, part, predicted, measured }) => [
      `${copies === 1 ? "1 copy" : `${copies} copies`}: ${part === "program" ? "program" : "PostgreSQL"}`,
      print(predicted),
      print(measured),
      signed(predicted / measured - 1),
    ]),
  ]);
  return [table, rest, checked, `${machine}, ${date}.`].join("\n\n");
}
