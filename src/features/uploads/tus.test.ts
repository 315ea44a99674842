import { connect } from "node:net";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import type { Database } from "../../platform/database/database.ts";
import { engineEnv } from "../../../tests/kit/engine.ts";
import type { Client } from "../../../tests/kit/client.ts";
import type { TestServer } from "../../../tests/kit/server.ts";

export const uploads = "/api/v1/uploads";
export const tus = { "Tus-Resumable": "1.0.0" };
export const partType = "application/offset+octet-stream";

type Pairs = Record<string, string>;

const metadata = (pairs: Pairs) =>
  Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");

/** Starts an upload. A body is its first part. */
export function create(who: Client, length: number, pairs: Pairs, more: Pairs = {}, body?: Bun.BodyInit) {
  const headers = { ...tus, "Upload-Length": String(length), "Upload-Metadata": metadata(pairs), ...more };
  if (body === undefined) return who.request("POST", uploads, { headers });
  return who.request("POST", uploads, { headers: { "Content-Type": partType, ...headers }, body });
}

/** Starts an upload, and returns its path. */
export async function begin(who: Client, length: number, pairs: Pairs = { filename: "some.bin" }): Promise<string> {
  return (await create(who, length, pairs)).headers.get("location") ?? "";
}

export function append(who: Client, path: string, offset: number, body: Bun.BodyInit, more: Pairs = {}) {
  const headers = { ...tus, "Content-Type": partType, "Upload-Offset": String(offset), ...more };
  return who.request("PATCH", path, { headers, body });
}

/** Sends HEAD; returns the status and the offset, if there is one. */
export async function ask(who: Client, path: string): Promise<{ status: number; offset: number | null }> {
  const { status, headers } = await who.request("HEAD", path, { headers: tus });
  const offset = headers.get("upload-offset");
  return { status, offset: offset === null ? null : Number(offset) };
}

/** Sends the headers and the beginning of a part. The connection stays open. */
export function sendPart(who: Client, path: string, body: string | Uint8Array, more: Pairs) {
  const sent = sendLines(who, `PATCH ${path}`, { ...tus, "Content-Type": partType, ...more });
  sent.socket.write(body);
  return sent;
}

/** Sends the headers of a request. The connection stays open. */
export function sendLines(who: Client, line: string, headers: Pairs) {
  const sent = { Host: "a", Authorization: `Bearer ${who.token}`, ...headers };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(new URL(who.url("")).port), "127.0.0.1");
  socket.write(`${line} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (text.includes("\r\n\r\n")) resolve(text);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
  return { socket, answer };
}

/** The database of a running server. */
export async function openBeside({ dataDir }: TestServer): Promise<Database> {
  return openDatabase(readConfig({ DATA_DIR: dataDir, ...(await engineEnv(dataDir)) }));
}
