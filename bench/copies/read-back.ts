import type { Running } from "../servers/vitrine.ts";
import type { Site } from "./site.ts";

export type ReadBack = { writes: number; stale: number; errors: string[]; rate: number };

const writers = 16;

/**
 * Each writer changes a post of its own at one copy, and reads it at the next one, as a guest, right after the response. A
 * response with the older title is stale.
 */
export async function readBack(copies: Running[], { token }: Site, milliseconds: number): Promise<ReadBack> {
  const errors: string[] = [];
  let [writes, stale] = [0, 0];
  const send = async (copy: number, method: string, path: string, json?: unknown) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const url = `${copies[copy % copies.length]?.url}/api/v1/blog${path}`;
    const response = await fetch(url, json ? { method, headers, body: JSON.stringify(json) } : {});
    const body = (await response.json()) as { id: number; title: string; error?: string };
    if (!response.ok) errors.push(`${method} ${response.status}: ${body.error}`);
    return body;
  };
  const posts = await Promise.all(
    Array.from({ length: writers }, (_, index) => send(index, "POST", "", { title: "New", content: "Text." })),
  );
  const started = performance.now();
  await Promise.all(
    posts.map(async ({ id }, writer) => {
      for (let number = 1; performance.now() - started < milliseconds; number++) {
        const copy = writer + number;
        // Once before, so that the next copy has the older response in its memory.
        await send(copy + 1, "GET", `/${id}`);
        await send(copy, "PUT", `/${id}`, { title: `Title ${number}` });
        const { title } = await send(copy + 1, "GET", `/${id}`);
        writes++;
        if (title !== `Title ${number}`) stale++;
      }
    }),
  );
  return { writes, stale, errors, rate: (writes / (performance.now() - started)) * 1000 };
}
