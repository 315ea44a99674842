/* The same pictures with only the library: as many at once as there are cores, one thread each, nothing stored. */
import sharp from "sharp";
import type { Format } from "../../src/platform/images/decoder.ts";
import { encode } from "../../src/platform/images/encode.ts";

export type Work = { paths: string[]; width: number; format: Format; sideBySide: number };

sharp.cache(false);
sharp.concurrency(1);

process.on("message", (work: Work) => {
  void perform(work).then((milliseconds) => process.send?.(milliseconds));
});

async function perform({ paths, width, format, sideBySide }: Work): Promise<number> {
  const started = performance.now();
  const waiting = [...paths];
  const line = async () => {
    for (let path = waiting.shift(); path; path = waiting.shift()) {
      const picture = sharp(path, { sequentialRead: true }).autoOrient().resize({ width, withoutEnlargement: true });
      await encode(picture, format).toBuffer();
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, line));
  return performance.now() - started;
}
