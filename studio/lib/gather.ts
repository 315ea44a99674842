type Item<Sent, Result> = { sent: Sent; resolve: (result: Result) => void; reject: (error: unknown) => void };

type Options = {
  milliseconds: number;
  max: number;
  /** Whether nothing more is expected: then there is nothing to wait for. */
  isLast?: () => boolean;
};

/**
 * What is sent with the same key at about the same time is sent by one request. `send` returns a result for each, in the
 * same order.
 */
export function createGatherer<Key, Sent, Result>(
  send: (key: Key, sent: Sent[]) => Promise<readonly Result[]>,
  { milliseconds, max, isLast = () => false }: Options,
): (key: Key, sent: Sent) => Promise<Result> {
  const waiting = new Map<Key, Item<Sent, Result>[]>();

  return (key, sent) =>
    new Promise((resolve, reject) => {
      const group = waiting.get(key) ?? start(key);
      group.push({ sent, resolve, reject });
      if (group.length >= max || isLast()) void sendGroup(key, group);
    });

  function start(key: Key): Item<Sent, Result>[] {
    const group: Item<Sent, Result>[] = [];
    waiting.set(key, group);
    setTimeout(() => void sendGroup(key, group), milliseconds);
    return group;
  }

  async function sendGroup(key: Key, group: Item<Sent, Result>[]): Promise<void> {
    if (waiting.get(key) !== group) return;
    waiting.delete(key);
    try {
      const sent = group.map((item) => item.sent);
      const results = await send(key, sent);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
