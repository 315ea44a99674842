import type { S3 } from "./s3-calls.ts";
import { elements, textOf } from "./s3-xml.ts";

/** All objects whose keys begin with this, in pages. */
export async function* listObjects(
  s3: S3,
  prefix: string,
): AsyncGenerator<{ key: string; size: number; age: number }[]> {
  for (let last = ""; ;) {
    const query = { "list-type": "2", prefix, ...(last && { "start-after": last }) };
    const { headers, text } = await readPage(s3, query);
    const page = elements(text, "Contents").map((element) => {
      const age = ageOf(headers, textOf(element, "LastModified"));
      return { key: textOf(element, "Key"), size: Number(textOf(element, "Size")), age };
    });
    yield page;
    const next = page.at(-1)?.key;
    if (next === undefined || next <= last) return;
    last = next;
  }
}

/** Again if the response is cut. */
async function readPage(s3: S3, query: Record<string, string>): Promise<{ headers: Headers; text: string }> {
  for (let tries = 1; ; tries++) {
    const response = await s3.call({ method: "GET", key: "", query });
    try {
      return { headers: response.headers, text: await response.text() };
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

/** Both times come from the clock of the blob store, so ours does not have to be right. */
export function ageOf(headers: Headers, time = headers.get("last-modified") ?? ""): number {
  return (Date.parse(headers.get("date") ?? "") || Date.now()) - Date.parse(time);
}
