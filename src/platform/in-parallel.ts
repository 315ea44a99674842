/** Works on all items, on at most `atOnce` of them at the same time, in any order. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    while (waiting.length > 0) await work(waiting.pop() as Item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
