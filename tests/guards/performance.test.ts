import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { drawCharts } from "../../bench/charts/charts.ts";
import { fillDocument } from "../../bench/charts/document.ts";
import { readResults } from "../../bench/results.ts";

const docs = new URL("../../docs/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, docs), "utf8");

test("the figures in docs/operate/performance.md are those of bench/results.json", () => {
  const document = read("operate/performance.md");
  expect(fillDocument(document, readResults())).toBe(document);
});

test("the charts are drawn from bench/results.json, and each is shown in docs/operate/performance.md", () => {
  const charts = drawCharts(readResults());
  expect(readdirSync(new URL("charts/", docs)).toSorted()).toEqual(Object.keys(charts).toSorted());
  for (const [name, svg] of Object.entries(charts)) {
    expect(read(`charts/${name}`)).toBe(svg);
    expect(read("operate/performance.md")).toContain(`(../charts/${name})`);
  }
});

test("the results name no path of the machine on which they were measured", () => {
  expect(JSON.stringify(readResults())).not.toMatch(/"\/(?!api\b)|\/(home|root|tmp|Users|work)\//);
});

test("the bench says in one sentence that there is no such version", async () => {
  const words = [process.execPath, "bench/main.ts", "--requests", "--against", "no-such-version"];
  const bench = Bun.spawn(words, { cwd: Bun.fileURLToPath(new URL("../../", import.meta.url)), stderr: "pipe" });
  expect(await new Response(bench.stderr).text()).toBe("bench: This repository has no version no-such-version.\n");
  expect(await bench.exited).toBe(1);
});
