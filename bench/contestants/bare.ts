import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesOf, type Contestant, type Deed, deeds, downloadBytes, type Target } from "../deeds.ts";
import { bun, startServer } from "../processes.ts";

/** What the bare server answers; with a file, its bytes. */
export type Sample = { status: number; contentType: string; text: string; file: string | null };

/** Bun.serve with nothing in it. It is asked the same, and answers byte for byte what the model answered once. */
export async function prepareBare(directory: string, model: Contestant): Promise<Contestant> {
  const names = Object.keys(deeds) as Deed[];
  const samples: Partial<Record<Deed, Sample>> = {};
  for (const name of names) samples[name] = await sampleOf(model.targets[name]);
  const file = join(directory, "large.bin");
  writeFileSync(file, bytesOf(downloadBytes, 0));
  samples.download = { status: 200, contentType: "application/octet-stream", text: "", file };

  const plan = join(directory, "samples.json");
  writeFileSync(plan, JSON.stringify(samples));
  const listening = await startServer(bun(new URL("bare-server.ts", import.meta.url), plan), {
    on: "stderr",
    pattern: /Listening: (.+)\n/,
  });
  const ports = JSON.parse(listening) as Record<Deed, number>;
  const targets = names.map((name) => [name, { ...model.targets[name], port: ports[name] }]);
  return { name: "bare", targets: Object.fromEntries(targets) as Contestant["targets"] };
}

async function sampleOf({ port, calls }: Target): Promise<Sample> {
  const { method, path, headers, body } = calls[0] as Target["calls"][number];
  const address = `http://127.0.0.1:${port}${path.replaceAll("#", "0")}`;
  const response = await fetch(address, { method, headers, body: body && new Blob([body as Uint8Array<ArrayBuffer>]) });
  const contentType = response.headers.get("content-type") ?? "";
  return { status: response.status, contentType, text: await response.text(), file: null };
}
