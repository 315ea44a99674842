import { expect, test } from "bun:test";
import { until } from "../../../tests/kit/until.ts";
import { longTextAnswer } from "./long-text.ts";
import { createTurns } from "./turns.ts";

const hour = 3_600_000;

/** Waits until everything that can go on without a reader has gone on. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Each line takes one turn and says when it has it. */
function open(clients: string[], takeTurns: ReturnType<typeof createTurns>) {
  const started: string[] = [];
  const turns = clients.map((client, index) => {
    const turn = takeTurns(client);
    void turn.take().then(() => started.push(`${client}${index}`));
    return turn;
  });
  return { started, turns };
}

test("so many clients have a turn at once, each one, and those with many of them let others pass", async () => {
  const { started, turns } = open(
    ["a", "a", "a", "b", "c"],
    createTurns({ most: 2, patienceMs: hour, longestMs: hour }),
  );
  await settle();
  expect(started).toEqual(["a0", "b3"]);
  turns[0]?.end();
  await settle();
  expect(started).toEqual(["a0", "b3", "a1"]);
  turns[1]?.end();
  await settle();
  expect(started).toEqual(["a0", "b3", "a1", "c4"]);
  turns[3]?.end();
  await settle();
  expect(started).toEqual(["a0", "b3", "a1", "c4", "a2"]);
});

test("a turn that is taken again comes after all who wait", async () => {
  const { started, turns } = open(["a", "b"], createTurns({ most: 1, patienceMs: 20, longestMs: hour }));
  await settle();
  expect(started).toEqual(["a0"]);
  let isBack = false;
  const back = turns[0]?.take().then(() => (isBack = true));
  await settle();
  expect([started, isBack]).toEqual([["a0", "b1"], false]);
  turns[1]?.endSoon();
  await back;
  expect(isBack).toBe(true);
});

test("a turn that goes on and on ends at last", async () => {
  const { started } = open(["a", "b"], createTurns({ most: 1, patienceMs: hour, longestMs: 20 }));
  await until(
    () => started,
    ({ length }) => length === 2,
  );
  expect(started).toEqual(["a0", "b1"]);
});

test("readers who take nothing lose their turns, and keep only what was read for them", async () => {
  const takeTurns = createTurns({ most: 2, patienceMs: 20, longestMs: hour });
  const slice = "x".repeat(300_000);
  let slices = 0;
  async function* texts(count: number) {
    for (let number = 0; number < count; number++) {
      slices++;
      yield slice;
    }
  }
  const read = (count: number, client: string) =>
    longTextAnswer("text/plain", texts(count), {}, { turn: takeTurns(client) });

  const slow = await Promise.all(
    Array.from({ length: 10 }, (_, number) => read(1000, number < 5 ? "many" : `${number}`)),
  );
  const whole = await read(3, "other");
  expect("plain" in whole && whole.plain.body.length).toBe(900_000);
  expect(slices).toBe(10 * 4 + 3);
  // One that goes on is whole, whatever waits.
  const long = await read(20, "other");
  const bytes = "body" in long ? await new Response(long.body).bytes() : null;
  expect(bytes?.length).toBe(6_000_000);
  expect(slices).toBe(10 * 4 + 3 + 20);
  for (const answer of slow) if ("body" in answer) await (answer.body as ReadableStream).cancel();
});

test("nothing of a large page is read before it has a turn", async () => {
  const takeTurns = createTurns({ most: 1, patienceMs: hour, longestMs: hour });
  const first = takeTurns("first");
  await first.take();
  let slices = 0;
  async function* texts() {
    for (let number = 0; number < 3; number++) {
      slices++;
      yield "x".repeat(300_000);
    }
  }
  const waiting = Array.from({ length: 5 }, (_, number) =>
    longTextAnswer("text/plain", texts(), {}, { turn: takeTurns(`${number}`), isLarge: true }),
  );
  await settle();
  expect(slices).toBe(0);
  first.end();
  const answers = await Promise.all(waiting);
  expect(answers.map((answer) => "plain" in answer && answer.plain.body.length)).toEqual(Array(5).fill(900_000));
});
