import type { Mutation } from "./mutation.ts";

const file = "src/platform/database/inserts.test.ts";

/** Which responses from memory end with a new row. */
export const memory: Mutation[] = [
  {
    breaks: "a row that a statement found in its way and changed is read as it was",
    file: "src/platform/database/generations.ts",
    from: "return idsIn(values, [...values.keys()]);",
    to: "return [];",
    test: file,
    title: "ends what was read of a row that it finds in its way, and changes",
  },
  {
    breaks: "a statement that changes rows in its way counts as one that only adds some",
    file: "src/platform/database/touched-tables.ts",
    from: 'return /\\bDO UPDATE\\b/i.test(text) ? ["INSERT", "UPDATE"] : ["INSERT"];',
    to: 'return ["INSERT"];',
    test: file,
    title: "counts for what triggers do when rows are added, or changed if it changes those in its way",
  },
  {
    breaks: "what gives way to a row that is written counts as still there",
    file: "src/platform/database/touched-tables.ts",
    from: "isReplacing ? verbs : verbsOf(text, verb)",
    to: "verbsOf(text, verb)",
    test: file,
    title: "counts for what triggers do when rows are added, or changed if it changes those in its way",
  },
  {
    breaks: "what was read before there was a row with this id does not end",
    file: "src/platform/database/generations.ts",
    from: "names.add(table + separator);\n  for (const row of rows)",
    to: "for (const row of [] as string[])",
    test: file,
    title: "ends what was read of all rows, and that there was none with its id, but nothing of other rows",
  },
  {
    breaks: "a file whose picture was read since is shown as if it were not",
    file: "src/content/files/rows.ts",
    from: 'if (sha256 !== null && !row.image_read_at) noteMissing("images");',
    to: "",
    test: "src/content/files/known-images.test.ts",
    title: "what shows a file whose image is not read yet ends when any image is read",
  },
  {
    breaks: "a change of a row to which others refer ends nothing",
    file: "src/platform/database/generations.ts",
    from: "if (!isNew) byName.set(",
    to: "if (isNew) byName.set(",
    test: "src/platform/database/known-rows.test.ts",
    title: "ends with any change of a row, and not with a new one",
  },
  {
    breaks: "a new record ends nearly every response that is kept",
    file: "src/platform/database/touched-tables.ts",
    from: 'if (knownRows.test(word)) return [{ table, ids: "known" }];',
    to: "if (knownRows.test(word)) return [{ table, ids: null }];",
    test: "tests/guards/misses.test.ts",
    title: "a new record ends the responses that can show it, and leaves the others in memory",
  },
  {
    breaks: "where many addresses are read in turn, none is ever kept",
    file: "src/platform/http/response-cache.ts",
    from: "const isOften = isRequestedAgain(key) || often.get(key) !== undefined;",
    to: "const isOften = often.get(key) !== undefined;",
    test: "tests/api/cache.test.ts",
    title: "are kept at the second request where many others were requested since the first",
  },
];
