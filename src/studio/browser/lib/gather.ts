type Item<Sent, Result> = { sent: Sent; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * What is sent with the same key at about the same time is sent by one request. `send` returns a result for each, in the
 * same order.
 */
export function createGatherer<Key, Sent, Result>(
  send: (key: Key, sent: Sent[]) => Promise<readonly Result[]>,
  { milliseconds, most }: { milliseconds: number; most: number },
): (key: Key, sent: Sent) => Promise<Result> {
  const waiting = new Map<Key, Item<Sent, Result>[]>();

  return (key, sent) =>
    new Promise((resolve, reject) => {
      const group = waiting.get(key) ?? start(key);
      group.push({ sent, resolve, reject });
      if (group.length >= most) waiting.delete(key);
    });

  function start(key: Key): Item<Sent, Result>[] {
    const group: Item<Sent, Result>[] = [];
    waiting.set(key, group);
    setTimeout(() => {
      if (waiting.get(key) === group) waiting.delete(key);
      void sendGroup(key, group);
    }, milliseconds);
    return group;
  }

  async function sendGroup(key: Key, group: Item<Sent, Result>[]): Promise<void> {
    try {
      const sent = group.map((item) => item.sent);
      const results = await send(key, sent);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
