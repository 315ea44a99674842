import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";

/** The types whose fields the author of a module has to know, by the files that have them. */
const types: Record<string, string[]> = {
  "src/platform/database/table.ts": ["Options"],
  "src/platform/database/tables.ts": ["Exported"],
  "src/core/records/record-kind.ts": ["Declaration", "Shared", "Trashable"],
  "src/core/records/restorable.ts": ["Restorable"],
  "src/module.ts": ["Module", "Opened", "Site"],
};

/** The names of the fields of a type, with those that it takes from another one. */
function fieldsOf(file: string, type: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const declaration = new RegExp(`\\ntype ${type}\\b[^=]*=|\\nexport type ${type}\\b[^=]*=`).exec(text);
  if (!declaration) throw new Error(`${file} has no type ${type}.`);
  const body = text.slice(declaration.index + declaration[0].length).split(/\n(?:\}[^;\n]*|>);\n/, 1)[0] ?? "";
  const [, picked = ""] = /^\s*(?:Partial<\s*)?Pick<([^>]*)/.exec(body) ?? [];
  return [
    ...Array.from(body.matchAll(/\n {2}(?:readonly )?(\w+)\??[:(]/g), ([, name = ""]) => name),
    ...Array.from(picked.matchAll(/"(\w+)"/g), ([, name = ""]) => name),
  ];
}

/** Fewer is better: a field that is added has to be worth it. */
test("a module is declared with few fields, and its columns with few words", () => {
  const fields = Object.entries(types).flatMap(([file, names]) =>
    names.flatMap((type) => fieldsOf(file, type).map((field) => `${type}.${field}`)),
  );
  expect(new Set(fields).size).toBe(fields.length);
  expect(fields).toHaveLength(91);
  const words = readFileSync(join(root, "src/platform/database/table.ts"), "utf8").match(
    /^export const \w+ = \(|^export const \w+ = plain;/gm,
  );
  expect(words).toHaveLength(23);
});
