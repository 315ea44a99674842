import type { Branch } from "./html-tree.ts";

/** What writes the content of a cell. */
type Cells = { blocks(cell: Branch): string[]; line(cell: Branch): string };
type Row = { cells: Branch[]; isHead: boolean };

/** How many cells the rows of a table in Markdown may lack. */
const mostMissing = 1000;

/** A table with a row of headings becomes one in Markdown, and every other one a table in HTML with Markdown in its cells. */
export function convertTable(table: Branch, write: Cells): string[] {
  const rows = rowsOf(table, false).filter(({ cells }) => cells.length > 0);
  const captions = childrenOf(table, "caption").flatMap((caption) => write.blocks(caption));
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const missing = rows.reduce((sum, { cells }) => sum + columns - cells.length, 0);
  const [head, ...others] = rows;
  const isSimple =
    head?.isHead && others.every(({ isHead }) => !isHead) && missing <= mostMissing && rows.every(isSimpleRow);
  if (!head || !isSimple) return [...captions, ...convertRows(rows, write)];
  const lineWith = ({ cells }: Row) =>
    `| ${cells.map((cell) => write.line(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  const empty = "  |".repeat(columns - head.cells.length);
  const lines = Array.from({ length: columns }, (_, index) => lineOf(head.cells[index]));
  return [...captions, [lineWith(head) + empty, `| ${lines.join(" | ")} |`, ...others.map(lineWith)].join("\n")];
}

function rowsOf(branch: Branch, isHead: boolean): Row[] {
  return branch.children.flatMap((child) => {
    if (typeof child === "string") return [];
    if (/^(thead|tbody|tfoot)$/.test(child.tag)) return rowsOf(child, child.tag === "thead");
    if (child.tag !== "tr") return [];
    const cells = child.children.filter((cell) => typeof cell !== "string" && /^t[dh]$/.test(cell.tag)) as Branch[];
    return [{ cells, isHead: isHead || cells.every(({ tag }) => tag === "th") }];
  });
}

const childrenOf = ({ children }: Branch, tag: string): Branch[] =>
  children.filter((child) => typeof child !== "string" && child.tag === tag) as Branch[];

const isSimpleRow = ({ cells }: Row): boolean =>
  cells.every(
    ({ attributes, hasBlock }) =>
      !hasBlock && Number(attributes.get("colspan") ?? 1) <= 1 && Number(attributes.get("rowspan") ?? 1) <= 1,
  );

const alignOf = (cell: Branch | undefined): string | undefined =>
  /^(left|center|right)$/i.exec(cell?.attributes.get("align") ?? "")?.[1]?.toLowerCase() ??
  /text-align:\s*(left|center|right)/i.exec(cell?.attributes.get("style") ?? "")?.[1]?.toLowerCase();

function lineOf(cell: Branch | undefined): string {
  const align = alignOf(cell);
  return `${align === "left" || align === "center" ? ":" : ""}---${align === "right" || align === "center" ? ":" : ""}`;
}

function convertRows(rows: Row[], write: Cells): string[] {
  const lines = rows.flatMap(({ cells }) =>
    wrap(
      "tr",
      cells.flatMap((cell) => {
        const blocks = write.blocks(cell);
        const open = `<${cell.tag}${attributesOf(cell)}>`;
        return blocks.length === 0 ? [`${open}</${cell.tag}>`] : [open, ...blocks, `</${cell.tag}>`];
      }),
    ),
  );
  return wrap("table", lines);
}

function attributesOf(cell: Branch): string {
  const spans = ["colspan", "rowspan"].flatMap((name) => {
    const span = /^\d{1,3}$/.exec(cell.attributes.get(name) ?? "")?.[0];
    return span ? [` ${name}="${span}"`] : [];
  });
  const align = alignOf(cell);
  return [...spans, ...(align ? [` align="${align}"`] : [])].join("");
}

/** Elements of HTML around Markdown, which blank lines separate. */
export const wrap = (tag: string, blocks: string[]): string[] =>
  blocks.length === 0 ? [] : [`<${tag}>`, ...blocks, `</${tag}>`];
