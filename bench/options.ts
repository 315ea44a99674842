import { parseArgs } from "node:util";

export const usage = `Usage: npm run bench -- [options]

  --quick      about 20 seconds instead of about 3 minutes: a first look, not a result
  --scale      Vitrine alone, at 1,000, 100,000 and 1,000,000 photos
  --pictures   pictures a second against the image library alone, and 200 who want the same one
  --formats    what AVIF saves against WebP in each width, in bytes at the same similarity (SSIM), and what time it takes
  --folder DIR with --formats: measure the pictures in this folder, too
  --search     how long a search among 100,000 records takes, and deeds in a deep tree
  --copies     two copies on PostgreSQL, S3 and Redis: 64 writers on one record, a large copy, how fresh reads are
  --hostile    how long a second client waits while hostile requests are served
  --only TEXT  with --hostile: only requests whose name contains the text
  --engine postgres
               round trips on PostgreSQL, and Vitrine against the bare driver with the same statements
  --help`;

export type Engine = "embedded" | "postgres";
export type Options = {
  quick: boolean;
  scale: boolean;
  pictures: boolean;
  formats: boolean;
  folder?: string | undefined;
  search: boolean;
  copies: boolean;
  hostile: boolean;
  help: boolean;
  emulate: boolean;
  engine: Engine;
  only: string;
};

/** Throws on words that it does not know. */
export function readOptions(words: string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  const engine = { type: "string", default: "embedded" } as const;
  const { values } = parseArgs({
    args: words,
    options: {
      quick: flag,
      scale: flag,
      pictures: flag,
      formats: flag,
      folder: { type: "string" },
      search: flag,
      copies: flag,
      hostile: flag,
      help: flag,
      emulate: flag,
      engine,
      only: { type: "string", default: "" },
    },
  });
  if (values.engine !== "embedded" && values.engine !== "postgres")
    throw new Error(`there is no engine ${values.engine}`);
  return { ...values, engine: values.engine };
}
