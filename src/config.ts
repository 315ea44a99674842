import { accessSync, constants, readFileSync } from "node:fs";
import type { BlockList } from "node:net";
import { resolve } from "node:path";
import type { PasswordRule, SignupRole } from "./core/settings/settings.ts";
import { readObjectHeaders, type S3Options } from "./platform/blobs/s3-options.ts";
import { splitHosts } from "./platform/database/hosts.ts";
import { parseHeaders } from "./platform/tracing/headers.ts";
import type { TracingConfig } from "./platform/tracing/tracing.ts";
import { parseNetworks } from "./platform/http/networks.ts";
import { type MailConfig, readMail } from "./platform/mail/mail-config.ts";
import { describeUnknown, type Secret, type Variable } from "./variables.ts";

type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

type DatabaseConfig = Readonly<
  { engine: "sqlite" } | { engine: "postgres"; url: string; connections: number; timeoutMs: number }
>;
type BlobStoreConfig = Readonly<{ kind: "disk" } | ({ kind: "s3" } & S3Options)>;

export type Config = Readonly<{
  port: number;
  /** null means all addresses of the machine, IPv4 and IPv6. */
  host: string | null;
  dataDir: string;
  databaseDir: string;
  acceptsShare: boolean;
  /** For what can be made again at any time. */
  cacheDir: string;
  database: DatabaseConfig;
  blobStore: BlobStoreConfig;
  /** Whether downloads of files in S3 are redirected to a signed URL instead of being sent by the server. */
  redirectDownloads: boolean;
  redisURL: string | null;
  /** null means generated once and stored with the data. */
  jwtSecret: string | null;
  /** null means that the settings of the site decide. */
  signupRole: SignupRole | null;
  passwordRule: PasswordRule | null;
  rateLimit: RateLimit;
  accountRateLimit: RateLimit;
  mediaRateLimit: RateLimit;
  /** For pages of the site that are not served from memory. */
  pageRateLimit: RateLimit;
  maxUploadBytes: number;
  maxBodyBytes: number;
  trustedProxies: BlockList | null;
  /** Without a trailing slash; "" if not set, so that links are relative to the host. */
  baseURL: string;
  logLevel: LogLevel;
  /**
   * How long the server keeps serving after SIGTERM, while it tells clients and health checks that it is about to stop.
   */
  drainSeconds: number;
  /** Requests with this token may read /metrics; null means that no request may. */
  metricsToken: string | null;
  trashDays: number;
  activityDays: number;
  /** Whether webhooks may be sent to addresses that are not public, such as this machine or the local network. */
  allowPrivateWebhooks: boolean;
  /** The same for pages that strangers name in a Webmention, and for the sites and the hub that are told of posts. */
  allowPrivateMentions: boolean;
  /** How many earlier versions of a file are kept, and for how long. */
  versionsKept: number;
  versionDays: number;
  /** The program that takes pictures from videos: a path, or a name to look for; null means none. */
  ffmpeg: string | null;
  /** Where to report security problems of this site, as a URL; null means that `security.txt` does not exist. */
  securityContact: string | null;
  /** Whether the server stops when its parent process ends: npm starts it through a shell that forwards no signals. */
  endsWithParent: boolean;
  /** Storage limit per user, including versions and trash; admins are exempt. null means unlimited. */
  quotaBytes: number | null;
  /** Where the server itself makes backups, and the directory on its disk from which admins may import; null means none. */
  backupTo: string | null;
  importDir: string | null;
  importMemoryBytes: number;
  backupKeys: BackupKeys;
  importKey: string | null;
  /** Where to send what requests do; null means nowhere. */
  tracing: TracingConfig | null;
  /** Where `vitrine version --check` asks for the newest release; null means nowhere. */
  releasesURL: string | null;
  /** The server that sends mail; null means that none is sent. */
  mail: MailConfig | null;
}>;

/** `recipient` is a public key; `identityFile` has the secret key that belongs to it. */
type BackupKeys = Readonly<{ passphrase: string | null; recipient: string | null; identityFile: string | null }>;

export type RateLimit = Readonly<{ perSecond: number; burst: number }>;

