import type { Config } from "./config.ts";
import type { Intake } from "./content/files/intake.ts";
import type { ClockWatch } from "./core/clock/clock.ts";
import type { HoldingsCounter } from "./core/holdings/counter.ts";
import type { Holding, Source as HoldingSource } from "./core/holdings/holding.ts";
import type { Images } from "./core/images/read.ts";
import type { TopicChosen } from "./core/account-mail/topics.ts";
import type { MailSettled } from "./core/mail/outbox.ts";
import type { GivenProfile } from "./core/users/user.ts";
import type { Notice } from "./core/records/notice.ts";
import type { Blobs } from "./platform/blobs/blobs.ts";
import type { Database, Queries } from "./platform/database/database.ts";
import { maintainedCounts } from "./platform/database/counts.ts";
import type { Maintained } from "./platform/database/maintained.ts";
import type { Slices } from "./platform/database/slices.ts";
import type { Derived, DeriveSchema, Schema, Table } from "./platform/database/tables.ts";
import type { DiskState } from "./platform/disk.ts";
import type { Door } from "./platform/http/door.ts";
import type { ErrorPage, FindMoved } from "./platform/http/failures.ts";
import type { LateRoutes } from "./platform/http/late.ts";
import type { Route } from "./platform/http/route.ts";
import type { Decoder } from "./platform/images/decoder.ts";
import type { Renderer } from "./platform/markdown/renderer.ts";
import type { Job } from "./platform/jobs/jobs.ts";
import type { RateLimit } from "./platform/limits/rate-limit.ts";
import type { Log } from "./platform/log.ts";
import type { Metrics } from "./platform/metrics/metrics.ts";
import type { Tracing } from "./platform/tracing/tracing.ts";
import type { RecordKind } from "./core/records/record-kind.ts";
import type { ShareLinks } from "./features/shares/links.ts";
import type { Trash, TrashReactions } from "./core/trash/trash.ts";
import type { FindUses } from "./core/records/use.ts";

/** All that a folder contributes to the site. `modules.ts` lists the modules; everything else folds over that list. */
export type Module = {
  /** The groups of its routes in the API document, each with a sentence about it. */
  tags?: Record<string, string>;
  /** Each table belongs to one module, which alone writes to it. */
  tables?: Table[];
  kinds?: RecordKind[];
  /** What every user stores in its tables, in slices, for the storage report. */
  holdings?: (db: HoldingSource) => Slices<Holding>;
  /** Values that it maintains, besides the counts of its lists. */
  maintained?: Maintained[];
  /** What it stores that follows from records, its own ones or those of other modules. `tx.changed` writes it again. */
  derived?: Derived[];
  reactions?: Reactions;
  /** Fields of `GET /api/v1/attention`. */
  notices?: Record<string, Notice>;
  /** Finds which of its records use others. */
  findUses?: FindUses;
  /** What the database needs because of the tables of all modules. */
  deriveSchema?: DeriveSchema;
  /**
   * Deletes what it has of a user who is removed with everything, in short transactions: besides records, and rows that are
   * deleted with the user.
   */
  eraseUser?: (db: Database, userID: number) => Promise<unknown>;
  /** Where its migrations lie, if not with those of the program. */
  migrations?: URL;
  open?(site: Site): Opened | Promise<Opened>;
};

/** What a module does when something happens to the records of another one, in the same transaction. */
type Reactions = TrashReactions & {
  /** More is known of the image in a blob than before. `wasWaiting` says that everything but its picture was known. */
  imageRead?: (tx: Queries, sha256: string, wasWaiting: boolean) => Promise<void>;
  /** An account was made for somebody who is called so elsewhere. */
  personNamed?: (tx: Queries, userID: number, profile: GivenProfile) => Promise<void>;
  /** A person wants to be notified of this from now on. */
  topicChosen?: TopicChosen;
  /** A mail was sent, or given up. */
  mailSettled?: MailSettled;
};

export type PathHeaders = Record<string, Record<string, string>>;

export type Opened = {
  routes?: Route[];
  /** Routes that are loaded with the first request of one. In the API document, they come after the others of the module. */
  lateRoutes?: LateRoutes;
  /** Routes that the API document does not list. */
  unlistedRoutes?: Route[];
  /** Other protocols than that of the API, each below a path. */
  doors?: Door[];
  jobs?: Job[];
  /** Pages for people, which are not part of the API. They are loaded when one of them is first requested. */
  loadPages?(): Promise<Route[]>;
  /** What all pages have in common. One module has this. */
  site?: { errorPage: ErrorPage; findMoved: FindMoved; languages: readonly string[] };
  /** Headers of every response below a path. */
  pathHeaders?: PathHeaders;
  /** Ends its background work; requests have ended before. */
  close?(): Promise<void>;
};

/** What modules are opened with: each names what it uses. */
export type Site = {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly db: Database;
  readonly blobs: Blobs;
  /** The disk of the data directory, and that of the database. */
  readonly disk: DiskState;
  readonly images: Images;
  readonly intake: Intake;
  readonly decoder: Decoder;
  /** Renders Markdown. */
  readonly markdown: Renderer;
  readonly trash: Trash;
  readonly clock: ClockWatch;
  readonly shareLinks: ShareLinks;
  readonly holdings: HoldingsCounter;
  readonly modules: readonly Module[];
  /** Signs the tokens. */
  readonly secret: string;
  /** Limits wrong passwords. */
  readonly guesses: RateLimit;
  /** Limits wrong codes of second factors. */
  readonly factorGuesses: RateLimit;
  /** Aborted when the site closes: jobs that can take minutes end early. */
  readonly stopping: AbortSignal;
  readonly tracing: Tracing;
  isDraining(): boolean;
  /** Whether the pages are for a static copy of the site: nothing on them may need a server. */
  readonly isCopy: boolean;
};

export const kindsOf = (modules: readonly Module[]): RecordKind[] => modules.flatMap(({ kinds = [] }) => kinds);
export const tablesOf = (modules: readonly Module[]): Table[] => modules.flatMap(({ tables = [] }) => tables);
export const reactionsOf = (modules: readonly Module[]): Reactions[] =>
  modules.flatMap(({ reactions = [] }) => reactions);
export const erasersOf = (modules: readonly Module[]) => modules.flatMap(({ eraseUser = [] }) => eraseUser);
export const findersOf = (modules: readonly Module[]): FindUses[] => modules.flatMap(({ findUses = [] }) => findUses);
export const schemaOf = (modules: readonly Module[]): Schema => ({
  tables: tablesOf(modules),
  documents: kindsOf(modules).map(({ name, table }) => ({ kind: name, table })),
  maintained: [
    ...kindsOf(modules).flatMap(({ trash }) => trash.total?.maintained ?? []),
    ...modules.flatMap(({ maintained = [], tables = [] }) => [...maintained, ...maintainedCounts(tables)]),
  ],
  derived: [
    ...kindsOf(modules).flatMap(({ name, trash }) => (trash.total ? [{ kind: name, ...trash.total }] : [])),
    ...modules.flatMap(({ derived = [] }) => derived),
  ],
  deriveSchema: modules.flatMap(({ deriveSchema = [] }) => deriveSchema),
  migrations: modules.flatMap(({ migrations = [] }) => migrations),
});
