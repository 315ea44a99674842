import { mapSlices } from "../../platform/database/slices.ts";
import { isOwnerOrAdmin } from "../../platform/http/route.ts";
import { toDirectory, root } from "../../content/files/rows.ts";
import { listDirectory } from "../../content/files/store.ts";
import { hrefOf, pathKeyOf } from "./address.ts";
import { type DeadProperty, findProperties } from "./dead-properties.ts";
import {
  findContentTimes,
  type Known,
  livePropertyNames,
  liveProperty,
  quotaPropertyNames,
  readQuota,
} from "./live-properties.ts";
import { findLocksAt, findLocksOn } from "./locks.ts";
import { multistatus, propertyResponse } from "./multistatus.ts";
import { missingHere, Refusal } from "./refusal.ts";
import { findResource, isDirectory, type Resource } from "./resources.ts";
import { listSideFiles } from "./side-files.ts";
import type { Visit } from "./visit.ts";
import { childOf, davNamespace, type Element, isDav, isElement } from "./xml.ts";
import { readXML } from "./xml-reader.ts";
import { element, emptyElement } from "./xml-writer.ts";

type Name = { namespace: string; name: string };
type Wanted = { kind: "all"; more: Name[] } | { kind: "names" } | { kind: "some"; names: Name[] };
type Entry = { names: string[]; resource: Resource };

/** What is at an address, and with depth 1 what is in it. */
export async function propfind(visit: Visit): Promise<Response> {
  const { exchange, caller, names, db } = visit;
  const depth = exchange.request.headers.get("depth") ?? "infinity";
  if (depth !== "0" && depth !== "1")
    throw new Refusal(403, "The Depth must be 0 or 1.", { condition: "propfind-finite-depth" });
  const wanted = readWanted(await readXML(exchange));
  const resource = await findResource(db, caller, names);
  if (!resource) throw missingHere();
  return multistatus(describeAll());

  async function* describeAll(): AsyncGenerator<string> {
    const describe = await createDescribe(visit, wanted);
    yield await describe([{ names, resource: resource as Resource }]);
    if (depth === "0" || !isDirectory(resource as Resource)) return;
    for await (const texts of mapSlices(listMembers(visit, resource as Resource), async (some) => [
      await describe(some),
    ]))
      yield texts.join("");
  }
}

async function* listMembers({ db, caller, names }: Visit, resource: Resource): AsyncGenerator<Entry[]> {
  const directory = resource.kind === "file" ? toDirectory(resource.file) : root;
  for await (const files of listDirectory(db, caller, directory))
    yield files.map((file) => ({ names: [...names, file.name], resource: { kind: "file", file } }));
  for await (const files of listSideFiles(db, caller.id, directory.id))
    yield files.map((file) => ({ names: [...names, file.name], resource: { kind: "side", file } }));
}

function readWanted(body: Element | null): Wanted {
  if (!body) return { kind: "all", more: [] };
  if (!isDav(body, "propfind")) throw new Refusal(400, "The body must be the element propfind.");
  if (childOf(body, "propname")) return { kind: "names" };
  const prop = childOf(body, "prop");
  if (prop) return { kind: "some", names: unique(prop.children.filter(isElement)) };
  if (!childOf(body, "allprop")) throw new Refusal(400, "The body must say which properties are wanted.");
  return { kind: "all", more: unique(childOf(body, "include")?.children.filter(isElement) ?? []) };
}

const unique = (names: Name[]): Name[] => [
  ...new Map(names.map(({ namespace, name }) => [`${namespace} ${name}`, { namespace, name }])).values(),
];

/** Describes some resources in a few queries, and asks only for what is wanted. */
async function createDescribe({ db, caller, names, quotaBytes }: Visit, wanted: Wanted) {
  const asked = wanted.kind === "names" ? [] : wanted.kind === "some" ? wanted.names : wanted.more;
  const isAsked = (name: string) => asked.some((one) => one.namespace === davNamespace && one.name === name);
  const withLocks = wanted.kind !== "names" && (wanted.kind === "all" || isAsked("lockdiscovery"));
  const withDead = wanted.kind !== "some" || asked.some(({ namespace }) => namespace !== davNamespace);
  const withTimes = wanted.kind === "all" || isAsked("getlastmodified");
  const quota = quotaPropertyNames.some(isAsked) ? await readQuota(db, caller.id, quotaBytes) : null;
  const above = withLocks ? (await findLocksOn(db, names)).filter(({ isDeep }) => isDeep) : [];

  /** What a client has noted about a file is for those who may change it. */
  const notedOn = ({ resource }: Entry): number[] =>
    resource.kind === "file" && isOwnerOrAdmin(caller, resource.file) ? [resource.file.id] : [];

  return async (entries: Entry[]): Promise<string> => {
    const ids = entries.flatMap(({ resource }) => (resource.kind === "file" ? resource.file.id : []));
    const keyed = entries.map((entry) => ({ ...entry, key: pathKeyOf(entry.names) }));
    const [times, dead, own] = await Promise.all([
      withTimes ? findContentTimes(db, ids) : new Map<number, number>(),
      withDead ? findProperties(db, entries.flatMap(notedOn)) : new Map<number, DeadProperty[]>(),
      withLocks
        ? findLocksAt(
            db,
            keyed.map(({ key }) => key),
          )
        : [],
    ]);
    const locksByKey = Map.groupBy(own, ({ pathKey }) => pathKey);
    return keyed
      .map(({ names: place, resource, key }) => {
        const id = resource.kind === "file" ? resource.file.id : 0;
        const locks = [...above.filter(({ pathKey }) => pathKey !== key), ...(locksByKey.get(key) ?? [])];
        const known: Known = { caller, contentAt: times.get(id) ?? null, locks, quota };
        return describeOne(hrefOf(caller, place, isDirectory(resource)), resource, known, dead.get(id) ?? []);
      })
      .join("");
  };

  function describeOne(href: string, resource: Resource, known: Known, dead: DeadProperty[]): string {
    const found: string[] = [];
    const missing: string[] = [];
    const addLive = (name: string) => {
      const value = liveProperty(name, resource, known);
      if (value !== null) found.push(wanted.kind === "names" ? emptyElement(davNamespace, name) : element(name, value));
      return value !== null;
    };
    if (wanted.kind !== "some") {
      for (const name of livePropertyNames) addLive(name);
      for (const { namespace, name, value } of dead)
        found.push(wanted.kind === "names" ? emptyElement(namespace, name) : value);
    }
    for (const { namespace, name } of asked) {
      if (namespace === davNamespace && wanted.kind === "all" && livePropertyNames.some((one) => one === name))
        continue;
      const noted = dead.find((one) => one.namespace === namespace && one.name === name);
      if (noted) {
        if (wanted.kind === "some") found.push(noted.value);
      } else if (namespace !== davNamespace || !addLive(name)) missing.push(emptyElement(namespace, name));
    }
    return propertyResponse(href, [
      { status: 200, inner: found.join("") },
      { status: 404, inner: missing.join("") },
    ]);
  }
}
