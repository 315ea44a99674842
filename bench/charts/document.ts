import { describeMachine } from "../machine.ts";
import { cellsOf, remarksOn } from "../goals.ts";
import { shorten } from "../heaviest.ts";
import type { Release } from "../history.ts";
import type { Results } from "../results.ts";

/** Replaces the parts of the document that have figures. Each is between two comments with its name. */
export function fillDocument(document: string, results: Results, releases: Release[]): string {
  const parts = {
    about: about(results),
    goals: goals(results),
    servers: servers(results),
    history: history(releases),
    statements: statements(results),
    turns: turns(results),
  };
  return Object.entries(parts).reduce((filled, [name, part]) => fillPart(filled, name, part), document);
}

export function fillPart(document: string, name: string, part: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`);
  if (!pattern.test(document)) throw new Error(`the document has no part for ${name}`);
  return document.replace(pattern, (_all, begin: string, end: string) => `${begin}\n${part}\n${end}`);
}

function about({ date, vitrine, machine, loadAverage, minutes, bun }: Results): string {
  const text = `Measured on ${date} with version ${vitrine} on ${describeMachine(machine, bun)}, in ${minutes} minutes. The load average at the end was ${loadAverage}.`;
  const isBusy = loadAverage > machine.cores + 1;
  return isBusy ? `${text} **Other work was running on the machine:** run it again before you rely on a figure.` : text;
}

function goals(results: Results): string {
  const rows = results.rows.map((row) => [row.name, ...cellsOf(row), row.unit]);
  const remarks = remarksOn(results).map((remark) => `- ${remark}`);
  return `${table([["", "measured", "spread", "goal", "met", "unit"], ...rows])}\n\n${remarks.join("\n")}`;
}

/** Each server beside the others: other versions, and those that do less. */
function servers({ requests, memory, versions }: Results): string {
  const names = [...new Set(requests.map(({ server }) => server))];
  const kinds = [...new Set(requests.map(({ name }) => name))];
  const lines = kinds.map((kind) => {
    const cells = names.map((server) => requests.find((one) => one.server === server && one.name === kind));
    return [kind, ...cells.map((one) => (one ? `${print(one.rate)}, ${print(one.processor)} µs` : "–"))];
  });
  const used = names.map((server) => memory.find((one) => one.server === server));
  const last = [
    "memory, idle and after all requests",
    ...used.map((one) => (one ? `${print(one.idle)}, ${print(one.after)} MiB` : "–")),
  ];
  const commits = versions.map(({ ref, commit }) => `${ref} is commit ${commit.slice(0, 7)}`);
  const remark = commits.length > 0 ? commits.join(", ") : "No other version was measured in this run";
  return `${table([["", ...names], ...lines, ...(memory.length > 0 ? [last] : [])])}\n\n${remark}.`;
}

const shownReleases = 6;

function history(all: Release[]): string {
  const releases = all.slice(-shownReleases);
  const latest = releases.at(-1);
  if (!latest) return "No release has been recorded yet.";
  const names = Object.keys(latest.ratios);
  const lines = names.map((name) => [
    name,
    ...releases.map(({ ratios }) => ratios[name]?.toFixed(ratios[name] < 10 ? 2 : 0) ?? "–"),
  ]);
  const abouts = releases.map(
    ({ version, commit, date, machine }) => `- ${version}${commit ? ` (${commit})` : ""}: ${date}, ${machine}`,
  );
  return `${table([["", ...releases.map(({ version }) => version)], ...lines])}\n\n${abouts.join("\n")}`;
}

function statements({ heaviest }: Results): string {
  const entries = heaviest.statements.map(({ text, request, median, most, plan }, index) => {
    const steps = plan.filter(isAccess);
    const more = steps.length > shownSteps ? [`and ${steps.length - shownSteps} more steps`] : [];
    const lines = [...steps.slice(0, shownSteps).map((step) => `\`${step}\``), ...more];
    const head = `${index + 1}. **${request}**: ${median.toFixed(1)} ms, at most ${most.toFixed(1)}`;
    const indent = " ".repeat(`${index + 1}. `.length);
    return [head, `\`${shorten(withoutLists(text), 300)}\``, ...lines.map((step) => `- ${step}`)].join(`\n${indent}`);
  });
  return `With ${heaviest.records.toLocaleString("en-US")} records:\n\n${entries.join("\n")}`;
}

function turns({ heaviest }: Results): string {
  const sorted = heaviest.turns.toSorted((one, other) => other.longest - one.longest);
  return table([["", "longest turn, ms"], ...sorted.map(({ name, longest }) => [name, longest.toFixed(1)])]);
}

const print = (number: number) => Math.round(number).toLocaleString("en-US");

const shownSteps = 6;

/** `?1, ?2, ?3, …` for long lists of parameters. */
const withoutLists = (text: string) => text.replaceAll(/\?(\d+)(, \?\d+){3,}/g, "?$1, …");

/** Steps that read a table or sort, not those that only give the others a structure. */
const isAccess = (step: string) => /^(SCAN|SEARCH|USE TEMP)/.test(step);

/** A table of Markdown, as the formatter writes it. */
export function table(rows: string[][]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = rows[0]?.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const [head = [], ...body] = lines;
  return [head, widths.map((size) => "-".repeat(size)), ...body].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
