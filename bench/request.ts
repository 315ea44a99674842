/** A planned request; every "##########" in it becomes a different number each time it is sent. */
export type Call = {
  method: "GET" | "POST" | "PUT";
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
};

export function get(path: string): Call {
  return { method: "GET", path, headers: {}, body: null };
}

/** Vitrine does not serve a guest's request with this header from memory. */
export const uncached = { Authorization: "none" };

export function getUncached(path: string): Call {
  return { ...get(path), headers: uncached };
}

export function postJSON(path: string, token: string, value: unknown): Call {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return { method: "POST", path, headers, body: Buffer.from(JSON.stringify(value)) };
}

export function put(path: string, token: string, value: unknown): Call {
  return { ...postJSON(path, token, value), method: "PUT" };
}

const boundary = "vitrine-bench-boundary";

/** A form with one file; `start` are its first bytes. */
export function postFile(path: string, token: string, filename: string, start: string, rest: Uint8Array): Call {
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${filename}"`,
    "Content-Type: application/octet-stream",
    "",
    start,
  ].join("\r\n");
  return {
    method: "POST",
    path,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), rest, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** The request as it is sent over the wire. */
export function toWire(port: number, { method, path, headers, body }: Call): Uint8Array {
  const all: Record<string, string> = { Host: `127.0.0.1:${port}`, ...headers };
  if (body) all["Content-Length"] = String(body.length);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return body ? Buffer.concat([head, body]) : head;
}

type Init = {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  token?: string;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
};

/** A request during preparation: anything but success is an error. */
export async function ask<Body>(url: string, { method = "GET", token, json, form, ...init }: Init = {}): Promise<Body> {
  const headers = new Headers(init.headers);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (json !== undefined) headers.set("Content-Type", "application/json");
  const body = json === undefined ? (form ?? null) : JSON.stringify(json);
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text}`);
  return (text ? JSON.parse(text) : null) as Body;
}
