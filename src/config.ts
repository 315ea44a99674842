import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { resolve } from "node:path";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
export type SignupRole = "author" | "reader" | "closed";

export type Config = Readonly<{
  port: number;
  /** null: every address of the machine, IPv4 and IPv6. */
  host: string | null;
  dataDir: string;
  /** null: made once and kept in the data directory. */
  jwtSecret: string | null;
  signupRole: SignupRole;
  rateLimit: RateLimit;
  mediaRateLimit: RateLimit;
  maxUploadBytes: number;
  maxBodyBytes: number;
  trustedProxies: BlockList | null;
  /** Without a slash at its end; "" when not set, so that links are relative to the host. */
  baseURL: string;
  logLevel: LogLevel;
  trashDays: number;
}>;

export type RateLimit = Readonly<{ perSecond: number; burst: number }>;

/** A wrong value: the message is one sentence that names the variable. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

export function readConfig(env: Environment = process.env): Config {
  refuseUnbuilt(env);
  return Object.freeze({
    port: integer(env, "PORT", 8080, 0, 65_535),
    host: text(env, "HOST"),
    dataDir: resolve(text(env, "DATA_DIR") ?? "data"),
    jwtSecret: secret(env, "JWT_SECRET", 32),
    signupRole: oneOf(env, "SIGNUP_ROLE", ["author", "reader", "closed"]),
    rateLimit: {
      perSecond: positive(env, "RATE_LIMIT_PER_SECOND", 10),
      burst: integer(env, "RATE_LIMIT_BURST", 30, 1, 1e9),
    },
    mediaRateLimit: {
      perSecond: positive(env, "MEDIA_RATE_LIMIT_PER_SECOND", 200),
      burst: integer(env, "MEDIA_RATE_LIMIT_BURST", 600, 1, 1e9),
    },
    maxUploadBytes: integer(env, "MAX_UPLOAD_BYTES", 2 ** 31, 1, Number.MAX_SAFE_INTEGER),
    maxBodyBytes: integer(env, "MAX_BODY_BYTES", 4 * 2 ** 20, 1024, 2 ** 30),
    trustedProxies: proxies(env, "TRUST_PROXY"),
    baseURL: baseURL(env, "BASE_URL"),
    logLevel: oneOf(env, "LOG_LEVEL", ["info", "debug", "warn", "error", "silent"]),
    trashDays: integer(env, "TRASH_DAYS", 30, 0, 36_500),
  });
}

/** Engines that a later version brings: to ignore the variable would put data where nobody expects it. */
function refuseUnbuilt(env: Environment): void {
  for (const name of ["DATABASE_URL", "STORAGE_URL", "REDIS_URL"]) {
    if (text(env, name))
      throw new ConfigError(`${name} is set, but this version keeps everything in DATA_DIR: unset it.`);
  }
}

function text(env: Environment, name: string): string | null {
  return env[name]?.trim() || null;
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
}

function positive(env: Environment, name: string, fallback: number): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = /^\d{1,10}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN;
  if (number > 0) return number;
  throw new ConfigError(`${name} must be a number above 0, not "${value}".`);
}

/** The first choice is the default. */
function oneOf<const Choice extends string>(env: Environment, name: string, choices: [Choice, ...Choice[]]): Choice {
  const value = text(env, name);
  if (value === null) return choices[0];
  const choice = choices.find((candidate) => candidate === value);
  if (choice) return choice;
  throw new ConfigError(`${name} must be one of ${choices.join(", ")}, not "${value}".`);
}

/** A secret may stand in a file named by NAME_FILE, so that it is in no process listing. */
function secret(env: Environment, name: string, minLength: number): string | null {
  const file = text(env, `${name}_FILE`);
  if (file && text(env, name)) throw new ConfigError(`${name} and ${name}_FILE are both set: keep one of them.`);
  const value = file ? readSecretFile(`${name}_FILE`, file) : text(env, name);
  if (value !== null && value.length < minLength) {
    throw new ConfigError(
      `${name} must have at least ${minLength} characters; "openssl rand -hex 32" makes a good one.`,
    );
  }
  return value;
}

function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw new ConfigError(`${name} names a file that cannot be read: ${path}`);
  }
}

function baseURL(env: Environment, name: string): string {
  const value = text(env, name);
  if (value === null) return "";
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return value.replace(/\/+$/, "");
  throw new ConfigError(`${name} must be an address like https://photos.example.org, not "${value}".`);
}

function proxies(env: Environment, name: string): BlockList | null {
  const value = text(env, name);
  if (value === null) return null;
  const list = new BlockList();
  for (const item of value.split(/[\s,]+/).filter(Boolean)) {
    const [address = "", bits] = (item === "loopback" ? "127.0.0.0/8" : item).split("/");
    const family = isIP(address);
    const width = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === 0 || prefix < 0 || prefix > width) {
      throw new ConfigError(`${name} must list addresses or networks like 10.0.0.0/8 or loopback, not "${item}".`);
    }
    list.addSubnet(address, prefix, family === 6 ? "ipv6" : "ipv4");
    if (item === "loopback") list.addAddress("::1", "ipv6");
  }
  return list;
}
