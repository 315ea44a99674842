import { expect, test } from "bun:test";
import { z } from "zod";
import { numbersFrom } from "../../../tests/kit/random-writes.ts";
import type { Exchange } from "./exchange.ts";
import { createPublicReads, showOnly } from "./public-read.ts";
import { route } from "./route.ts";

const random = numbersFrom(11);
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

const page = route({
  method: "GET",
  path: "/list",
  name: "list",
  tag: "",
  summary: "",
  isPage: true,
  query: z.object({ cursor: z.string().optional(), tag: z.string().optional() }),
  response: { contentTypes: ["text/html"], description: "" },
  handle: () => ({ headers: {}, body: null }),
});

/** Everything about it is random, but some of it is often the same. */
function anyExchange(baseURL: string): Exchange {
  const names = ["cursor", "tag", "utm", "leak", "__proto__", "c%75rsor"];
  const values = ["1", "2", "a+b", "a%20b", "%ff", "%E4", "", "x&y", "😀"];
  const parameters = Array.from({ length: random(4) }, () => `${pick(names)}=${pick(values)}`);
  const headers = new Headers({
    Host: pick(["a.example", "A.example", "a.example:80", "a.example:8080", "[::1]:8080", "127.0.0.1"]),
    Cookie: `c=${random(1000)}`,
    "User-Agent": `agent ${random(1000)}`,
    "X-Forwarded-Host": `h${random(1000)}.example`,
    ...pick([{}, { "Accept-Language": pick(["de", "en", "de-AT, en;q=0.5", "fr"]) }]),
  });
  const host = headers.get("host") ?? "";
  const path = pick(["/list", "/api/list"]);
  const search = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  return {
    request: new Request("http://x.example/", { headers }),
    server: { requestIP: () => null, timeout() {} },
    id: `id ${random(1000)}`,
    started: random(1000),
    method: "GET",
    host,
    path,
    search,
    target: path + search,
    grantToken: null,
    address: `192.0.2.${random(250)}`,
    baseURL,
    isSecure: random(2) === 0,
    operation: null,
    key: null,
    lastProgress: random(1000),
    abandoned: false,
    stopReceiving: null,
    isIdleTimerOff: false,
    callerID: undefined,
  };
}

/** All that a handler could print. */
const describe = ({ request, server, operation, ...rest }: Exchange) =>
  JSON.stringify([rest, request.url, request.method, [...request.headers], server, operation]);

test.each(["", "https://own.example", "http://own.example:8080"])(
  "handlers see the same for all requests with one key, with the base URL %j",
  (baseURL) => {
    const reads = createPublicReads({ api: "/api/", baseURL, languages: ["en", "de"] });
    const seen = new Map<string, string>();
    let again = 0;
    for (let number = 0; number < 5000; number++) {
      const exchange = anyExchange(baseURL);
      const read = reads.read(exchange, page);
      const key = reads.keyOf(exchange, read.search);
      const { request } = showOnly(exchange, read);
      expect(request.headers.get("accept-language")).toBe(read.language);
      expect(request.headers.get("host")).toBe(read.origin === "" ? null : new URL(read.origin).host);
      const shown = describe(showOnly(exchange, read));
      if (seen.has(key)) again++;
      expect(seen.get(key) ?? shown).toBe(shown);
      seen.set(key, shown);
      // The same key is found again by the query that is in it.
      const { search } = reads.read({ ...exchange, search: read.search, target: exchange.path + read.search }, page);
      expect(search).toBe(read.search);
    }
    expect(seen.size).toBeGreaterThan(50);
    expect(again).toBeGreaterThan(1000);
  },
);
