import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Server } from "bun";
import { type Command, dataOption } from "./command.ts";
import { type Config, ConfigError, findMistyped } from "../config.ts";
import type { SignupRole } from "../core/settings/settings.ts";
import { type Module, schemaOf } from "../module.ts";
import { modules as allModules } from "../modules.ts";
import { isBuilt } from "../platform/built-files.ts";
import { embeddedIn, isApart } from "../platform/database-directory.ts";
import { paceWithoutDescriptors } from "../platform/descriptors.ts";
import { endSignals } from "../platform/end-signals.ts";
import { ListenError, listen, stop } from "../platform/http/listen.ts";
import { checkLibraries } from "../platform/libraries.ts";
import { createLog, type Log } from "../platform/log.ts";
import { findOwnCommand, quoteForShell } from "../platform/own-command.ts";
import { releaseMemoryAfterWork } from "../platform/release-memory.ts";
import { openVitrine, type Vitrine } from "../server.ts";
import { programRoot } from "../platform/program-root.ts";
import { describeLostChanges } from "./lost-changes.ts";
import { createStart } from "./starting.ts";
import { upgradeSite } from "./migrate.ts";

const stopTimeoutMs = 10_000;

export const serveCommand: Command = {
  name: "serve",
  summary: "start the server (the default)",
  details: "Other settings are environment variables, or a .env file (docs/reference/configuration.md).",
  options: {
    port: { value: "PORT", variable: "PORT", summary: "the port to listen on (8080)" },
    host: { value: "HOST", variable: "HOST", summary: "the address to listen on (all addresses)" },
    ...dataOption,
  },
  run: ({ config }) => serve(config),
};

export const openAPICommand: Command = {
  name: "openapi",
  summary: "print the OpenAPI document",
  async run({ config }) {
    console.log(await printOpenAPI(config));
    return 0;
  },
};

type RunningServer = {
  port: number;
  /** The key of the set-up link, or null if there is an admin. */
  setupKey(): Promise<string | null>;
  signupRole(): Promise<SignupRole>;
  releaseMemory(): void;
  /** Tells health checks and clients to use another server, and keeps serving for DRAIN_SECONDS. */
  drain(): Promise<void>;
  /** Accepts no new requests, waits for the running ones, and then closes what they use. */
  close(): Promise<void>;
};

/** Serves until a signal asks it to end, waits for running requests, and returns the exit code. */
async function serve(config: Config): Promise<number> {
  if (!["fonts", "site", "studio", "api-page"].every(isBuilt)) {
    throw new ConfigError(`The web interface is not built: run "npm ci && npm run build" in ${programDirectory}.`);
  }
  const log = createLog(config.logLevel);
  for (const sentence of findMistyped()) log.warn(sentence);
  const server = await startServer(config, log, undefined, console.log);
  releaseMemoryAfterWork(server.releaseMemory);
  const interrupt = receive("SIGINT");
  const ends = [interrupt, ...endSignals().map(receive), ...(config.endsWithParent ? [parentEnd()] : [])];
  console.log(describeStart(config, server.port, await server.setupKey(), await server.signupRole()).join("\n"));
  const signal = await Promise.race(ends);
  log.info("stopping", { signal });
  // Ctrl-C skips draining, because a person is waiting.
  await Promise.race([server.drain(), interrupt]);
  await server.close();
  log.info("stopped");
  return 0;
}

/** The port comes first: a start that is refused for it has created nothing. `say` gets what an upgrade does. */
export async function startServer(
  config: Config,
  log: Log,
  modules: readonly Module[] = allModules,
  say: (line: string) => void = (line) => log.info(line),
): Promise<RunningServer> {
  const start = createStart();
  const server = listenOn(config.host, config.port, start.fetch);
  let vitrine: Vitrine | null = null;
  try {
    const lost = await describeLostChanges(config);
    if (lost) log.error(lost);
    await upgradeSite(config, schemaOf(modules).migrations, say, start.setUpgrading);
    vitrine = await openVitrine(config, log, modules);
    checkLibraries();
    start.finish(vitrine.fetch);
    return runningServer(config, vitrine, server, paceWithoutDescriptors(log));
  } catch (error) {
    await server.stop(true);
    await vitrine?.close();
    throw error;
  }
}

