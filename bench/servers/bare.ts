import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { counter } from "../generator/job.ts";
import { bytesOf, type MeasuredServer, type Operation, downloadBytes, type Target } from "../operations.ts";
import { bun, startServer } from "../processes.ts";

/** The response of the bare server; with a file, its bytes. */
export type Sample = { status: number; headers: Record<string, string>; text: string; file: string | null };

/**
 * Bun.serve without any logic. It gets the same requests and returns, byte for byte and with the same headers, what the
 * model returned once.
 */
export async function prepareBare(directory: string, model: MeasuredServer): Promise<MeasuredServer> {
  const modelTargets = Object.entries(model.targets) as [Operation, Target][];
  const answers = new Map<Operation, Answer>();
  for (const [name, target] of modelTargets) answers.set(name, await ask(target));
  const samples = Object.fromEntries([...answers].map(([name, answer]) => [name, toSample(answer)]));
  const file = join(directory, "large.bin");
  writeFileSync(file, bytesOf(downloadBytes, 0));
  if (samples.download) Object.assign(samples.download, { text: "", file });

  const plan = join(directory, "samples.json");
  writeFileSync(plan, JSON.stringify(samples));
  const { printed, pid } = await startServer(bun(new URL("bare-server.ts", import.meta.url), plan), {
    on: "stderr",
    pattern: /Listening: (.+)\n/,
  });
  const ports = JSON.parse(printed) as Record<Operation, number>;
  const targets = modelTargets.map(([name, target]) => [name, { ...target, port: ports[name] }] as const);
  for (const [name, target] of targets) checkSame(name, await ask(target), answers.get(name));
  return { name: "bare", pid, targets: Object.fromEntries(targets) };
}

/** The runtime writes these itself. */
const byRuntime = new Set(["connection", "content-length", "date", "transfer-encoding"]);
/** The values of these differ in every response. */
const changing = new Set(["date", "x-request-id"]);

function toSample({ status, headers, body }: Answer): Sample {
  const kept = Object.entries(headers).filter(([name]) => !byRuntime.has(name));
  return { status, headers: Object.fromEntries(kept), text: body.toString(), file: null };
}

/** A bare server that sent less would make the other one look slower than it is. */
function checkSame(name: Operation, found: Answer, wanted: Answer | undefined): void {
  const describe = ({ status, headers, body }: Answer) => {
    const fixed = Object.entries(headers).filter(([header]) => !changing.has(header));
    const hash = new Bun.CryptoHasher("sha256").update(body).digest("hex");
    return JSON.stringify([status, Object.keys(headers).toSorted(), fixed.toSorted(), hash]);
  };
  if (wanted && describe(found) !== describe(wanted))
    throw new Error(`the bare server responds differently to ${name}`);
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

/** The response to the first request, as it is sent over the wire to the load generator, which accepts no compression. */
async function ask({ port, calls }: Target): Promise<Answer> {
  const { method, path, headers, body } = calls[0] as Target["calls"][number];
  const address = `http://127.0.0.1:${port}${path.replaceAll(counter, "0")}`;
  const response = await fetch(address, {
    method,
    headers: { ...headers, "Accept-Encoding": "identity" },
    body: body && new Blob([body]),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
