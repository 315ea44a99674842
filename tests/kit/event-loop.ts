/** How often the event loop turns while this runs: in each turn, others are served. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = () => void (isDone || (turns++, setImmediate(turn)));
  setImmediate(turn);
  try {
    await work();
  } finally {
    isDone = true;
  }
  return turns;
}
