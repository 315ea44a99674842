import type { Images } from "../../core/images/read.ts";
import type { FindUses } from "../../core/records/use.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { Intake } from "../../content/files/intake.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Caller, Grant } from "../../platform/http/route.ts";

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

/** Who asks. With a share link it is nobody who has signed in, and the link is their grant. */
export type Visitor = Caller & {
  /** The directory that is the root for them, as they see its path. */
  readonly mount: readonly string[];
  readonly grant?: Grant;
};

/** One request: who asks, and for which path, from the root of the site on. */
export type Visit = DavSite & { exchange: Exchange; caller: Visitor; names: string[] };

/** Whether this is what they see as the root. */
export const isRootOf = ({ mount }: Visitor, names: readonly string[]): boolean => names.length <= mount.length;
