// Runs only with TEST_LONG: each of a hundred requests is counted up to six times.
import { expect, test } from "bun:test";
import { type Cost, openBudget } from "../budget/measure.ts";
import { type Line, lines } from "../budget/requests.ts";
import { nameOf, type Numbers, readBudget, writeBudget } from "../budget/table.ts";
import { isScaled } from "../kit/engine.ts";
import { useOpened } from "../kit/use-opened.ts";

/*
 * What a request costs, counted instead of timed: the same on every machine. The numbers are in `budget/budget.txt`. After a
 * change, `npm run budget` writes them again; the difference is part of the review.
 */

const isWriting = process.env.WRITE_BUDGET === "true";
const budget = readBudget();
const measured = new Map<string, Numbers>();

const server = useOpened(openBudget);
test.each(lines.map((line) => ({ name: nameOf(line), line })))("$name", async ({ name, line }) => {
  const expected = budget.get(name) ?? {};
  if (isScaled && line.isFirst) return void measured.set(name, {});
  let numbers = numbersOf(await server.measure(line));
  // On a busy machine, a job of the server may go on during all attempts.
  const isMore = () => Object.entries(numbers).some(([column, number]) => number > (expected[column] ?? Infinity));
  const most = isScaled && !isWriting && line.request.startsWith("GET") ? 20 : 0;
  for (let more = 0; more < most && isMore(); more++) {
    await Bun.sleep(500);
    numbers = numbersOf(await server.measure(line));
  }
  for (const [column, number] of Object.entries(numbers)) {
    const difference = Math.abs(number - (expected[column] ?? Number.NaN));
    if (difference <= toleranceOf(column, number, line)) numbers[column] = expected[column] ?? number;
  }
  measured.set(name, numbers);
  if (!isWriting) expect(numbers, "If this is intended, run: npm run budget").toEqual(pick(expected, numbers));
});

test("the file has these lines only", () => {
  expect([...measured.keys()]).toEqual(lines.map(nameOf));
  if (isWriting) writeBudget(measured);
  expect([...readBudget().keys()]).toEqual(lines.map(nameOf));
});

/** What is compared on this engine. */
const numbersOf = ({ statements, roundTrips, ...others }: Cost): Numbers =>
  isScaled ? { "PG-statements": statements, "PG-round-trips": roundTrips } : { statements, ...others };

function toleranceOf(column: string, number: number, { isOfBytes, unevenBy = 0 }: Line): number {
  if (column === "objects") return Math.max(60, number * (isOfBytes ? 0.15 : 0.03));
  return isScaled ? unevenBy : 0;
}

const pick = (expected: Numbers, columns: Numbers): Numbers =>
  Object.fromEntries(Object.keys(columns).map((column) => [column, expected[column] ?? Number.NaN]));
