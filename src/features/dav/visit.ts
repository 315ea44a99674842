import type { Images } from "../../core/images/read.ts";
import type { FindUses } from "../../core/records/use.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { Intake } from "../../content/files/intake.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Caller } from "../../platform/http/route.ts";

/** What the methods need of the site. */
export type DavSite = {
  db: Database;
  blobs: Blobs;
  images: Images;
  intake: Intake;
  trash: Trash;
  /** Finds which records use a file. */
  findUses: readonly FindUses[];
  quotaBytes: number | null;
  versionsKept: number;
};

/** One request: who asks, and for which path. */
export type Visit = DavSite & { exchange: Exchange; caller: Caller; names: string[] };
