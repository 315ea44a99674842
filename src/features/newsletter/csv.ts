/** The rows of a table with commas, semicolons or tabs between its fields, each with the number of its first line. */
export function* readCSV(text: string): Generator<{ line: number; fields: string[] }> {
  const source = text.replace(/^\uFEFF/, "");
  const separator = findSeparator(source);
  let [position, line] = [0, 1];
  while (position < source.length) {
    const fields: string[] = [];
    const first = line;
    for (;;) {
      const field = readField();
      fields.push(field);
      if (source[position] !== separator) break;
      position++;
    }
    if (source[position] === "\r") position++;
    if (source[position] === "\n") position++;
    line++;
    if (fields.length > 1 || fields[0] !== "") yield { line: first, fields };
  }

  function readField(): string {
    if (source[position] !== '"') return readUntilEnd();
    const parts: string[] = [];
    for (position++; ; position += 2) {
      const quote = source.indexOf('"', position);
      const end = quote === -1 ? source.length : quote;
      const part = source.slice(position, end);
      line += part.split("\n").length - 1;
      parts.push(part);
      position = end;
      if (source[position + 1] !== '"') break;
      parts.push('"');
    }
    position++;
    // Whatever stands behind the quotes belongs to the field.
    return parts.join("") + readUntilEnd();
  }

  function readUntilEnd(): string {
    const start = position;
    while (position < source.length && !isEnd(source[position] as string)) position++;
    return source.slice(start, position);
  }

  function isEnd(character: string): boolean {
    return character === separator || character === "\n" || character === "\r";
  }
}

/** The one that the first line has most of. */
function findSeparator(source: string): string {
  const [head = ""] = source.slice(0, 10_000).split(/[\r\n]/, 1);
  const counted = [",", ";", "\t"].map((separator) => ({ separator, count: head.split(separator).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}

/** A line of a table. A spreadsheet must not take a field for a formula. */
export const printCSV = (fields: readonly (string | null)[]): string =>
  `${fields.map((field) => printField(field ?? "")).join(",")}\r\n`;

function printField(field: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
