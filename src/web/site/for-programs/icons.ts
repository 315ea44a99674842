import { missing } from "../../../platform/errors.ts";
import { findFiles } from "../../../content/files/store.ts";
import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { Content } from "../../../platform/http/content.ts";
import type { Route } from "../../../platform/http/route.ts";
import type { Decoder } from "../../../platform/images/decoder.ts";
import { UnreadableImage } from "../../../platform/images/unreadable.ts";
import { createShared } from "../../../platform/once.ts";
import { findPublicName } from "../../../core/images/public-names.ts";
import { withTimeout } from "../../../core/images/read.ts";
import type { Renderer } from "../render.ts";
import { markAsIcon } from "./mark.ts";
import { webRoute } from "./web-route.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Deps = { db: Reader; blobs: Blobs; decoder: Decoder };

/** The icons that the manifest names. */
export const iconSides = [192, 512] as const;
const favicon = 48;
/** Phones put it on a tile, so it has a background. */
const touchIcon = 180;

/** Increase this when icons are made in another way: they are made again. */
const recipe = 1;

/** The icon of the site in several sizes: the chosen file, if it is a public picture, or else the mark of the program. */
export function iconRoutes({ db, blobs, decoder }: Deps, renderer: Renderer): Route[] {
  const once = createShared<Bytes>();
  const marks = new Map<number, Bytes>();
  /** Pictures that cannot be decoded. */
  const unreadable = new Set<string>();

  const icon = (path: `/${string}`, side: number, contentType = "image/png") =>
    webRoute(renderer, {
      path,
      contentType,
      limit: "media",
      async handle({ settings }): Promise<Content> {
        const sha256 = await findPicture(settings.iconFileID);
        const wrap = contentType === "image/png" ? (png: Bytes) => png : (png: Bytes) => toICO(png, side);
        return {
          headers: { "Content-Type": contentType, "Cache-Control": "no-cache" },
          etag: `"${sha256 === null ? "mark" : await findPublicName(db, "icon", sha256)}-${side}-${recipe}"`,
          async open() {
            const bytes = wrap(await withTimeout(sha256 === null ? drawMark(side) : makeIcon(sha256, side)));
            return { bytes, length: bytes.length };
          },
        };
      },
    });

  return [
    icon("/favicon.ico", favicon, "image/x-icon"),
    icon("/apple-touch-icon.png", touchIcon),
    ...iconSides.map((side) => icon(`/icon-${side}.png`, side)),
  ];

  async function findPicture(fileID: number | null): Promise<string | null> {
    const file = fileID === null ? undefined : (await findFiles(db, null, [fileID])).get(fileID);
    const sha256 = file?.contentType?.startsWith("image/") ? file.sha256 : null;
    return sha256 === null || unreadable.has(sha256) ? null : sha256;
  }

  async function makeIcon(sha256: string, side: number): Promise<Bytes> {
    const name = `icon-${side}-${recipe}.png`;
    try {
      return await once(`${sha256} ${name}`, async () => {
        const kept = await blobs.openDerived(sha256, name);
        if (kept) return new Uint8Array(await new Response(kept.bytes).arrayBuffer());
        const made = await blobs.withLocalFile(sha256, (path) => decoder.icon(path, side));
        if (!made) throw missing("icon: its bytes are missing from the storage");
        await blobs.keepDerived(sha256, name, made.bytes).catch(() => {});
        return made.bytes;
      });
    } catch (error) {
      if (!(error instanceof UnreadableImage)) throw error;
      unreadable.add(sha256);
      return drawMark(side);
    }
  }

  function drawMark(side: number): Promise<Bytes> {
    return once(`mark ${side}`, async () => {
      const known = marks.get(side);
      if (known) return known;
      const { bytes } = await decoder.draw(markAsIcon(side, side === touchIcon)).catch((error: unknown) => {
        throw error instanceof UnreadableImage ? missing(`icon: ${error.message}`) : error;
      });
      marks.set(side, bytes);
      return bytes;
    });
  }
}

/** An ICO file with one picture, which may be a PNG. */
function toICO(png: Bytes, side: number): Bytes {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(side, 6);
  header.writeUInt8(side, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return new Uint8Array(Buffer.concat([header, png]));
}