/** An invalid value; the message is one sentence that names the variable. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

/** Reads the configuration from the environment; values in `changes` take precedence. */
export function readConfig(environment: Environment = process.env, changes: Environment = {}): Config {
  const env = { ...environment, ...changes };
  const rateLimit = rate(positive(env, "RATE_LIMIT_PER_SECOND", 10), burst(env, "RATE_LIMIT_BURST", 30));
  return Object.freeze({
    port: integer(env, "PORT", 8080, [0, 65_535]),
    host: text(env, "HOST"),
    dataDir: dataDirectory(env),
    databaseDir: databaseDirectory(env),
    acceptsShare: oneOf(env, "DATABASE_ON_SHARE", ["refuse", "accept"]) === "accept",
    cacheDir: cacheDirectory(env),
    database: database(env),
    blobStore: blobStore(env),
    redirectDownloads: oneOf(env, "REDIRECT_DOWNLOADS", ["false", "true"]) === "true",
    redisURL: redisURL(env),
    jwtSecret: token(env, "JWT_SECRET", 32),
    signupRole: text(env, "SIGNUP_ROLE") ? oneOf(env, "SIGNUP_ROLE", ["author", "reader", "closed"]) : null,
    passwordRule: text(env, "PASSWORD_RULE") ? oneOf(env, "PASSWORD_RULE", ["any", "strong"]) : null,
    rateLimit,
    accountRateLimit: rate(
      positive(env, "ACCOUNT_RATE_LIMIT_PER_SECOND", Math.max(100, rateLimit.perSecond)),
      burst(env, "ACCOUNT_RATE_LIMIT_BURST", Math.max(1000, rateLimit.burst)),
    ),
    mediaRateLimit: rate(positive(env, "MEDIA_RATE_LIMIT_PER_SECOND", 200), burst(env, "MEDIA_RATE_LIMIT_BURST", 600)),
    pageRateLimit: rate(positive(env, "PAGE_RATE_LIMIT_PER_SECOND", 20), burst(env, "PAGE_RATE_LIMIT_BURST", 200)),
    maxUploadBytes: integer(env, "MAX_UPLOAD_BYTES", 2 ** 31, [1, Number.MAX_SAFE_INTEGER]),
    maxBodyBytes: integer(env, "MAX_BODY_BYTES", 4 * 2 ** 20, [1024, 2 ** 30]),
    trustedProxies: proxies(env, "TRUST_PROXY"),
    baseURL: baseURL(env, "BASE_URL"),
    logLevel: oneOf(env, "LOG_LEVEL", ["info", "debug", "warn", "error", "silent"]),
    // The embedded engines have one copy: no other one takes over meanwhile, and the next start waits for the port.
    drainSeconds: integer(env, "DRAIN_SECONDS", text(env, "DATABASE_URL") ? 5 : 0, [0, 3600]),
    metricsToken: token(env, "METRICS_TOKEN", 16),
    trashDays: integer(env, "TRASH_DAYS", 30, [0, 36_500]),
    activityDays: integer(env, "ACTIVITY_DAYS", 365, [1, 36_500]),
    allowPrivateWebhooks: oneOf(env, "WEBHOOK_ALLOW_PRIVATE", ["false", "true"]) === "true",
    allowPrivateMentions: oneOf(env, "MENTION_ALLOW_PRIVATE", ["false", "true"]) === "true",
    versionsKept: integer(env, "VERSIONS_KEPT", 20, [0, 10_000]),
    versionDays: integer(env, "VERSION_DAYS", 365, [0, 36_500]),
    ffmpeg: program(env, "FFMPEG", "ffmpeg"),
    securityContact: contact(env, "SECURITY_CONTACT"),
    endsWithParent: text(env, "npm_lifecycle_event") !== null,
    quotaBytes: text(env, "QUOTA_BYTES") ? integer(env, "QUOTA_BYTES", 0, [1, Number.MAX_SAFE_INTEGER]) : null,
    backupTo: text(env, "BACKUP_TO"),
    importDir: text(env, "IMPORT_DIR"),
    importMemoryBytes: integer(env, "IMPORT_MEMORY", 512, [128, 2 ** 20]) * 2 ** 20,
    backupKeys: {
      passphrase: secret(env, "BACKUP_PASSPHRASE"),
      recipient: text(env, "BACKUP_RECIPIENT"),
      identityFile: text(env, "BACKUP_IDENTITY_FILE"),
    },
    importKey: secret(env, "IMPORT_KEY"),
    tracing: tracing(env),
    releasesURL: webAddress(env, "RELEASES_URL"),
    mail: readMail(secret(env, "SMTP_URL"), text(env, "MAIL_FROM"), baseURL(env, "BASE_URL"), ConfigError),
  });
}

