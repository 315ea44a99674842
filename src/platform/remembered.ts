/** Longer texts are not remembered: clients choose them. */
const longestText = 500;

type Remembered<Value> = {
  get(text: string): Value | undefined;
  set(text: string, value: Value): void;
};

/** What was computed from texts that clients send, of which most are the same few. It forgets all of them when there are too many. */
export function createRemembered<Value>(most: number): Remembered<Value> {
  const values = new Map<string, Value>();
  return {
    get: (text) => values.get(text),
    set(text, value) {
      if (text.length > longestText) return;
      if (values.size >= most) values.clear();
      values.set(text, value);
    },
  };
}
