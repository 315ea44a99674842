import type { Config } from "../config.ts";
import { createIntake } from "../content/files/intake.ts";
import { createOriginals } from "../content/photos/originals.ts";
import { createImages } from "../core/images/read.ts";
import type { openForAdding } from "../engines.ts";
import { findersOf, type Module, reactionsOf } from "../module.ts";
import { startDecoder } from "../platform/images/decoder.ts";
import { startRenderer } from "../platform/markdown/renderer.ts";

type Added = Awaited<ReturnType<typeof openForAdding>>;

/**
 * What an import writes with, beside a server that may be running. The server reads the images, but for those that posts show;
 * processes for these are started when the first one is needed.
 */
export function openMachine({ db, blobs }: Added, config: Config, modules: readonly Module[]) {
  const decoder = startDecoder({ ffmpeg: config.ffmpeg });
  const markdown = startRenderer();
  const reactions = reactionsOf(modules);
  // The server removes variants that an older reader has left.
  const kept = { ...blobs, removeDerived: async () => {} };
  const images = createImages(db, kept, decoder, async (tx, { sha256 }, wasWaiting) => {
    for (const { imageRead } of reactions) await imageRead?.(tx, sha256, wasWaiting);
  });
  // What it leaves unused, the server removes.
  const received = { ...blobs, removeUnused: async () => {} };
  const later = { readAhead: async () => {} };
  return {
    db,
    images,
    markdown,
    intake: createIntake({ db, blobs: received, images: later, limits: config }),
    originals: createOriginals(findersOf(modules)),
    reactions,
    [Symbol.dispose]() {
      decoder.close();
      markdown.close();
    },
  };
}
