import { fromBuffer } from "yauzl";

/** How many entries an archive has; fails if it is not whole. */
export function countEntries(bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      let count = 0;
      zip.on("entry", ({ fileName }) => {
        if (!fileName.endsWith("/")) count++;
        zip.readEntry();
      });
      zip.on("end", () => resolve(count));
      zip.on("error", reject);
      zip.readEntry();
    });
  });
}
