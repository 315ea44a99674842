import { renderOrdinary } from "../src/platform/markdown/ordinary.ts";
import { startRenderer } from "../src/platform/markdown/renderer.ts";
import { costlyTexts } from "../tests/kit/markdown-texts.ts";
import { layOut } from "./table.ts";
import { createThreadClock } from "./thread-clock.ts";

const rounds = 7;
const now = createThreadClock();

/** How long rendering hostile texts in the server's process takes: the longest beginnings that are rendered, and the whole, which is not. */
export async function markdown(): Promise<void> {
  // Loads all that the server loads for its first text.
  await startRenderer().render("a", 1);
  const rows = Object.entries(costlyTexts).map(([name, text]) => {
    const limit = text.slice(0, longestRendered(text));
    return { name, limit, rendered: measure(limit), refused: measure(text) };
  });
  rows.sort((one, other) => longest(other) - longest(one));
  const cells = rows.map(({ name, limit, rendered, refused }) => [
    name,
    String(limit.length),
    ...[rendered, refused].flatMap(({ first, median }) => [first.toFixed(1), median.toFixed(1)]),
  ]);
  const head = ["", "characters", "rendered, first", "median", "refused, first", "median"];
  console.log(
    `\nMilliseconds of processor time in one turn, for the longest part of a text that is rendered, and for all of it:\n`,
  );
  console.log(`${layOut([head, ...cells])}\n`);
  const [worst] = rows;
  if (worst) console.log(`The longest turn took ${longest(worst).toFixed(1)} ms (goal: less than 10): ${worst.name}.`);
}

type Times = { first: number; median: number };

const longest = ({ rendered, refused }: { rendered: Times; refused: Times }) =>
  Math.max(rendered.first, rendered.median, refused.first, refused.median);

/** How many characters of the text are rendered here. */
function longestRendered(text: string): number {
  let [rendered, refused] = [0, text.length];
  while (refused - rendered > 1) {
    const middle = Math.floor((rendered + refused) / 2);
    if (renderOrdinary(text.slice(0, middle))) rendered = middle;
    else refused = middle;
  }
  return rendered;
}

function measure(text: string): Times {
  const times = Array.from({ length: rounds }, () => {
    const before = now();
    renderOrdinary(text);
    return now() - before;
  });
  return { first: times[0] ?? 0, median: times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0 };
}
