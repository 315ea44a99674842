/** A guarantee that is broken on purpose, and the test that has to fail then. */
export type Mutation = {
  /** What the broken program does. */
  breaks: string;
  /** In this file, `from` (which is in it exactly once) is replaced by `to`. */
  file: string;
  from: string;
  to: string;
  /** The file and the title of the test, as they are written there. */
  test: string;
  title: string;
  /** What stands for `%s` or `%j` in the title: only this row of the table is run. */
  row?: string;
};

/** The source with the mutation. Throws if the code is no longer as the mutation expects it. */
export function mutate(source: string, { file, from, to, breaks }: Mutation): string {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places for "${breaks}" instead of one.`);
  return parts.join(to);
}

/** A pattern for the full name of the test. */
export function patternOf({ title, row = "" }: Mutation): string {
  return `${RegExp.escape(title.replace(/%[sj]/, row))}$`;
}