/** Sentences about variables that are probably mistyped. */
export const findMistyped = (environment: Environment = process.env): string[] => describeUnknown(environment);

function text(
  env: Environment,
  name: Variable | `${Secret}_FILE` | "npm_lifecycle_event" | "XDG_CACHE_HOME",
): string | null {
  return env[name]?.trim() || null;
}

const dataDirectory = (env: Environment) => resolve(text(env, "DATA_DIR") ?? "data");

function databaseDirectory(env: Environment): string {
  const own = database(env).engine === "sqlite" ? text(env, "DATABASE_DIR") : null;
  return resolve(own ?? dataDirectory(env));
}

function cacheDirectory(env: Environment): string {
  const shared = text(env, "XDG_CACHE_HOME");
  return shared ? resolve(shared, "vitrine") : resolve(dataDirectory(env), ".cache");
}

function integer(env: Environment, name: Variable, fallback: number, [min, max]: [number, number]): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
}

const rate = (perSecond: number, burst: number): RateLimit => ({ perSecond, burst });
const burst = (env: Environment, name: Variable, fallback: number) => integer(env, name, fallback, [1, 1e9]);

function positive(env: Environment, name: Variable, fallback: number): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = /^\d{1,10}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN;
  if (number > 0) return number;
  throw new ConfigError(`${name} must be a number above 0, not "${value}".`);
}

/** The first choice is the default. */
function oneOf<const Choice extends string>(env: Environment, name: Variable, choices: [Choice, ...Choice[]]): Choice {
  const value = text(env, name);
  if (value === null) return choices[0];
  const choice = choices.find((candidate) => candidate === value);
  if (choice) return choice;
  throw new ConfigError(`${name} must be one of ${choices.join(", ")}, not "${value}".`);
}

function contact(env: Environment, name: Variable): string | null {
  const value = text(env, name);
  if (value === null || (/^(mailto:|https:\/\/|tel:)[\x21-\x7e]+$/.test(value) && URL.canParse(value))) return value;
  throw new ConfigError(`${name} must look like mailto:security@example.org or https://example.org/contact.`);
}

