import { describeMachine } from "../machine.ts";
import { cellsOf, remarksOn } from "../goals.ts";
import { shorten } from "../heaviest.ts";
import type { Results } from "../results.ts";

/** Replaces the parts of the document that have figures. Each is between two comments with its name. */
export function fillDocument(document: string, results: Results): string {
  const parts = {
    about: about(results),
    goals: goals(results),
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
