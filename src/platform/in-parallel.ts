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

/**
 * Works on all items as they come, on at most `atOnce` of them at the same time. After a failure no other item is begun, and
 * it is thrown when those that had begun have ended.
 */
export async function streamInParallel<Item>(
  items: AsyncGenerator<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    try {
      for (let item = await items.next(); !item.done; item = await items.next()) await work(item.value);
    } catch (error) {
      await items.return(undefined);
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const failure = ended.find(({ status }) => status === "rejected");
  if (failure) throw (failure as PromiseRejectedResult).reason;
}
