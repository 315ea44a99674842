// Draws the charts of docs/operate/performance.md, and writes its figures, from bench/results.json: npm run charts
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readResults } from "../results.ts";
import { drawCharts } from "./charts.ts";
import { fillDocument } from "./document.ts";

const docs = new URL("../../docs/", import.meta.url);
const document = new URL("operate/performance.md", docs);
const results = readResults();
mkdirSync(new URL("charts/", docs), { recursive: true });
for (const [name, svg] of Object.entries(drawCharts(results))) writeFileSync(new URL(`charts/${name}`, docs), svg);
writeFileSync(document, fillDocument(readFileSync(document, "utf8"), results));
