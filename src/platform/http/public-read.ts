import type { Exchange } from "./exchange.ts";
import { originOf } from "./exchange.ts";
import { createFrequent } from "../frequent.ts";
import { createRemembered } from "../remembered.ts";
import { chooseLanguage } from "./language.ts";
import { parameterNames } from "./parameter-names.ts";
import { isMedia, type Route } from "./route.ts";

/**
 * What a public response may depend on. The key of the cache is made of it, and the handler gets nothing else of the
 * request: so a response cannot contain what is not in its key.
 */
type PublicRead = {
  /** The language that the client prefers. Null if it has none of the site's, and for the API. */
  readonly language: string | null;
  /** Under which the client knows this server; "" for the API, whose responses do not contain it. */
  readonly origin: string;
  readonly path: string;
  /** The parameters that the route knows, sorted by name, or "". */
  readonly search: string;
};

/** Whether the responses to guests may be kept: pages and JSON that depend on nothing else of the request. */
export const isPublicRead = ({ role, headers, isNeverKept, isPage, limit, response }: Route): boolean =>
  !role && !headers && !isNeverKept && (isPage ?? (!limit && !isMedia(response)));

/** Without a configured URL, pages are kept for this many hosts: anyone can send requests with any number of them. */
const maxHosts = 8;

type Deps = { api: string; baseURL: string; languages: readonly string[] };

export type PublicReads = ReturnType<typeof createPublicReads>;

export function createPublicReads({ api, baseURL, languages }: Deps) {
  const ownOrigin = baseURL === "" ? null : new URL(baseURL).origin;
  const isFrequent = createFrequent(maxHosts);

  return { keyOf, read, mayKeep };

  /** For a request without a query, or whose query is as `read` would write it. */
  function keyOf(exchange: Exchange, search: string): string {
    const { path, target } = exchange;
    return prefixOf(exchange) + (search === exchange.search ? target : path + search);
  }

  function read(exchange: Exchange, route: Route): PublicRead {
    const search = knownParameters(route, exchange.search);
    const { path } = exchange;
    if (path.startsWith(api)) return { language: null, origin: "", path, search };
    return { language: languageOf(exchange), origin: ownOrigin ?? originOf(exchange), path, search };
  }

  /** Whether the response may be kept in memory. Counts the request for its host. */
  function mayKeep({ path, host }: Exchange): boolean {
    return ownOrigin !== null || path.startsWith(api) || isFrequent(host.toLowerCase());
  }

  function prefixOf(exchange: Exchange): string {
    if (exchange.path.startsWith(api)) return "";
    return `${languageOf(exchange)} ${ownOrigin ?? originOf(exchange)} `;
  }

  function languageOf({ request }: Exchange): string | null {
    return chooseLanguage(request.headers.get("accept-language"), languages);
  }
}

/** The request as the handler of a public response sees it. Every field is listed, so that a new one has to be decided on. */
export function showOnly(exchange: Exchange, { language, origin, path, search }: PublicRead): Exchange {
  const request = requestOf(origin, language);
  return {
    request,
    server: null,
    id: "",
    started: 0,
    method: "GET",
    host: request.headers.get("host") ?? "",
    path,
    search,
    target: path + search,
    grantToken: null,
    address: "",
    baseURL: exchange.baseURL,
    isSecure: origin.startsWith("https:"),
    operation: exchange.operation,
    key: null,
    lastProgress: 0,
    abandoned: false,
    stopReceiving: null,
    isIdleTimerOff: false,
    callerID: undefined,
  };
}

/** Handlers only read it, so that the same one serves all. */
function requestOf(origin: string, language: string | null): Request {
  const text = `${language} ${origin}`;
  const known = requests.get(text);
  if (known) return known;
  const headers = new Headers();
  if (origin !== "") headers.set("host", new URL(origin).host);
  if (language !== null) headers.set("accept-language", language);
  const request = new Request("http://page.invalid/", { headers });
  requests.set(text, request);
  return request;
}

const requests = createRemembered<Request>(100);

/** The parameters that the route knows, sorted by name: others do not change the response. */
function knownParameters(route: Route, search: string): string {
  if (search === "") return "";
  const names = parameterNames(route);
  // Of a parameter that is sent repeatedly, the last one counts.
  const sent = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) if (names.has(name)) sent.set(name, value);
  if (sent.size === 0) return "";
  const sorted = [...sent].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `?${new URLSearchParams(sorted).toString()}`;
}
