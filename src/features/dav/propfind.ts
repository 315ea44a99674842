import { isOwnerOrAdmin } from "../../platform/http/route.ts";
import { toDirectory, root } from "../../content/files/rows.ts";
import { listDirectory } from "../../content/files/store.ts";
import { hrefOf, pathKeyOf } from "./address.ts";
import { type DeadProperty, findProperties, measureProperties, mostNamed } from "./dead-properties.ts";
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

/** What clients have noted about files is read for some files at a time: as many as have so many characters. */
const notedAtOnce = 2 ** 20;
/**
 * Properties that a resource does not have are named for it. In a long list, they would be repeated for each entry: after so many
 * characters, only a few names are.
 */
const maxMissing = { inAll: 2 ** 21, ofEach: 1000 };

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
    yield* describe([{ names, resource: resource as Resource }]);
    if (depth === "0" || !isDirectory(resource as Resource)) return;
    for await (const some of listMembers(visit, resource as Resource)) yield* describe(some);
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

const keyOf = ({ namespace, name }: Name) => `${namespace} ${name}`;

function unique(names: Name[]): Name[] {
  const found = [...new Map(names.map((one) => [keyOf(one), one])).values()];
  if (found.length > mostNamed) throw new Refusal(400, `A request can ask for ${mostNamed} properties.`);
  return found.map(({ namespace, name }) => ({ namespace, name }));
}

/** Describes some resources in a few queries, one after the other, and asks only for what is wanted. */
async function createDescribe({ db, caller, names, quotaBytes }: Visit, wanted: Wanted) {
  const askedNames = wanted.kind === "names" ? [] : wanted.kind === "some" ? wanted.names : wanted.more;
  const asked = askedNames.map((one) => ({ ...one, key: keyOf(one), empty: emptyElement(one.namespace, one.name) }));
  const isAsked = (name: string) => asked.some((one) => one.namespace === davNamespace && one.name === name);
  const withLocks = wanted.kind !== "names" && (wanted.kind === "all" || isAsked("lockdiscovery"));
  const withDead = wanted.kind !== "some" || asked.some(({ namespace }) => namespace !== davNamespace);
  const withTimes = wanted.kind === "all" || isAsked("getlastmodified");
  const quota = quotaPropertyNames.some(isAsked) ? await readQuota(db, caller.id, quotaBytes) : null;
  const above = withLocks ? (await findLocksOn(db, names)).filter(({ isDeep }) => isDeep) : [];

  /** What a client has noted about a file is for those who may change it. */
  const notedOn = ({ resource }: Entry): number[] =>
    resource.kind === "file" && isOwnerOrAdmin(caller, resource.file) ? [resource.file.id] : [];
  const idOf = ({ resource }: Entry) => (resource.kind === "file" ? resource.file.id : null);

  let missingLeft = maxMissing.inAll;

  return async function* describe(entries: Entry[]): AsyncGenerator<string> {
    const keyed = entries.map((entry) => ({ ...entry, id: idOf(entry), key: pathKeyOf(entry.names) }));
    const ids = keyed.flatMap(({ id }) => id ?? []);
    const [times, lengths, own] = await Promise.all([
      withTimes ? findContentTimes(db, ids) : new Map<number, number>(),
      withDead ? measureProperties(db, entries.flatMap(notedOn)) : new Map<number, number>(),
      withLocks
        ? findLocksAt(
            db,
            keyed.map(({ key }) => key),
          )
        : [],
    ]);
    const locksByKey = Map.groupBy(own, ({ pathKey }) => pathKey);
    for (const some of splitByLength(keyed, ({ id }) => lengths.get(id ?? 0) ?? 0)) {
      const dead = await findProperties(
        db,
        some.flatMap(({ id }) => (id !== null && lengths.has(id) ? id : [])),
      );
      for (const { names: place, resource, id, key } of some) {
        const locks = [...above.filter(({ pathKey }) => pathKey !== key), ...(locksByKey.get(key) ?? [])];
        const known: Known = { caller, contentAt: times.get(id ?? 0) ?? null, locks, quota };
        yield describeOne(hrefOf(caller, place, isDirectory(resource)), resource, known, dead.get(id ?? 0) ?? []);
      }
    }
  };

  function describeOne(href: string, resource: Resource, known: Known, noted: DeadProperty[]): string {
    const found: string[] = [];
    const missing: string[] = [];
    const dead = new Map(noted.map((one) => [keyOf(one), one]));
    const addLive = (name: string) => {
      const value = liveProperty(name, resource, known);
      if (value !== null) found.push(wanted.kind === "names" ? emptyElement(davNamespace, name) : element(name, value));
      return value !== null;
    };
    if (wanted.kind !== "some") {
      for (const name of livePropertyNames) addLive(name);
      for (const { namespace, name, value } of dead.values())
        found.push(wanted.kind === "names" ? emptyElement(namespace, name) : value);
    }
    for (const { namespace, name, key, empty } of asked) {
      if (namespace === davNamespace && wanted.kind === "all" && livePropertyNames.some((one) => one === name))
        continue;
      const one = dead.get(key);
      if (one) {
        if (wanted.kind === "some") found.push(one.value);
      } else if (namespace !== davNamespace || !addLive(name)) missing.push(empty);
    }
    return propertyResponse(href, [
      { status: 200, inner: found.join("") },
      { status: 404, inner: limitMissing(missing).join("") },
    ]);
  }

  function limitMissing(texts: string[]): string[] {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    missingLeft -= length;
    return missingLeft > 0 || length <= maxMissing.ofEach ? texts : [];
  }
}

/** Splits a list so that the items of each part have at most `notedAtOnce` characters together, or are one item. */
function* splitByLength<Item>(items: Item[], lengthOf: (item: Item) => number): Generator<Item[]> {
  let part: Item[] = [];
  let length = 0;
  for (const item of items) {
    if (part.length > 0 && length + lengthOf(item) > notedAtOnce) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(item);
    length += lengthOf(item);
  }
  yield part;
}
