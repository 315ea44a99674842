const maxDescription = 200;

/** A text as a description of a page: in one line, and not too long. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxDescription) return line;
  return `${line
    .slice(0, maxDescription)
    .toWellFormed()
    .replace(/\uFFFD$/, "")
    .trimEnd()}…`;
}
