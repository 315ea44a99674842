import { parseArgs } from "node:util";

export const usage = `Usage: npm run bench -- [options]

Without options: one table with all goals, in about ten minutes; the results are written to bench/results.json.

  --million    also with 1,000,000 records: about five minutes more
  --statements the ten slowest statements with 1,000,000 records, with their plans; \`--quick\`: with 100,000
  --against REF
               also another version of this repository, by its tag or commit, in the same rounds; can be given repeatedly
  --requests   only the requests that are compared with other versions, and with a bare server; about 5 minutes
  --quick      fewer and shorter rounds: only a rough result, which is not written
  --scale      only Vitrine, with 1,000, 100,000 and 1,000,000 photos
  --writes     writes compared with those without flushing, and with a server that only stores the bytes
  --pictures   pictures per second compared with the image library itself, and 200 requests for the same one
  --formats    size and time of AVIF compared with WebP in each width, at the same similarity (SSIM)
  --folder DIR with --formats: also measure the pictures in this folder
  --two-processes
               the most that a second process for reads could give: two servers compared with one
  --start      time from the start of the process to the first response, and idle memory; what \`npm start\` costs, also with --against
  --search     duration of searches among 100,000 records, and of operations in a deep tree
  --library    lists of photos by filter, date and cursor, and the timeline, with 1,000, 100,000 and 1,000,000 photos;
               a batch of 1,000 photos
  --photos N   with --library: at most so many photos
  --import     \`vitrine import\` of a folder compared with cp, SHA-256 and flushing; memory with 5,000 and 50,000 files
  --copies     1, 2, 4 and 8 copies on PostgreSQL, S3 and Redis: reads and writes compared with one copy, and every write is read at another one;
               then two copies: 64 writers of one record, copying a large directory, freshness of reads
  --markdown   the longest turns of the event loop while hostile texts in Markdown are rendered
  --engine postgres
               round trips on PostgreSQL, and Vitrine compared with the bare driver and the same statements
  --help`;

export type Engine = "embedded" | "postgres";
export type Options = {
  quick: boolean;
  million: boolean;
  against: string[];
  requests: boolean;
  statements: boolean;
  scale: boolean;
  writes: boolean;
  pictures: boolean;
  formats: boolean;
  folder?: string | undefined;
  search: boolean;
  library: boolean;
  photos: number;
  start: boolean;
  "two-processes": boolean;
  copies: boolean;
  import: boolean;
  markdown: boolean;
  help: boolean;
  emulate: boolean;
  engine: Engine;
};

/** Throws on unknown options. */
export function readOptions(words: string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  const engine = { type: "string", default: "embedded" } as const;
  const { values } = parseArgs({
    args: words,
    options: {
      quick: flag,
      million: flag,
      requests: flag,
      against: { type: "string", multiple: true, default: [] },
      statements: flag,
      scale: flag,
      writes: flag,
      pictures: flag,
      formats: flag,
      folder: { type: "string" },
      search: flag,
      library: flag,
      photos: { type: "string", default: "1000000" },
      start: flag,
      "two-processes": flag,
      copies: flag,
      import: flag,
      markdown: flag,
      help: flag,
      emulate: flag,
      engine,
    },
  });
  if (values.engine !== "embedded" && values.engine !== "postgres") throw new Error(`unknown engine ${values.engine}`);
  const photos = Number(values.photos);
  if (!(photos >= 1000)) throw new Error("--photos must be a number of at least 1000");
  return { ...values, photos, engine: values.engine };
}
