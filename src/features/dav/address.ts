import { invalid } from "../../platform/errors.ts";
import { type Exchange, originOf } from "../../platform/http/exchange.ts";
import { checkDepth, checkName, nameKey } from "../../content/files/names.ts";
import { Refusal } from "./refusal.ts";

export const davPath = "/dav";

/** The names of a path below `davPath`, as it was sent. */
export function readNames(path: string): string[] {
  const parts = path
    .slice(davPath.length)
    .split("/")
    .filter((part) => part !== "");
  checkDepth(parts.length);
  return parts.map((part) => checkName(decode(part), "path"));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid("The path is not valid percent-encoded UTF-8.", "path");
  }
}

/** Clients compare it with the address that they asked for: that of a directory ends with a slash. */
export function hrefOf({ mount }: Mounted, names: readonly string[], isDirectory: boolean): string {
  const shown = names.slice(mount.length);
  return `${davPath}/${shown.map(encodeURIComponent).join("/")}${isDirectory && shown.length > 0 ? "/" : ""}`;
}

type Mounted = { readonly mount: readonly string[] };

/** The names of the address in `text`, which is a URL of this server, or a path of it; null if it is another one. */
export function readAddress(exchange: Exchange, { mount }: Mounted, text: string): string[] | null {
  const origin = originOf(exchange) || "http://localhost";
  const url = URL.parse(text, origin);
  // A proxy may have another port and scheme than the client knows.
  const hosts = [URL.parse(origin)?.hostname, URL.parse(`http://${exchange.host}`)?.hostname];
  if (!url || !hosts.includes(url.hostname)) return null;
  const { pathname } = url;
  const isHere = pathname === davPath || pathname.startsWith(`${davPath}/`);
  return isHere ? [...mount, ...readNames(pathname)] : null;
}

/** Where COPY and MOVE lead. */
export function readDestination(exchange: Exchange, visitor: Mounted): string[] {
  const header = exchange.request.headers.get("destination");
  if (header === null) throw new Refusal(400, "The request needs the header Destination.");
  const names = readAddress(exchange, visitor, header);
  if (!names) throw new Refusal(502, "The Destination is not on this server.");
  return names;
}

/** The path as it is compared: what is below it begins with it. */
export const pathKeyOf = (names: readonly string[]): string => `/${names.map((name) => `${nameKey(name)}/`).join("")}`;

/** The keys of all directories above, from the root on. */
export const keysAbove = (names: readonly string[]): string[] =>
  names.map((_, depth) => pathKeyOf(names.slice(0, depth)));
