import { copyIn, maxCopied, moveLocked } from "../../content/files/move.ts";
import { checkMayAdd } from "../../content/files/directories.ts";
import type { StoredFile } from "../../content/files/file.ts";
import { insertFile, lockFiles } from "../../content/files/store.ts";
import type { Directory } from "../../content/files/rows.ts";
import { checkQuota } from "../../core/storage/quota.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { pathKeyOf, readDestination } from "./address.ts";
import { checkMayChange, removeResource } from "./collections.ts";
import { type Conditions, readConditions } from "./conditions.ts";
import { copyProperties } from "./dead-properties.ts";
import { removeLocksOf } from "./locks.ts";
import { missingHere, Refusal } from "./refusal.ts";
import { canGiveContent, giveContent } from "./give-content.ts";
import { findDirectory, findResource, isDirectory, type Resource } from "./resources.ts";
import { isSideName, moveSideFile, putSideFile, removeSideFile } from "./side-files.ts";
import { isRootOf, type Visit } from "./visit.ts";

type Kind = "copy" | "move";
type Asked = { kind: Kind; to: string[]; mayReplace: boolean; isShallow: boolean };

/** Both ends of a transfer, as they are now. */
type Ends = { source: Resource; directory: Directory; target: Resource | null };

/** COPY and MOVE. */
export const transfer =
  (kind: Kind) =>
  async (visit: Visit): Promise<Response> => {
    const { exchange, caller, names, db, images } = visit;
    const asked = readAsked(visit, kind);
    const conditions = readConditions(exchange, caller, names);
    await findEnds(db, visit, conditions, asked);
    let replaced: StoredFile | null = null;
    const isNew = await db.transaction(
      async (tx) => {
        const before = await findEnds(tx, visit, conditions, asked);
        const ids = [before.source, before.target].flatMap((one) => (one?.kind === "file" ? one.file.id : []));
        if (ids.length > 0) await lockFiles(tx, ids);
        const ends = await findEnds(tx, visit, conditions, asked);
        replaced = await write(tx, visit, asked, ends);
        if (kind === "move") await removeLocksOf(tx, names);
        return ends.target === null || isSame(ends);
      },
      { isLong: kind === "copy" },
    );
    if (replaced) await images.readAhead(replaced);
    return new Response(null, { status: isNew ? 201 : 204 });
  };

function readAsked({ exchange, caller, names }: Visit, kind: Kind): Asked {
  const { headers } = exchange.request;
  const to = readDestination(exchange, caller);
  const depth = (headers.get("depth") ?? "infinity").toLowerCase();
  if (depth !== "infinity" && (kind === "move" || depth !== "0"))
    throw new Refusal(400, "The Depth must be infinity, or 0 for a copy.");
  const overwrite = (headers.get("overwrite") ?? "T").trim().toUpperCase();
  if (overwrite !== "T" && overwrite !== "F") throw new Refusal(400, "The header Overwrite is T or F.");
  if (isRootOf(caller, names) || isRootOf(caller, to))
    throw new Refusal(403, "The root cannot be copied, moved or replaced.");
  return { kind, to, mayReplace: overwrite === "T", isShallow: depth === "0" };
}

/** Throws if the transfer is not allowed or not possible. */
async function findEnds(db: Reader, visit: Visit, conditions: Conditions, asked: Asked): Promise<Ends> {
  const { caller, names } = visit;
  const { kind, to, mayReplace } = asked;
  const source = await findResource(db, caller, names);
  if (!source) throw missingHere();
  checkMayChange(visit, source);
  const target = await findResource(db, caller, to);
  const directory = await findDirectory(db, caller, to.slice(0, -1));
  const ends = { source, target, directory: directory as Directory };
  refuseCircle(asked, names, ends);
  if (!directory) throw new Refusal(409, "The directory of the Destination does not exist: create it first.");
  await checkMayAdd(db, caller, to.slice(0, -1));
  if (target && !isSame(ends)) {
    if (!mayReplace) throw new Refusal(412, "There is already something at the Destination.");
    checkMayChange(visit, target);
  }
  const touched = [{ names: to, isMember: target === null, isTree: target !== null }];
  if (kind === "move") touched.push({ names, isMember: true, isTree: true });
  await conditions.check(db, source, touched);
  return ends;
}

/** Whether only the spelling of the name changes. */
const isSame = ({ source, target }: Pick<Ends, "source" | "target">): boolean =>
  source.kind !== "root" && source.kind === target?.kind && source.file.id === target.file.id;

function refuseCircle({ kind, to }: Asked, names: string[], ends: Ends): void {
  const [from, into] = [pathKeyOf(names), pathKeyOf(to)];
  const isRename = kind === "move" && names.at(-1) !== to.at(-1) && isSame(ends);
  if (from === into && !isRename) throw new Refusal(403, "The Destination is the same as the source.");
  if (from === into) return;
  if (from.startsWith(into)) throw new Refusal(403, "The Destination contains the source.");
  if (into.startsWith(from) && isDirectory(ends.source))
    throw new Refusal(403, "The Destination is inside the source.");
}

/** Returns the file that got another content, if one did. */
async function write(tx: Queries, visit: Visit, asked: Asked, ends: Ends): Promise<StoredFile | null> {
  const { source, target } = ends;
  if (target?.kind === "file" && !isSame(ends)) {
    // A program that saves by replacing a file with a new one still saves the same file.
    const gift = { source, target: target.file, isMove: asked.kind === "move" };
    if (await canGiveContent(tx, visit, gift)) return giveContent(tx, visit, gift);
  }
  if (target && !isSame(ends)) {
    await removeResource(tx, visit, target);
    await removeLocksOf(tx, asked.to);
  }
  if (source.kind === "side") await writeSide(tx, visit, asked, ends);
  else await writeFile(tx, visit, asked, ends);
  return null;
}

async function writeFile(tx: Queries, visit: Visit, asked: Asked, { source, directory }: Ends): Promise<void> {
  if (source.kind !== "file") return;
  const { file } = source;
  const { caller, quotaBytes } = visit;
  const { kind, to, isShallow } = asked;
  const destination = { path: `/${to.slice(0, -1).join("/")}`, name: to.at(-1) as string };
  if (kind === "move") {
    await moveLocked(tx, caller, file, destination);
    return;
  }
  const copied =
    isShallow && file.isDirectory
      ? await insertFile(tx, { ...file, directory, name: destination.name, ownerID: caller.id, content: null })
      : (await copyIn(tx, caller, file, { ...destination, most: maxCopied })).copied;
  await copyProperties(tx, file.id, copied.id);
  await checkQuota(tx, { ownerID: caller.id, quotaBytes });
}

async function writeSide(tx: Queries, visit: Visit, { kind, to }: Asked, { source, directory }: Ends): Promise<void> {
  if (source.kind !== "side") return;
  const { caller, quotaBytes } = visit;
  const { file } = source;
  const name = to.at(-1) as string;
  const place = { ownerID: caller.id, parentID: directory.id, name };
  if (isSideName(name)) {
    if (kind === "move") await moveSideFile(tx, file.id, place);
    else await putSideFile(tx, place, file);
  } else {
    await insertFile(tx, { directory, name, ownerID: caller.id, content: file });
    if (kind === "move") await removeSideFile(tx, file.id);
  }
  await checkQuota(tx, { ownerID: caller.id, quotaBytes });
}
