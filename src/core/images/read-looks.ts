import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { Problem } from "../../platform/errors.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import type { Decoder } from "../../platform/images/decoder.ts";
import type { Look } from "../../platform/images/look.ts";
import { UnreadableImage } from "../../platform/images/unreadable.ts";
import { masterName } from "./image.ts";
import { listWithoutLook, storeLook } from "./store.ts";

const imagesAtOnce = 20;

type Deps = { db: Database; blobs: Blobs; decoder: Decoder; stopping: AbortSignal };

/** Computes the looks of pictures that an earlier version has read. After a restart it goes on where it was. */
export async function readMissingLooks({ db, blobs, decoder, stopping }: Deps): Promise<void> {
  for (let last = ""; ;) {
    const images = await listWithoutLook(db, last, imagesAtOnce);
    for (const { sha256, duration } of images) {
      if (stopping.aborted) return;
      const look = duration === null ? await readLook(blobs, decoder, sha256) : null;
      if (look !== "unavailable") await db.transaction((tx) => storeLook(tx, sha256, look));
      await nextTurn();
    }
    if (images.length < imagesAtOnce) return;
    last = images.at(-1)?.sha256 ?? "";
  }
}

/** `unavailable` if it cannot be computed now. */
async function readLook(blobs: Blobs, decoder: Decoder, sha256: string): Promise<Look | null | "unavailable"> {
  try {
    const master = await blobs.openDerived(sha256, masterName);
    if (master) return (await decoder.measure(new Uint8Array(await new Response(master.bytes).arrayBuffer()))).look;
    const measured = await blobs.withLocalFile(sha256, (path) => decoder.measure(path));
    return measured ? measured.look : "unavailable";
  } catch (error) {
    if (error instanceof UnreadableImage) return error.isPermanent ? null : "unavailable";
    if (error instanceof Problem) return "unavailable";
    throw error;
  }
}