function webAddress(env: Environment, name: Variable): string | null {
  const value = text(env, name);
  if (value === null || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw new ConfigError(`${name} must be a URL that begins with https:// or http://, not "${value}".`);
}

/** A secret may be stored in a file named by NAME_FILE, so that it does not appear in process listings. */
function secret(env: Environment, name: Secret): string | null {
  const file = text(env, `${name}_FILE`);
  if (file && text(env, name)) throw new ConfigError(`${name} and ${name}_FILE are both set: set only one of them.`);
  return file ? readSecretFile(`${name}_FILE`, file) : text(env, name);
}

function token(env: Environment, name: Secret, minLength: number): string | null {
  const value = secret(env, name);
  if (value === null || value.length >= minLength) return value;
  throw new ConfigError(
    `${name} must have at least ${minLength} characters; "openssl rand -hex 32" generates a good one.`,
  );
}

function database(env: Environment): DatabaseConfig {
  const url = secret(env, "DATABASE_URL");
  const connections = integer(env, "DATABASE_CONNECTIONS", 8, [1, 1000]);
  const timeoutMs = integer(env, "DATABASE_TIMEOUT_MS", 4500, [500, 60_000]);
  if (url === null) return { engine: "sqlite" };
  if (splitHosts(url)) return { engine: "postgres", url, connections, timeoutMs };
  throw new ConfigError("DATABASE_URL must look like postgres://user:password@host:5432/name.");
}

function blobStore(env: Environment): BlobStoreConfig {
  const value = text(env, "STORAGE_URL");
  if (value === null) return { kind: "disk" };
  const store = readBucketURL("STORAGE_URL", value, env);
  if (store.prefix === "") return { kind: "s3", ...store };
  throw new ConfigError(`STORAGE_URL must have no path, not "${value}".`);
}

type Bucket = S3Options & { prefix: string };

/** `s3://bucket/prefix?endpoint=https://…&region=…`; the keys are in the usual AWS variables. `name` is where it was given. */
export function readBucketURL(name: string, value: string, env: Environment = process.env): Bucket {
  const url = URL.canParse(value) ? new URL(value) : null;
  const endpoint = url?.searchParams.get("endpoint") ?? null;
  if (url?.protocol !== "s3:" || !url.hostname || (endpoint !== null && !/^https?:\/\//.test(endpoint))) {
    throw new ConfigError(`${name} must look like s3://bucket?endpoint=https://s3.example.org&region=us-east-1.`);
  }
  const accessKeyID = secret(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = secret(env, "AWS_SECRET_ACCESS_KEY");
  if (!accessKeyID || !secretAccessKey) {
    throw new ConfigError(`${name} also requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`);
  }
  const region = url.searchParams.get("region") ?? text(env, "AWS_REGION") ?? "us-east-1";
  const sessionToken = secret(env, "AWS_SESSION_TOKEN");
  const objectHeaders = readObjectHeaders(url.searchParams);
  if ("wrong" in objectHeaders) throw new ConfigError(`${name} ${objectHeaders.wrong}.`);
  const path = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, "");
  const prefix = path === "" ? "" : `${path}/`;
  return { bucket: url.hostname, prefix, endpoint, region, accessKeyID, secretAccessKey, sessionToken, objectHeaders };
}

function redisURL(env: Environment): string | null {
  const url = secret(env, "REDIS_URL");
  if (url === null || (/^(rediss?|valkeys?):\/\/./.test(url) && URL.canParse(url))) return url;
  throw new ConfigError("REDIS_URL must look like redis://host:6379.");
}

function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw new ConfigError(`${name} names a file that cannot be read: ${path}`);
  }
}

/** "off" means none. A name is looked for when the server starts, and may be missing; a path must be of a program. */
function program(env: Environment, name: Variable, fallback: string): string | null {
  const value = text(env, name);
  if (value === null || value === "off") return value === null ? fallback : null;
  try {
    accessSync(value, constants.X_OK);
  } catch {
    throw new ConfigError(`${name} must be the path of a program, or "off", not "${value}".`);
  }
  return resolve(value);
}

function baseURL(env: Environment, name: Variable): string {
  const value = text(env, name);
  if (value === null) return "";
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) {
    if (/^\/+$/.test(url.pathname)) return value.replace(/\/+$/, "");
    throw new ConfigError(
      `${name} must have no path: Vitrine needs a host name of its own, such as https://photos.example.org, not "${value}".`,
    );
  }
  throw new ConfigError(`${name} must be a URL like https://photos.example.org, not "${value}".`);
}

/** With the names of OpenTelemetry. Without a collector they are not read: they may be meant for other programs. */
function tracing(env: Environment): TracingConfig | null {
  const endpoint = text(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  if (endpoint === null) return null;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new ConfigError("OTEL_EXPORTER_OTLP_ENDPOINT must be a URL like http://localhost:4318.");
  }
  const headers = parseHeaders(secret(env, "OTEL_EXPORTER_OTLP_HEADERS") ?? "");
  // They are secrets, so the message does not contain them.
  if (!headers) throw new ConfigError("OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value.");
  return {
    endpoint: endpoint.replace(/\/+$/, ""),
    headers,
    serviceName: text(env, "OTEL_SERVICE_NAME") ?? "vitrine",
    delayMs: integer(env, "OTEL_BSP_SCHEDULE_DELAY", 5000, [1, 600_000]),
  };
}

function proxies(env: Environment, name: Variable): BlockList | null {
  const value = text(env, name);
  const { list, wrong } = parseNetworks(value ?? "");
  if (wrong === null) return value === null ? null : list;
  throw new ConfigError(`${name} must list addresses or networks like 10.0.0.0/8 or loopback, not "${wrong}".`);
}
