import { writeSync } from "node:fs";
import { isatty } from "node:tty";

export type Level = "debug" | "info" | "warn" | "error" | "silent";
export type Entry = Record<string, string | number | null | undefined>;

export type Log = {
  debug(message: string, entry?: Entry): void;
  info(message: string, entry?: Entry): void;
  warn(message: string, entry?: Entry): void;
  error(message: string, entry?: Entry): void;
  /** Writes the buffered lines. A line is buffered for at most a tenth of a second. */
  flush(): void;
};

const order: Level[] = ["debug", "info", "warn", "error", "silent"];

/**
 * One JSON object per line; on a terminal, readable lines. Callers must not pass secrets: headers and bodies are never
 * logged.
 */
export function createLog(level: Level, options: { pretty?: boolean; write?: (text: string) => string } = {}): Log {
  const { pretty = isatty(2), write = writeToStderr } = options;
  const threshold = order.indexOf(level);
  let buffer = "";
  let timer: ReturnType<typeof setTimeout> | null = null;

  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (buffer) buffer = write(buffer);
  };
  const at = (name: Level) => {
    if (order.indexOf(name) < threshold) return () => {};
    return (message: string, entry: Entry = {}) => {
      buffer += pretty ? prettyLine(name, message, entry) : jsonLine(name, message, entry);
      if (pretty || buffer.length > 65_536) flush();
      else timer ??= setTimeout(flush, 100);
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), flush };
}

function jsonLine(level: Level, message: string, entry: Entry): string {
  return `${JSON.stringify({ time: now(), level, message, ...entry })}\n`;
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

/** Returns what could not be written: if the reader of the pipe is slow or has exited, the server must not stop. */
function writeToStderr(text: string): string {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(2, bytes, written);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return "";
  }
  return bytes.length - written > 4_000_000 ? "" : bytes.toString("utf8", written);
}
