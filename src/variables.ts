/** Variables that can also be read from the file that NAME_FILE names. */
export const secrets = [
  "DATABASE_URL",
  "REDIS_URL",
  "JWT_SECRET",
  "METRICS_TOKEN",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "BACKUP_PASSPHRASE",
  "IMPORT_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "SMTP_URL",
] as const;

/** All environment variables of the server. */
const variables = [
  ...secrets,
  "PORT",
  "HOST",
  "DATA_DIR",
  "DATABASE_DIR",
  "DATABASE_ON_SHARE",
  "DATABASE_CONNECTIONS",
  "DATABASE_TIMEOUT_MS",
  "STORAGE_URL",
  "AWS_REGION",
  "REDIRECT_DOWNLOADS",
  "SIGNUP_ROLE",
  "PASSWORD_RULE",
  "RATE_LIMIT_PER_SECOND",
  "RATE_LIMIT_BURST",
  "ACCOUNT_RATE_LIMIT_PER_SECOND",
  "ACCOUNT_RATE_LIMIT_BURST",
  "MEDIA_RATE_LIMIT_PER_SECOND",
  "MEDIA_RATE_LIMIT_BURST",
  "PAGE_RATE_LIMIT_PER_SECOND",
  "PAGE_RATE_LIMIT_BURST",
  "MAX_UPLOAD_BYTES",
  "MAX_BODY_BYTES",
  "TRUST_PROXY",
  "BASE_URL",
  "LOG_LEVEL",
  "DRAIN_SECONDS",
  "TRASH_DAYS",
  "ACTIVITY_DAYS",
  "WEBHOOK_ALLOW_PRIVATE",
  "MENTION_ALLOW_PRIVATE",
  "VERSIONS_KEPT",
  "VERSION_DAYS",
  "FFMPEG",
  "SECURITY_CONTACT",
  "QUOTA_BYTES",
  "BACKUP_TO",
  "IMPORT_DIR",
  "IMPORT_MEMORY",
  "BACKUP_RECIPIENT",
  "BACKUP_IDENTITY_FILE",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_SERVICE_NAME",
  "OTEL_BSP_SCHEDULE_DELAY",
  "RELEASES_URL",
  "MAIL_FROM",
] as const;

export type Secret = (typeof secrets)[number];
export type Variable = (typeof variables)[number];

type Environment = Record<string, string | undefined>;

const known = new Set<string>([...variables, ...secrets.map((name) => `${name}_FILE`)]);
/** Short names are similar to too many others, such as HOME to HOST. */
const shortestCompared = 6;
const ownPrefix = "VITRINE_";
/** What Kubernetes sets for a service of this name. */
const ofKubernetes = /^VITRINE_(SERVICE_|PORT)/;

/** A sentence for each variable that looks like one of these and is none: mistyped, or with a prefix. */
export function describeUnknown(environment: Environment): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name) || ofKubernetes.test(name)) return [];
    const bare = name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : name;
    const meant = known.has(bare) ? bare : findSimilar(bare);
    if (meant && environment[meant] === undefined) {
      return [`${name} is not a variable of Vitrine and has no effect: did you mean ${meant}?`];
    }
    return bare === name ? [] : [`${name} is not a variable of Vitrine and has no effect.`];
  });
}

function findSimilar(name: string): string | undefined {
  if (name.length < shortestCompared) return undefined;
  const most = (other: string) => (other.length < 9 ? 1 : 2);
  /** Nobody mistypes this ending: PASSWORD_FILE is not PASSWORD_RULE. */
  const isAlike = (other: string) => other.endsWith("_FILE") === name.endsWith("_FILE");
  // The distance is at least the difference in length.
  const isNear = (other: string) =>
    Math.abs(name.length - other.length) <= most(other) && isWithin(most(other), name, other);
  return [...known].find((other) => other.length >= shortestCompared && isAlike(other) && isNear(other));
}

/** Whether at most so many letters must be inserted, removed or replaced. Every start asks this of many names. */
function isWithin(most: number, from: string, to: string): boolean {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index++) {
    const next = Array.from({ length: to.length + 1 }, () => Infinity);
    next[0] = index + 1;
    let least = Infinity;
    // Further from the diagonal there are more letters to insert or remove.
    for (let column = Math.max(0, index - most); column < Math.min(to.length, index + most + 1); column++) {
      const replaced = (row[column] as number) + Number(from[index] !== to[column]);
      next[column + 1] = Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1);
      least = Math.min(least, next[column + 1] as number);
    }
    if (least > most) return false;
    row = next;
  }
  return (row[to.length] as number) <= most;
}
