import { nextTurn } from "../event-loop.ts";

/** The part of one long response in the order in which all of them are read. */
export type Turn = {
  /** Ends the turn that it has, and waits for another one. */
  take(): Promise<void>;
  end(): void;
  /** Ends it unless the response goes on soon: its reader is slow, and keeps only what was read for it. */
  endSoon(): void;
};

/** For a response that waits for no other. */
export const noTurn: Turn = { take: async () => {}, end() {}, endSoon() {} };

/**
 * Long responses are read slice by slice, in turns: so many at once, one for each client, and clients one after the other. Who
 * has many of them delays only their own. A turn ends when a piece of the response was not taken in `patienceMs`, and after
 * `longestMs` in any case.
 */
export function createTurns({ most = 4, patienceMs = 250, longestMs = 2500 } = {}) {
  /** Those who wait, by client; the client that has waited longest is first. */
  const waiting = new Map<string, (() => void)[]>();
  const running = new Set<string>();

  function admit(): void {
    for (const [client, starts] of waiting) {
      if (running.size >= most) return;
      if (running.has(client)) continue;
      running.add(client);
      waiting.delete(client);
      starts.shift()?.();
      if (starts.length > 0) waiting.set(client, starts);
    }
  }

  return (client: string): Turn => {
    let isTaken = false;
    let late: NodeJS.Timeout | undefined;
    let latest: NodeJS.Timeout | undefined;

    function end(): void {
      if (!isTaken) return;
      clearTimeout(late);
      clearTimeout(latest);
      isTaken = false;
      running.delete(client);
      admit();
    }

    return {
      async take() {
        end();
        const { promise, resolve } = Promise.withResolvers<void>();
        const others = waiting.get(client);
        if (others) others.push(resolve);
        else waiting.set(client, [resolve]);
        admit();
        await promise;
        isTaken = true;
        latest = setTimeout(end, longestMs);
        await nextTurn();
      },
      end,
      endSoon() {
        if (!isTaken) return;
        clearTimeout(late);
        late = setTimeout(end, patienceMs);
      },
    };
  };
}

/** Those of this process. */
export const takeTurns = createTurns();
