import type { Variable } from "./variables.ts";

/** `value` is the default as it could be set; `otherwise` says in words what happens without the variable. */
export type VariableText = Readonly<{ value?: string; otherwise?: string; text: string }>;

/**
 * What `docs/reference/configuration.md` says about each variable, by group and in its order. `npm run reference` writes the page,
 * and the server does not load this file. Links begin at `docs/`.
 */
export const variableTexts = {
  "Addresses and directories": {
    PORT: { value: "8080", text: "port to listen on" },
    HOST: { otherwise: "all addresses, IPv4 and IPv6", text: "one address to listen on" },
    BASE_URL: { text: "public address, such as `https://photos.example.org`" },
    TRUST_PROXY: {
      text: "reverse proxies whose `X-Forwarded-For` header is trusted: addresses, networks such as `10.0.0.0/8`, `loopback`",
    },
    DATA_DIR: {
      value: "./data",
      text: "directory for the database, the files and the secret; readable by its owner only",
    },
    DATABASE_DIR: {
      otherwise: "`DATA_DIR`",
      text: "directory for the SQLite database alone, on a disk of this machine if `DATA_DIR` is on a network share ([details](docs/operate/deploy.md#files-on-a-network-share))",
    },
    DATABASE_ON_SHARE: {
      value: "refuse",
      text: "`accept` uses a SQLite database on a network share, where it can be damaged",
    },
    XDG_CACHE_HOME: {
      otherwise: "`DATA_DIR/.cache`",
      text: "where the executable keeps copies of its libraries, in the directory `vitrine`",
    },
  },
  "Accounts and security": {
    SIGNUP_ROLE: {
      otherwise: "the setting `signupRole`",
      text: "role of new sign-ups: `author` or `reader`; `closed` disables sign-up; overrides the setting, which is `author` until it is changed",
    },
    PASSWORD_RULE: {
      otherwise: "the setting `passwordRule`",
      text: "which passwords are accepted: `any` or `strong`; overrides the setting, which is `any` until there is an admin, and then `strong` ([details](docs/use/signing-in.md))",
    },
    JWT_SECRET: {
      otherwise: "created once, kept with the data",
      text: "secret that signs tokens; at least 32 characters",
    },
    SECURITY_CONTACT: {
      otherwise: "no such file",
      text: "URL in `/.well-known/security.txt`, such as `mailto:security@example.org`",
    },
  },
  "Size limits": {
    MAX_UPLOAD_BYTES: { value: "2147483648", text: "size limit of a file" },
    MAX_BODY_BYTES: { value: "4194304", text: "size limit of a JSON body" },
    QUOTA_BYTES: {
      otherwise: "unlimited",
      text: "storage limit per user: files, versions, posts and their revisions, trash, unfinished uploads; admins are exempt",
    },
  },
  "Rate limits": {
    RATE_LIMIT_PER_SECOND: {
      value: "10",
      text: "requests per second from one address, with or without a token ([details](docs/operate/operating.md))",
    },
    RATE_LIMIT_BURST: { value: "30", text: "requests an address can send at once" },
    MEDIA_RATE_LIMIT_PER_SECOND: {
      value: "200",
      text: "requests for file contents and images per second from one address",
    },
    MEDIA_RATE_LIMIT_BURST: { value: "600", text: "file contents and images an address can request at once" },
    PAGE_RATE_LIMIT_PER_SECOND: {
      value: "20",
      text: "requests per second from one address for pages of the site that are not in the cache",
    },
    PAGE_RATE_LIMIT_BURST: { value: "200", text: "such pages an address can request at once" },
    ACCOUNT_RATE_LIMIT_PER_SECOND: {
      value: "100",
      text: "requests per second to the API for each person in a browser and their app keys, whatever the address; at least `RATE_LIMIT_PER_SECOND` by default",
    },
    ACCOUNT_RATE_LIMIT_BURST: {
      value: "1000",
      text: "requests they can send at once; at least `RATE_LIMIT_BURST` by default",
    },
  },
  "How long things are kept": {
    TRASH_DAYS: { value: "30", text: "days that deleted records stay in the trash" },
    VERSIONS_KEPT: { value: "20", text: "earlier versions kept per file; 0 keeps none" },
    VERSION_DAYS: { value: "365", text: "days that earlier versions are kept" },
    ACTIVITY_DAYS: { value: "365", text: "days that the activity is kept ([details](docs/build/events.md))" },
  },
  "Backups and imports": {
    BACKUP_TO: {
      otherwise: "no scheduled backups",
      text: "where the server makes backups on schedule: a folder, or `s3://…` ([details](docs/operate/backup.md))",
    },
    BACKUP_PASSPHRASE: { text: "passphrase that encrypts new backups, and decrypts them" },
    BACKUP_RECIPIENT: {
      text: "a public key of age, `age1…`: encrypts new backups, so that only its owner can read them",
    },
    BACKUP_IDENTITY_FILE: { text: "a file with the secret key that belongs to `BACKUP_RECIPIENT`" },
    IMPORT_MEMORY: {
      value: "512",
      text: "how many MiB of memory the program may use that reads an archive, a folder or a server for an import",
    },
    IMPORT_DIR: {
      text: "a directory whose folders and archives admins may import by the API ([details](docs/start/moving/importing.md))",
    },
    IMPORT_KEY: {
      text: "key of the server from which `vitrine import` reads ([details](docs/start/moving/servers.md))",
    },
  },
  "Mail and other servers": {
    SMTP_URL: {
      otherwise: "no mail",
      text: "the mail server, such as `smtp://user:password@mail.example.org:587`; it requires `BASE_URL` ([details](docs/operate/mail.md))",
    },
    MAIL_FROM: {
      otherwise: "`from` in `SMTP_URL`",
      text: "the sender of mail, such as `Photos <photos@example.org>`",
    },
    WEBHOOK_ALLOW_PRIVATE: { value: "false", text: "`true` allows webhooks to this machine and local networks" },
    MENTION_ALLOW_PRIVATE: {
      value: "false",
      text: "`true` allows mentions from and to this machine and local networks ([details](docs/use/open-web.md))",
    },
    RELEASES_URL: {
      text: "the address that `vitrine version --check` asks for the newest release ([details](docs/build/releasing.md))",
    },
  },
  "The process": {
    LOG_LEVEL: { value: "info", text: "`debug`, `info`, `warn`, `error` or `silent`" },
    DRAIN_SECONDS: {
      otherwise: "0; 5 with `DATABASE_URL`",
      text: "seconds the server keeps serving after SIGTERM ([details](docs/operate/operating.md))",
    },
    FFMPEG: {
      otherwise: "`ffmpeg`, if it is installed",
      text: "path of the program that takes pictures from videos; `off` uses none",
    },
  },
  "Metrics and traces": {
    METRICS_TOKEN: {
      otherwise: "no metrics",
      text: "enables `/metrics` for requests with this token; at least 16 characters ([details](docs/operate/operating.md))",
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      otherwise: "no traces",
      text: "sends traces to this collector ([details](docs/operate/operating.md))",
    },
    OTEL_EXPORTER_OTLP_HEADERS: { text: "headers for the collector: `name=value,name=value`" },
    OTEL_SERVICE_NAME: { value: "vitrine", text: "the name of this server in traces" },
    OTEL_BSP_SCHEDULE_DELAY: {
      value: "5000",
      text: "milliseconds that spans wait for others before they are sent",
    },
  },
  "PostgreSQL, S3 and Redis": {
    DATABASE_URL: {
      otherwise: "SQLite in `DATA_DIR`",
      text: "`postgres://user:password@host/name`, or several hosts: `host1:5432,host2:5432` ([details](docs/operate/scaling.md))",
    },
    DATABASE_CONNECTIONS: {
      value: "8",
      text: "PostgreSQL: most connections for reads, and as many for writes; a copy starts with one each",
    },
    DATABASE_TIMEOUT_MS: { value: "4500", text: "PostgreSQL: how long a request waits for the database" },
    STORAGE_URL: {
      otherwise: "disk in `DATA_DIR`",
      text: "`s3://bucket?endpoint=https://…&region=…` ([more options](docs/operate/object-stores.md))",
    },
    AWS_ACCESS_KEY_ID: { text: "S3: key" },
    AWS_SECRET_ACCESS_KEY: { text: "S3: secret key" },
    AWS_SESSION_TOKEN: { text: "S3: token of temporary keys" },
    AWS_REGION: { value: "us-east-1", text: "S3: region, if `STORAGE_URL` names none" },
    REDIRECT_DOWNLOADS: {
      value: "false",
      text: "S3: `true` redirects downloads to the store instead of passing the bytes through",
    },
    REDIS_URL: { otherwise: "limits in memory", text: "`redis://host:6379`: rate limits shared by all copies" },
  },
} as const satisfies Record<string, Partial<Record<Variable | "XDG_CACHE_HOME", VariableText>>>;
