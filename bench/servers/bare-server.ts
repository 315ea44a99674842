import { readFileSync } from "node:fs";
import type { Sample } from "./bare.ts";

// A separate server for every operation, so that it does not even have to look at the URL.
const samples = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Record<string, Sample>;
const ports = Object.entries(samples).map(([operation, sample]) => [operation, listen(sample).port]);
console.error(`Listening: ${JSON.stringify(Object.fromEntries(ports))}`);

function listen({ status, headers, text, file }: Sample) {
  const answer = () => new Response(file === null ? text : Bun.file(file), { status, headers });
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    fetch: (request) => (request.method === "GET" ? answer() : request.arrayBuffer().then(answer)),
  });
}
