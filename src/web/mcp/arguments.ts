import { invalid } from "../../platform/errors.ts";
import { maxItems, type Place, type Tool, usualItems } from "./tool.ts";

type Arguments = Record<string, unknown>;
type Prepared = { target: string; headers: Record<string, string>; body: object | undefined };

/** The request that a call of a tool asks for. Throws an error whose sentence names the argument. */
export function prepare(tool: Tool, given: Arguments): Prepared {
  checkNames(tool, given);
  const { route, offer } = tool;
  const all: Arguments = { ...pagesOf(tool), ...offer.defaults, ...given };
  const at = (place: Place) => Object.entries(all).filter(([name]) => placeOf(tool, name) === place);
  const ids = new Map(at("path"));
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => toID(name, ids.get(name)));
  const query = [...at("query"), ...Object.entries(offer.fixed ?? {})].flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, toText(name, value)]],
  );
  const search = new URLSearchParams(Object.fromEntries(query)).toString();
  return {
    target: search ? `${path}?${search}` : path,
    headers: Object.fromEntries(
      at("header").map(([name, value]) => [headerNames[name] ?? name, toHeader(name, value)]),
    ),
    body: route.body ? Object.fromEntries(at("body")) : undefined,
  };
}

const headerNames: Record<string, string> = { idempotencyKey: "Idempotency-Key", ifMatch: "If-Match" };

/** What a tool does not have could mean something to the operation behind it. */
function checkNames({ places, required }: Tool, given: Arguments): void {
  const unknown = Object.keys(given).find((name) => !places.has(name));
  if (unknown !== undefined) {
    const known = places.size > 0 ? `its arguments are: ${[...places.keys()].join(", ")}` : "it has no arguments";
    throw invalid(`This tool has no argument "${unknown.slice(0, 100)}"; ${known}.`);
  }
  const absent = required.find((name) => given[name] === undefined);
  if (absent !== undefined) throw invalid(`"${absent}" is required.`, absent);
  const { pageSize } = given;
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && Number(pageSize) >= 1 && Number(pageSize) <= maxItems))
    throw invalid(`"pageSize" must be a whole number from 1 to ${maxItems}.`, "pageSize");
}

const placeOf = ({ places }: Tool, name: string): Place | undefined => places.get(name);

/** Also without arguments, a list comes in pages. */
const pagesOf = ({ isList }: Tool): Arguments => (isList ? { cursor: "", pageSize: usualItems } : {});

/** Nothing else is put into a path. */
function toID(name: string, value: unknown): string {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
    throw invalid(`"${name}" must be a whole number, at least 1.`, name);
  return String(value);
}

function toText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw invalid(`"${name}" must be a string.`, name);
}

function toHeader(name: string, value: unknown): string {
  if (typeof value !== "string" || !/^[\x21-\x7e]{1,255}$/.test(value))
    throw invalid(`"${name}" must be 1 to 255 visible ASCII characters.`, name);
  return value;
}
