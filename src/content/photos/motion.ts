import { missing } from "../../platform/errors.ts";
import { contentStatuses } from "../files/content.ts";
import { openClean } from "../../core/images/clean.ts";
import type { Images } from "../../core/images/read.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { getStoredPhoto } from "./store.ts";

export function motionRoute(db: Database, blobs: Blobs, images: Images): Route {
  return route({
    method: "GET",
    path: "/api/v1/photos/:id/motion",
    name: "readPhotoMotion",
    tag: "Photos",
    summary: "Read the video of a motion photo",
    details:
      "The video that a phone recorded with the picture, without its location. Supports conditional requests and single ranges.",
    limit: "media",
    personal: true,
    granted: true,
    response: { contentTypes: ["video/mp4"], description: "The video" },
    statuses: { ...contentStatuses, 503: "The server is still reading this file: try again" },
    async handle({ params, viewer }) {
      const { file } = await getStoredPhoto(db, viewer, params.id);
      const image = file && (await images.read(file));
      const video = image?.motion?.bytes;
      if (!file || !video) throw missing(`video in photo ${params.id}`);
      const { sha256 } = image;
      return {
        headers: { "Content-Type": "video/mp4", "Cache-Control": "no-cache" },
        etag: `"${video.sha256}"`,
        size: video.size,
        async open(range, isHead) {
          const bytes = isHead ? null : await openClean(blobs, { sha256, size: file.size }, video, range ?? undefined);
          if (!bytes && !(isHead && (await blobs.has(sha256))))
            throw missing(`video in photo ${params.id}: its bytes are missing from the storage`);
          return { bytes, length: range ? range.end - range.start : video.size };
        },
      };
    },
  });
}
