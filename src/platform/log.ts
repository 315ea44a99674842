import { fstatSync } from "node:fs";
import { openOutput, type Output } from "./log-output.ts";

type Level = "debug" | "info" | "warn" | "error" | "silent";
type Entry = Record<string, string | number | null | undefined>;

/** What is logged of every request. */
export type RequestEntry = {
  requestID: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  address: string;
  userID: number | undefined;
  /** By which a trace collector finds what the request did; undefined if that is not recorded. */
  traceID?: string | undefined;
};

export type Log = {
  debug(message: string, entry?: Entry): void;
  info(message: string, entry?: Entry): void;
  warn(message: string, entry?: Entry): void;
  error(message: string, entry?: Entry): void;
  request(entry: RequestEntry): void;
  /** Writes the buffered lines. A line is buffered for at most a tenth of a second, or until the process exits. */
  flush(): void;
};

const order: Level[] = ["debug", "info", "warn", "error", "silent"];
const maxBuffered = 65_536;
const flushMs = 100;

type Options = { pretty?: boolean; output?: Output };

/**
 * One JSON object per line; on a terminal, readable lines. Callers must not pass secrets: headers and bodies are never
 * logged. If the reader is so slow that lines have to be dropped, a later line says how many were dropped.
 */
export function createLog(level: Level, options: Options = {}): Log {
  const { pretty = isTerminal(2), output = openOutput(2) } = options;
  const threshold = order.indexOf(level);
  const print = pretty ? prettyLine : jsonLine;
  let buffer = "";
  let buffered = 0;
  let dropped = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  if (!options.output) process.once("exit", close);
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    request: isOn("info") ? (entry) => add(pretty ? prettyLine("info", "request", entry) : requestLine(entry)) : skip,
    flush,
  };

  function at(name: Level) {
    return isOn(name) ? (message: string, entry: Entry = {}) => add(print(name, message, entry)) : skip;
  }

  function isOn(name: Level): boolean {
    return order.indexOf(name) >= threshold;
  }

  function add(line: string): void {
    buffer += line;
    buffered++;
    if (pretty || buffer.length > maxBuffered) flush();
    else timer ??= setTimeout(flush, flushMs);
  }

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (buffered === 0) return;
    const notice =
      dropped > 0 ? print("warn", "log lines were dropped: the reader is too slow", { lines: dropped }) : "";
    dropped = output.write(notice + buffer) ? 0 : dropped + buffered;
    buffer = "";
    buffered = 0;
  }

  function close(): void {
    flush();
    output.close();
  }
}

const skip = () => {};

function isTerminal(descriptor: number): boolean {
  return fstatSync(descriptor).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(descriptor);
}

function jsonLine(level: Level, message: string, entry: Entry): string {
  return `${JSON.stringify({ time: now(), level, message, ...entry })}\n`;
}

/** The same as `jsonLine`, but faster: there is one for every request. Numbers and known words need no escaping. */
function requestLine({ requestID, method, path, status, ms, address, userID, traceID }: RequestEntry): string {
  const user = userID === undefined ? "" : `,"userID":${userID}`;
  const trace = traceID === undefined ? "" : `,"traceID":"${traceID}"`;
  return `{"time":"${now()}","level":"info","message":"request","requestID":${quote(requestID)},"method":${quote(method)},"path":${quote(path)},"status":${status},"ms":${ms},"address":${quote(address)}${user}${trace}}\n`;
}

const needsEscaping = /[^ !#-[\]-~]/;

function quote(text: string): string {
  return needsEscaping.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function prettyLine(level: Level, message: string, entry: Entry): string {
  const { method, path, status, ms, ...rest } = entry;
  const isRequest = message === "request";
  const title = isRequest ? `${method} ${path} ${status} ${ms} ms` : message;
  const details = Object.entries(isRequest ? rest : entry).filter(([, value]) => value !== undefined && value !== null);
  const colour = { debug: 90, info: Number(status) >= 400 ? 33 : 36, warn: 33, error: 31, silent: 0 }[level];
  const words = details.map(([key, value]) => `${key}=${value}`).join(" ");
  return `\x1b[2m${now().slice(11, 19)}\x1b[0m \x1b[${colour}m${title}\x1b[0m \x1b[2m${words}\x1b[0m\n`;
}

let lastMillisecond = 0;
let lastText = "";

/** The text of the current millisecond, formatted once for all lines that share it. */
function now(): string {
  const millisecond = Date.now();
  if (millisecond !== lastMillisecond) {
    lastMillisecond = millisecond;
    lastText = new Date(millisecond).toISOString();
  }
  return lastText;
}
