import { busy, Problem } from "../../platform/errors.ts";
import { limitKey } from "../../platform/http/address.ts";

const maxStreams = 2000;
const maxPerAddress = 50;

/** Limits how many streams are open in total, and from one address. */
export function createStreamLimits() {
  const openFrom = new Map<string, number>();
  let total = 0;

  /** Throws if there are too many streams already. Call the result once, when the stream ends. */
  return function reserve(address: string): () => void {
    const key = limitKey(address);
    const open = openFrom.get(key) ?? 0;
    if (open >= maxPerAddress) {
      throw new Problem("limited", `Your address already has ${open} event streams open: close some of them first.`, {
        headers: { "Retry-After": "60" },
      });
    }
    if (total >= maxStreams) throw busy("The server has too many event streams open; try again later.");
    total++;
    openFrom.set(key, open + 1);
    return () => {
      total--;
      const left = (openFrom.get(key) as number) - 1;
      if (left > 0) openFrom.set(key, left);
      else openFrom.delete(key);
    };
  };
}
