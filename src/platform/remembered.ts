/** Longer texts are not remembered: clients choose them. */
const longestText = 500;

type Remembered<Value> = {
  get(text: string): Value | undefined;
  set(text: string, value: Value): void;
};

/**
 * What was computed from texts that clients send, of which most are the same few. When there are too many, those are forgotten
 * that nobody has asked for since the last time.
 */
export function createRemembered<Value>(most: number): Remembered<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return {
    get(text) {
      const value = young.get(text);
      if (value !== undefined) return value;
      const older = old.get(text);
      if (older !== undefined) add(text, older);
      return older;
    },
    set(text, value) {
      if (text.length <= longestText) add(text, value);
    },
  };

  function add(text: string, value: Value): void {
    if (young.size >= most / 2) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
  }
}
