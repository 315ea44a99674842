import type { Sent } from "../../tests/kit/text-parameters.ts";

/** One request of an attack; it is aborted after `seconds`. */
export type Attempt = Omit<Sent, "body"> & {
  body: string | Uint8Array<ArrayBuffer> | null;
  label: string;
  isGuest: boolean;
  seconds: number;
};

/**
 * Requests of one kind, generated when they are sent because they are long: one after the other, or several `atOnce`.
 */
export type Input = { name: string; attempts(): Iterable<Attempt>; atOnce: number };

export type Outcome = { status: number | "cut off" | "no response"; milliseconds: number };

const longest = 20;

export const input = (name: string, attempts: () => Iterable<Attempt>, atOnce = 1): Input => ({
  name,
  attempts,
  atOnce,
});

export function attempt(
  label: string,
  method: string,
  path: string,
  { json, ...more }: Partial<Attempt> & { json?: unknown } = {},
): Attempt {
  const sent = json === undefined ? { headers: {}, body: null } : asJSON(JSON.stringify(json));
  return { label, method, path, ...sent, isGuest: method === "GET", seconds: longest, ...more };
}

export const asJSON = (body: string) => ({ headers: { "Content-Type": "application/json" }, body });

/** Reads the whole response. */
export async function send(url: string, token: string, attempted: Attempt): Promise<Outcome> {
  const { method, path, body, isGuest, seconds } = attempted;
  const headers = { ...attempted.headers, ...(!isGuest && { Authorization: `Bearer ${token}` }) };
  const started = performance.now();
  const passed = () => performance.now() - started;
  let status: Outcome["status"] = "no response";
  try {
    const response = await fetch(url + path, { method, headers, body, signal: AbortSignal.timeout(seconds * 1000) });
    status = response.status;
    for await (const _ of response.body ?? []);
  } catch {
    if (status === "no response" && passed() >= seconds * 1000) status = "cut off";
  }
  return { status, milliseconds: passed() };
}
