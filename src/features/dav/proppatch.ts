import { hrefOf } from "./address.ts";
import { checkMayChange } from "./collections.ts";
import { readConditions } from "./conditions.ts";
import { checkProperties, maxLengthOfAll, mostNamed, removeProperty, setProperty } from "./dead-properties.ts";
import { multistatus, propertyResponse } from "./multistatus.ts";
import { missingHere, Refusal } from "./refusal.ts";
import { findResource, isDirectory } from "./resources.ts";
import type { Visit } from "./visit.ts";
import { childrenOf, davNamespace, type Element, isDav, isElement } from "./xml.ts";
import { readXML } from "./xml-reader.ts";
import { emptyElement, writeElement } from "./xml-writer.ts";

/** `value` is the element as XML; null if the property is removed. */
type Change = { property: Element; value: string | null };

/** PROPPATCH: all changes, in their order, or none. */
export async function proppatch(visit: Visit): Promise<Response> {
  const { exchange, caller, names, db } = visit;
  const changes = readChanges(await readXML(exchange));
  const conditions = readConditions(exchange, caller, names);
  const resource = await findResource(db, caller, names);
  if (!resource) throw missingHere();
  checkMayChange(visit, resource);
  await conditions.check(db, resource, [{ names, isMember: false, isTree: false }]);
  const isRefused = ({ property }: Change) => property.namespace === davNamespace || resource.kind !== "file";
  const hasRefused = changes.some(isRefused);
  if (resource.kind === "file" && !hasRefused)
    await db.transaction(async (tx) => {
      const current = await findResource(tx, caller, names);
      if (current?.kind !== "file") throw missingHere();
      await conditions.check(tx, current, [{ names, isMember: false, isTree: false }]);
      const { id } = current.file;
      for (const { property, value } of changes) {
        if (value === null) await removeProperty(tx, id, property);
        else await setProperty(tx, id, { ...property, value });
      }
      await checkProperties(tx, id);
    });
  const namesOf = (some: Change[]) =>
    [...new Set(some.map(({ property }) => emptyElement(property.namespace, property.name)))].join("");
  const refused = namesOf(changes.filter(isRefused));
  const others = namesOf(changes.filter((change) => !isRefused(change)));
  const response = propertyResponse(hrefOf(caller, names, isDirectory(resource)), [
    { status: hasRefused ? 424 : 200, inner: others },
    { status: 403, inner: refused, condition: "cannot-modify-protected-property" },
  ]);
  return multistatus(one(response));
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}

function readChanges(body: Element | null): Change[] {
  if (!body || !isDav(body, "propertyupdate")) throw new Refusal(400, "The body must be the element propertyupdate.");
  const room = { left: maxLengthOfAll, refuse: () => new Refusal(507, "The properties are too large.") };
  const changes = body.children.filter(isElement).flatMap((action) => {
    const isSet = isDav(action, "set");
    if (!isSet && !isDav(action, "remove")) return [];
    const properties = childrenOf(action, "prop").flatMap(({ children }) => children.filter(isElement));
    return properties.map((property) => ({ property, value: isSet ? writeElement(property, room) : null }));
  });
  if (changes.length > mostNamed) throw new Refusal(400, `A request can change ${mostNamed} properties.`);
  if (changes.length === 0) throw new Refusal(400, "The body must set or remove a property.");
  return changes;
}
