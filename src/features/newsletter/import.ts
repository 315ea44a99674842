import type { Database, Queries } from "../../platform/database/database.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { invalid } from "../../platform/errors.ts";
import { isStorable } from "../../platform/text.ts";
import { late } from "../../platform/once.ts";
import { parseAddress } from "../../platform/mail/address.ts";
import { findByAddress, insertSubscriber, keyOf, setState } from "./store.ts";
import { type ImportReport, longestName, type State } from "./subscriber.ts";

const loadCSV = late(() => import("./csv.ts"));

export const maxImportBytes = 16 * 2 ** 20;
const maxLines = 200_000;
const linesAtOnce = 200;
const maxProblems = 100;

type Line = {
  line: number;
  address: string;
  name: string | null;
  state: Exclude<State, "pending">;
  time: number | null;
};
type Refused = { line: number; reason: string };

/** The names that columns have in the exports of other programs, without all but their letters. */
const columnNames = {
  email: ["email", "emailaddress", "mail", "address", "emailadresse", "adresse"],
  name: ["name", "fullname", "displayname"],
  first: ["firstname", "first", "vorname"],
  last: ["lastname", "last", "surname", "nachname"],
  state: ["state", "status", "subscribed", "subscribedtoemails", "emailmarketing"],
  time: ["confirmedat", "confirmtime", "optintime", "subscribedat", "createdat", "date"],
};
type Column = keyof typeof columnNames;

const stateNames: Record<Line["state"], string[]> = {
  confirmed: ["", "confirmed", "subscribed", "active", "true", "yes", "1", "free", "paid", "comped", "premium"],
  unsubscribed: ["unsubscribed", "false", "no", "0", "inactive", "optedout", "neversubscribed"],
  bouncing: ["bouncing", "bounced", "cleaned", "hardbounced"],
};

/** Adds the subscribers of a table. Nobody who has unsubscribed here is subscribed again. */
export async function importSubscribers(db: Database, text: string): Promise<ImportReport> {
  const { readCSV } = await loadCSV();
  const report: ImportReport = { added: 0, ended: 0, known: 0, refused: 0, problems: [] };
  const seen = new Set<string>();
  let waiting: Line[] = [];
  let columns: Map<Column, number> | null = null;
  let lines = 0;
  for await (const { line, fields } of readCSV(text)) {
    if (!columns) {
      columns = findColumns(fields ?? []);
      continue;
    }
    if (!fields) {
      refuse({ line, reason: "The quotes that begin in this line do not end." });
      break;
    }
    if (++lines > maxLines) {
      refuse({ line, reason: `A file has at most ${maxLines} lines: put the others into another one.` });
      break;
    }
    const read = readLine(line, fields, columns);
    if ("reason" in read) refuse(read);
    else if (seen.has(keyOf(read.address))) refuse({ line, reason: "This address is in the file already." });
    else {
      seen.add(keyOf(read.address));
      waiting.push(read);
    }
    if (waiting.length === linesAtOnce) await addWaiting();
  }
  if (!columns) throw invalid("The file is empty.");
  await addWaiting();
  return report;

  function refuse(refused: Refused): void {
    report.refused++;
    if (report.problems.length < maxProblems) report.problems.push(refused);
  }

  async function addWaiting(): Promise<void> {
    const some = waiting;
    waiting = [];
    if (some.length === 0) return;
    const results = await db.transaction(async (tx) => {
      const outcomes: (keyof Omit<ImportReport, "problems">)[] = [];
      for (const one of some) outcomes.push(await addOne(tx, one));
      return outcomes;
    });
    for (const outcome of results) report[outcome]++;
    await nextTurn();
  }
}

async function addOne(tx: Queries, { address, name, state, time }: Line): Promise<"added" | "ended" | "known"> {
  const now = Date.now();
  const times = state === "confirmed" ? { confirmedAt: time ?? now } : { confirmedAt: null, endedAt: now };
  const added = await insertSubscriber(tx, { address, name, state, createdAt: time ?? now, ...times });
  if (added) return "added";
  const known = await findByAddress(tx, address, tx.forUpdate);
  if (!known) return "known";
  // Whoever was asked to confirm, and is confirmed elsewhere, needs no further mail.
  if (known.state === "pending" || (known.state === "confirmed" && state !== "confirmed")) {
    await setState(tx, known.id, state);
    return known.state === "pending" ? "added" : "ended";
  }
  return "known";
}

function findColumns(head: string[]): Map<Column, number> {
  const names = head.map((name) => name.toLowerCase().replace(/[^\p{L}]/gu, ""));
  const columns = new Map<Column, number>();
  for (const [column, known] of Object.entries(columnNames) as [Column, string[]][]) {
    const found = known.map((name) => names.indexOf(name)).find((index) => index !== -1);
    if (found !== undefined) columns.set(column, found);
  }
  if (!columns.has("email")) {
    throw invalid('The first line must name the columns, and one of them must be "email".');
  }
  return columns;
}

function readLine(line: number, fields: string[], columns: Map<Column, number>): Line | Refused {
  const get = (column: Column) => {
    const index = columns.get(column);
    // The export puts a quote before what a spreadsheet would take for a formula.
    return index === undefined ? "" : (fields[index] ?? "").trim().replace(/^'(?=[=+\-@])/, "");
  };
  const address = parseAddress(get("email"));
  if (address === null) return { line, reason: "This is not an e-mail address." };
  const given = get("state")
    .toLowerCase()
    .replace(/[^\p{L}\d]/gu, "");
  if (given === "pending" || given === "unconfirmed") return { line, reason: "This address was never confirmed." };
  const state = (Object.keys(stateNames) as Line["state"][]).find((one) => stateNames[one].includes(given));
  if (!state) return { line, reason: "This state is not known." };
  const name = toName(get("name") || `${get("first")} ${get("last")}`);
  return { line, address, name, state, time: toTime(get("time")) };
}

function toName(text: string): string | null {
  const name = text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, longestName)
    .toWellFormed();
  return name !== "" && isStorable(name) ? name : null;
}

function toTime(text: string): number | null {
  const time = Date.parse(text.length > 40 ? "" : text);
  return time > 0 && time <= Date.now() ? time : null;
}
