const maxWidth = 120;
const clause = "FROM|WHERE|GROUP BY|ORDER BY|LIMIT|UNION ALL|UNION|(?:LEFT |CROSS )?JOIN|RETURNING";
/** Quoted text, a bracket that opens a subquery, any bracket, a clause, a word, or anything else. */
const token = new RegExp(String.raw`'[^']*'|"[^"]*"|\((?= ?(?:SELECT|WITH)\b)|[()]|\b(?:${clause})\b|\w+|.`, "g");

/** A statement with one clause per line, subqueries indented, and long lists of columns wrapped. */
export function layOut(statement: string): string {
  const text = statement.replaceAll(/\s+/g, " ").trim();
  const lines: string[] = [];
  /** For each open bracket, whether it is that of a subquery. */
  const open: boolean[] = [];
  let line = "";
  for (const { 0: found, index } of text.matchAll(token)) {
    const isSubquery = found === "(" && /^\( ?(SELECT|WITH)\b/.test(text.slice(index, index + 9));
    if (found === ")" && open.pop()) startLine();
    if (isClause.test(found) && (open.at(-1) ?? true)) startLine();
    if (found !== " " || !/(^| |\()$/.test(line)) line += found;
    if (found === "(") open.push(isSubquery);
    if (isSubquery) startLine();
  }
  startLine();
  return `${lines.join("\n")};`;

  function startLine(): void {
    if (line.trim() !== "") lines.push(...wrap(line.trimEnd()));
    line = "  ".repeat(open.filter(Boolean).length);
  }
}

const isClause = new RegExp(`^(?:${clause})$`);

/** Breaks a line that is too long after a comma, an AND or an OR. */
function wrap(line: string): string[] {
  const end = line.slice(0, maxWidth).search(/(?:, | (?=AND |OR ))(?!.*(?:, | (?:AND |OR )))/);
  const indent = /^ */.exec(line)?.[0] ?? "";
  if (line.length <= maxWidth || end <= indent.length) return [line];
  const cut = line[end] === "," ? end + 1 : end;
  return [
    line.slice(0, cut),
    ...wrap(`${indent}    ${line.slice(cut).trimStart()}`.replace(/^( *) {4} {4}/, "$1    ")),
  ];
}
