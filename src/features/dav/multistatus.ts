import { STATUS_CODES } from "node:http";
import { nextTurn } from "../../platform/event-loop.ts";
import { longTextAnswer } from "../../platform/http/long-text.ts";
import { element, escapeXML, xmlHead } from "./xml-writer.ts";

type PropertyStatus = { status: number; inner: string; condition?: string | undefined };

const statusLine = (status: number) => element("status", `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}`);

/** The properties of one resource, by their status. Those without properties are left out, unless it is the only one. */
export function propertyResponse(href: string, statuses: PropertyStatus[]): string {
  const used = statuses.filter(({ inner }) => inner !== "");
  const shown = used.length > 0 ? used : statuses.slice(0, 1);
  const texts = shown.map(({ status, inner, condition }) =>
    element(
      "propstat",
      // Some clients expect it even if it is empty.
      (inner === "" ? "<d:prop/>" : element("prop", inner)) +
        statusLine(status) +
        (condition === undefined ? "" : element("error", element(condition, ""))),
    ),
  );
  return element("response", element("href", escapeXML(href)) + texts.join(""));
}

/** So many characters or parts are written at once; then other requests run. */
const atOnce = { characters: 2 ** 16, parts: 100 };

/** A response of several parts, which is sent while its parts are being written if it is long. */
export async function multistatus(parts: AsyncGenerator<string>): Promise<Response> {
  const answer = await longTextAnswer("application/xml", wrap(parts));
  const headers = { "Content-Type": "application/xml; charset=utf-8" };
  return new Response("plain" in answer ? answer.plain.body : answer.body, { status: 207, headers });
}

async function* wrap(parts: AsyncGenerator<string>): AsyncGenerator<string> {
  let text = `${xmlHead}<d:multistatus xmlns:d="DAV:">`;
  let count = 0;
  for await (const part of parts) {
    text += part;
    if (++count % atOnce.parts > 0 && text.length < atOnce.characters) continue;
    yield text;
    text = "";
    await nextTurn();
  }
  yield `${text}</d:multistatus>`;
}
