import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesOf, type MeasuredServer, type Operation, operations, downloadBytes, type Target } from "../operations.ts";
import { bun, startServer } from "../processes.ts";

/** The response of the bare server; with a file, its bytes. */
export type Sample = { status: number; headers: Record<string, string>; text: string; file: string | null };

/** Bun.serve without any logic. It gets the same requests and returns the bytes and the headers that the model returned once. */
export async function prepareBare(directory: string, model: MeasuredServer): Promise<MeasuredServer> {
  const names = Object.keys(operations) as Operation[];
  const samples: Partial<Record<Operation, Sample>> = {};
  for (const name of names) samples[name] = await sampleOf(model.targets[name]);
  const file = join(directory, "large.bin");
  writeFileSync(file, bytesOf(downloadBytes, 0));
  samples.download = { ...(samples.download as Sample), text: "", file };

  const plan = join(directory, "samples.json");
  writeFileSync(plan, JSON.stringify(samples));
  const { printed, pid } = await startServer(bun(new URL("bare-server.ts", import.meta.url), plan), {
    on: "stderr",
    pattern: /Listening: (.+)\n/,
  });
  const ports = JSON.parse(printed) as Record<Operation, number>;
  const targets = names.map((name) => [name, { ...model.targets[name], port: ports[name] }]);
  return { name: "bare", pid, targets: Object.fromEntries(targets) as MeasuredServer["targets"] };
}

async function sampleOf({ port, calls }: Target): Promise<Sample> {
  const { method, path, headers, body } = calls[0] as Target["calls"][number];
  const address = `http://127.0.0.1:${port}${path.replaceAll("#", "0")}`;
  const sent = { ...headers, "Accept-Encoding": "identity" };
  const response = await fetch(address, { method, headers: sent, body: body && new Blob([body]) });
  const given = Object.fromEntries(response.headers);
  // The runtime adds these to every response.
  for (const name of ["date", "content-length"]) delete given[name];
  return { status: response.status, headers: given, text: await response.text(), file: null };
}
