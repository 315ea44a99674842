import { describeMachine } from "../machine.ts";
import { cellsOf, remarksOn } from "../goals.ts";
import type { Results } from "../results.ts";
import type { Row } from "../row.ts";

/** Replaces the parts of the document that have figures. Each is between two comments with its name. */
export function fillDocument(document: string, results: Results): string {
  const parts = { about: about(results), goals: goals(results) };
  return Object.entries(parts).reduce((filled, [name, part]) => fillPart(filled, name, part), document);
}

export function fillPart(document: string, name: string, part: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`);
  if (!pattern.test(document)) throw new Error(`the document has no part for ${name}`);
  return document.replace(pattern, (_all, begin: string, end: string) => `${begin}\n${part}\n${end}`);
}

function about({ date, vitrine, machine, loadAverage, minutes, bun, versions }: Results): string {
  const text = `Measured on ${date} with version ${vitrine} on ${describeMachine(machine, bun)}, in ${minutes} minutes. The load average at the end was ${loadAverage}.`;
  const others = versions.map(({ ref, commit }) => ` ${ref} is commit ${commit.slice(0, 7)}.`).join("");
  const isBusy = loadAverage > machine.cores + 1;
  const remark = " **Other work was running on the machine:** run it again before you rely on a figure.";
  return `${text}${others}${isBusy ? remark : ""}`;
}

/** The chart of growth shows its rows, so the table leaves them out, unless a goal is missed. */
function goals(results: Results): string {
  const isGrowth = ({ name }: Row) =>
    name.endsWith(" records") && results.growth.some((line) => name.startsWith(`${line.name}, `));
  const isShown = (row: Row) => row.isMet === false || !isGrowth(row);
  const rows = results.rows.filter(isShown).map((row) => [row.name, ...cellsOf(row), row.unit]);
  const growth = results.rows.filter((row) => isGrowth(row) && row.isMet).length;
  const remarks = [`The other ${growth} goals for growth are met, as the chart below shows.`, ...remarksOn(results)];
  const list = remarks.map((remark) => `- ${remark}`).join("\n");
  return `${table([["", "measured", "spread", "goal", "met", "unit"], ...rows])}\n\n${list}`;
}

/** A table of Markdown, as the formatter writes it. */
export function table(rows: string[][]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = rows[0]?.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const [head = [], ...body] = lines;
  return [head, widths.map((size) => "-".repeat(size)), ...body].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
