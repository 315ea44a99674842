import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandExamples } from "../../bin/command-examples.ts";
import { describeReference } from "../../bin/reference.ts";
import { commands } from "../../src/commands/commands.ts";
import { readConfig } from "../../src/config.ts";
import { type VariableText, variableTexts } from "../../src/variable-texts.ts";
import { root } from "../kit/root.ts";

describe("the pages that are written from the code", () => {
  test("are up to date: run `npm run reference` otherwise", async () => {
    for (const [path, text] of Object.entries(await describeReference())) {
      const isCurrent = readFileSync(join(root, path), "utf8") === text;
      expect(isCurrent ? "up to date" : `${path} is out of date`).toBe("up to date");
    }
  });

  test("have examples of commands that exist", () => {
    const names = commands.map(({ name }) => name);
    for (const [name, { run }] of Object.entries(commandExamples)) {
      expect(names).toContain(name);
      expect(run.filter((line) => !line.startsWith(`npx vitrine ${name}`))).toEqual([]);
    }
  });
});

describe("the default of a variable", () => {
  /** With these, the variables that depend on them are read. */
  const environment = {
    DATABASE_URL: "postgres://localhost/vitrine",
    STORAGE_URL: "s3://bucket",
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
  };
  const variables = Object.values(variableTexts).flatMap((group) => Object.entries<VariableText>(group));
  const defaults = variables.flatMap(([name, { value }]) => (value === undefined ? [] : [{ name, value }]));

  test.each(defaults)("$name is $value, as the page says", ({ name, value }) => {
    const { [name]: _, ...others }: Record<string, string> = environment;
    expect(readConfig(others, { [name]: value })).toEqual(readConfig(others));
    expect(outcomeOf(others, { [name]: `${value}1` })).not.toEqual(outcomeOf(others, {}));
  });

  test("is known for many variables", () => {
    expect(defaults.length).toBeGreaterThan(20);
  });
});

/** The configuration, or the sentence that refuses it. */
function outcomeOf(environment: Record<string, string>, changes: Record<string, string>): unknown {
  try {
    return readConfig(environment, changes);
  } catch (error) {
    return String(error);
  }
}