function runningServer(
  config: Config,
  vitrine: Vitrine,
  server: Server<unknown>,
  endPacing: () => void,
): RunningServer {
  return {
    port: server.port ?? config.port,
    setupKey: vitrine.setupKey,
    signupRole: vitrine.signupRole,
    releaseMemory: vitrine.releaseMemory,
    async drain() {
      vitrine.startDraining();
      await setTimeout(config.drainSeconds * 1000);
    },
    async close() {
      vitrine.startDraining();
      await stop(server, stopTimeoutMs);
      endPacing();
      await vitrine.close();
    },
  };
}

function listenOn(...[host, port, fetch]: Parameters<typeof listen>): ReturnType<typeof listen> {
  try {
    return listen(host, port, fetch);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    if (error.reason === "port") throw new ConfigError(`PORT ${port} is already in use by another program.`);
    if (error.reason === "rights") {
      throw new ConfigError(
        `PORT ${port} requires elevated privileges: choose a port from 1024 on, and put a reverse proxy in front on port ${port}.`,
      );
    }
    throw new ConfigError(`Cannot listen on HOST ${host}: ${error.message}`);
  }
}

/** Prints the document from a server on a temporary data directory. */
async function printOpenAPI(config: Config): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "vitrine-"));
  const vitrine = await openVitrine({ ...config, ...embeddedIn(dataDir) }, createLog("silent"));
  const document = await vitrine.describeAPI();
  await vitrine.close();
  rmSync(dataDir, { recursive: true });
  return JSON.stringify(document, null, 2);
}

/** What the operator needs to know at the start. */
function describeStart(config: Config, port: number, setupKey: string | null, signupRole: SignupRole): string[] {
  const address = config.baseURL || `http://${inURL(config.host ?? "localhost")}:${port}`;
  return [
    `Vitrine is running at ${address}`,
    `Data is in ${config.dataDir}`,
    ...(isApart(config) ? [`The database is in ${config.databaseDir}`] : []),
    ...(signupRole === "closed" ? [] : [describeSignup(signupRole)]),
    ...(setupKey ? describeSetup(config, `${address}/setup?key=${setupKey}`) : []),
  ];
}

const programDirectory = fileURLToPath(programRoot);
const inURL = (host: string) => (host.includes(":") ? `[${host}]` : host);

function describeSignup(role: "author" | "reader"): string {
  const rights = role === "author" ? "upload" : "comment";
  return `Anyone who can reach this address can sign up and ${rights}: set SIGNUP_ROLE=closed to stop that.`;
}

/** A link, and a command that can be pasted into a shell in the same directory. */
function describeSetup(config: Config, link: string): string[] {
  const { dataDir, databaseDir, database } = config;
  const setting = [
    ...(dataDir === resolve("data") ? [] : [`DATA_DIR=${quoteForShell(dataDir)} `]),
    ...(isApart(config) ? [`DATABASE_DIR=${quoteForShell(databaseDir)} `] : []),
  ].join("");
  const condition = database.engine === "postgres" ? ", with the same DATABASE_URL" : "";
  return [
    `There is no admin account yet. To set up the site, open ${link}`,
    `Or create an admin on the command line${condition}: ${setting}${findOwnCommand()} user add NAME --role admin`,
  ];
}

function parentEnd(): Promise<string> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    setInterval(() => process.ppid !== parent && resolve("parent ended"), 200).unref();
  });
}

function receive(signal: NodeJS.Signals): Promise<string> {
  return new Promise((resolve) => {
    process.on(signal, () => resolve(signal));
  });
}
