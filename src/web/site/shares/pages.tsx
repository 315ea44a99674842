/** @jsxImportSource hono/jsx */
import { z } from "zod";
import { getPostPage } from "../../../content/blog/post-page.ts";
import { missing, Problem } from "../../../platform/errors.ts";
import { presentFile } from "../../../content/files/file.ts";
import { toDirectory } from "../../../content/files/rows.ts";
import { getFile } from "../../../content/files/store.ts";
import type { MediaResult } from "../../../platform/http/content.ts";
import { queryInteger } from "../../../platform/http/validate.ts";
import type { ShareLinks } from "../../../features/shares/links.ts";
import { toGrant } from "../../../features/shares/open-link.ts";
import { granterOf } from "../../../core/records/visibility.ts";
import { FileView } from "../browse/file-view.tsx";
import { browse } from "../browse/pages.tsx";
import { readNames } from "../browse/place.tsx";
import { findPreview, type Deps } from "../browse/preview.ts";
import { cursorQuery } from "../cursor.ts";
import { page, type Page, readAlbumID, readID, type View, type Visit } from "../page.ts";
import { nameOf } from "../photo-name.ts";
import { shareTexts } from "../texts/shares.ts";
import { albumView } from "./album-page.tsx";
import type { LinkVisit } from "./opened.ts";
import { passwordView, unlock } from "./password-page.tsx";
import { photoView } from "./photo-page.tsx";
import { postView } from "./post-page.tsx";
import { acceptsUploads, receiveUpload, uploadView } from "./upload-page.tsx";

/**
 * The pages below `/s/<token>`. The platform takes the token out of the path, so that the paths here have none; a request
 * for such a path without a token finds nothing.
 */
export function sharePages(deps: Deps, shareLinks: ShareLinks): Page[] {
  const { db } = deps;
  return [
    page({
      path: "/s",
      query: cursorQuery,
      handle: (call) => open(call, (opened) => showRecord(opened, call.query)),
    }),
    page({
      path: "/s",
      method: "POST",
      handle: async (call) => (call.links.prefix === "" ? notFound() : unlock(call, shareLinks)),
    }),
    page({
      path: "/s/photos/:id{[0-9]+}",
      query: z.object({ album: queryInteger(Number.MAX_SAFE_INTEGER).optional() }),
      handle: (call) => open(call, (opened) => photoView(db, opened, readID(call.params["id"]), call.query.album)),
    }),
    page({
      path: "/s/albums/:album{[0-9][^/]*}",
      query: cursorQuery,
      handle: (call) =>
        open(call, (opened) => albumView(db, opened, readAlbumID(call.params["album"]), call.query.cursor)),
    }),
    page({
      path: "/s/browse/:path{.+}",
      query: cursorQuery,
      handle: (call) => open(call, (opened) => showDirectory(opened, readNames(call.path, "/s/browse"), call.query)),
    }),
    page({
      path: "/s/upload",
      query: z.object({ sent: z.string().optional(), name: z.string().max(100).optional() }),
      handle: (call) =>
        open(call, async (opened) => {
          if (!acceptsUploads(opened.link)) return notFound();
          const { sent, name } = call.query;
          const title = await findTitle(opened);
          return uploadView(call, opened.link, { title, wasSent: sent !== undefined, guestName: name });
        }),
    }),
    page({
      path: "/s/upload",
      method: "POST",
      handle: (call) =>
        open(call, async (opened) => receiveUpload(call, shareLinks, opened.link, await findTitle(opened))),
    }),
  ];

  /** Shows a page of the link, or the form for its password. */
  async function open(
    visit: Visit,
    show: (opened: LinkVisit) => Promise<View | MediaResult>,
  ): Promise<View | MediaResult> {
    if (visit.links.prefix === "") return notFound();
    const link = await shareLinks.open(visit.exchange).catch((error: unknown) => {
      if (error instanceof Problem && error.code === "unauthorized") return null;
      throw error;
    });
    if (!link) return passwordView(visit, visit.path.slice("/s".length) + visit.search);
    return show({ visit, link, viewer: { id: 0, role: "guest", grant: toGrant(link) } });
  }

  async function showRecord(opened: LinkVisit, query: { cursor?: string | undefined }): Promise<View> {
    const { visit, viewer, link } = opened;
    const { kind, recordID, allowDownload } = link.share;
    switch (kind) {
      case "photo":
        return photoView(db, opened, recordID);
      case "album":
        return albumView(db, opened, recordID, query.cursor);
      case "post":
        return postView(
          visit,
          await getPostPage(db, viewer, recordID, { nameOf: (photo) => nameOf(photo, visit.language) }),
        );
      case "file": {
        const file = await getFile(db, viewer, recordID);
        const preview = await findPreview(deps, viewer, file);
        const shown = <FileView visit={visit} file={presentFile(file, viewer)} preview={preview} isPrivate={false} />;
        return { title: file.name, canonical: null, isListing: true, body: <div class="wide">{shown}</div> };
      }
      case "directory":
        // Without downloads, the link only accepts uploads.
        return allowDownload
          ? showDirectory(opened, [], query)
          : uploadView(visit, link, { title: await findTitle(opened) });
      default: {
        const title = await findTitle(opened);
        return { title, canonical: null, body: <h1 class="column">{title}</h1> };
      }
    }
  }

  async function showDirectory(
    opened: LinkVisit,
    names: string[],
    query: { cursor?: string | undefined },
  ): Promise<View> {
    const { visit, viewer, link } = opened;
    if (link.share.kind !== "directory") return notFound();
    const file = await getFile(db, viewer, link.share.recordID);
    const start = { directory: toDirectory(file), title: file.name, id: file.id };
    const view = await browse(deps, visit, viewer, { start, names, cursor: query.cursor });
    const add = acceptsUploads(link) ? (
      <p class="wide actions">
        <a class="button quiet" href={`${visit.links.prefix}/upload`}>
          {shareTexts[visit.language].add}
        </a>
      </p>
    ) : null;
    return {
      ...view,
      canonical: null,
      body: (
        <>
          {view.body}
          {add}
        </>
      ),
    };
  }

  /** Also where the link shows nothing of the record but its title. */
  async function findTitle({ link }: LinkVisit): Promise<string> {
    const { share, shareable } = link;
    const found = await shareable.kind.find(db, granterOf(toGrant(link)), [share.recordID]);
    const title = found.get(share.recordID)?.title;
    return title === undefined ? notFound() : title;
  }
}

function notFound(): never {
  throw missing("such page");
}
