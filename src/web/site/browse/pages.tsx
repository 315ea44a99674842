/** @jsxImportSource hono/jsx */
import type { z } from "zod";
import { missing } from "../../../platform/errors.ts";
import { presentFile, type StoredFile } from "../../../content/files/file.ts";
import { toDirectory } from "../../../content/files/rows.ts";
import { byName, findByPath, listDirectoryByKey } from "../../../content/files/store.ts";
import { findPhotosOfFiles } from "../../../content/photos/store.ts";
import { isGuest, type Viewer } from "../../../platform/http/route.ts";
import { cursorQuery, listRequest, nextPage, readAll } from "../cursor.ts";
import { page, type Page, type PageCall, type View, type Visit } from "../page.ts";
import { browseTexts } from "../texts/browse.ts";
import { DirectoryView } from "./directory-view.tsx";
import { FileView } from "./file-view.tsx";
import { addressOf, Above, readNames, type Start, startAtRoot } from "./place.tsx";
import { findPreview, type Deps } from "./preview.ts";

const entriesOnPage = 100;

/** Directories by the names in their paths, which are unique: a name is taken once in a directory, also in the root. */
export function browsePages(deps: Deps): Page[] {
  const handle = async (call: PageCall<CursorQuery>): Promise<View> => {
    const names = readNames(call.path, "/browse");
    const view = await browse(deps, call, call.viewer, { ...call.query, start: startAtRoot(call), names });
    return { ...view, section: "files" };
  };
  return [
    page({ path: "/browse", query: cursorQuery, handle }),
    page({ path: "/browse/:path{.+}", query: cursorQuery, handle }),
  ];
}

type CursorQuery = z.output<typeof cursorQuery>;

type ListingQuery = CursorQuery & { start: Start; names: string[] };

/** The page of the file or directory at a path below the start. Throws if the viewer may not see it. */
export async function browse(deps: Deps, visit: Visit, viewer: Viewer, wanted: ListingQuery): Promise<View> {
  const { start, names } = wanted;
  const file = names.length === 0 ? null : await findByPath(deps.db, viewer, names, start.directory);
  if (names.length > 0 && !file) throw missing("such page");
  // The names as they are stored: a path may differ from them in case.
  const stored = file ? namesBelow(start, file) : [];
  const isPrivate = !isGuest(viewer) && file !== null && !(await findByPath(deps.db, null, names, start.directory));
  const found = { ...wanted, names: stored, isPrivate };
  return file?.isDirectory === false
    ? viewFile(deps, visit, viewer, { ...found, file })
    : viewDirectory(deps, visit, viewer, { ...found, file });
}

/** The names from the start down to the file. */
function namesBelow({ directory }: Start, file: StoredFile): string[] {
  const path = toDirectory(file).path.slice(directory.path === "/" ? 0 : directory.path.length);
  return path.split("/").slice(1);
}

type Listing<File> = ListingQuery & { isPrivate: boolean; file: File };

async function viewFile(deps: Deps, visit: Visit, viewer: Viewer, found: Listing<StoredFile>): Promise<View> {
  const { start, names, isPrivate, file } = found;
  const preview = await findPreview(deps, viewer, file);
  return {
    title: file.name,
    canonical: isPrivate ? null : addressOf(visit.links, names),
    isListing: true,
    body: (
      <div class="wide">
        <Above visit={visit} start={start} names={names} />
        <FileView visit={visit} file={presentFile(file, viewer)} preview={preview} isPrivate={isPrivate} />
      </div>
    ),
  };
}

async function viewDirectory(
  deps: Deps,
  visit: Visit,
  viewer: Viewer,
  found: Listing<StoredFile | null>,
): Promise<View> {
  const { db } = deps;
  const { start, names, isPrivate, file, cursor = "" } = found;
  const directory = file ? toDirectory(file) : start.directory;
  const list = { name: `directory ${directory.id}`, sort: byName, order: "asc", size: entriesOnPage } as const;
  const { items, next } = await listDirectoryByKey(db, viewer, directory, listRequest(list, cursor));
  const entries = (await readAll(items)).map((entry) => presentFile(entry, viewer));
  const pictures = entries.filter(({ contentType }) => /^(image|video)\//.test(contentType ?? ""));
  const photos = await findPhotosOfFiles(
    db,
    viewer,
    pictures.map(({ id }) => id),
  );
  const address = addressOf(visit.links, names);
  const following = nextPage(list, next);
  const nextAddress = following && address + following;
  return {
    title: names.at(-1) ?? start.title,
    ...(names.length === 0 && { description: browseTexts[visit.language].about }),
    canonical: isPrivate || cursor !== "" ? null : address,
    isListing: true,
    head: nextAddress === null ? undefined : <link rel="next" href={nextAddress} />,
    body: (
      <DirectoryView
        visit={visit}
        start={start}
        names={names}
        id={file?.id ?? start.id}
        entries={entries}
        photos={photos}
        isPrivate={isPrivate}
        nextAddress={nextAddress}
        isFirst={cursor === ""}
      />
    ),
  };
}
