/** However many ask for the same at the same time, the work is done once, and its outcome is everybody's. */
export function createShared<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const underWay = new Map<string, Promise<Result>>();
  return (key, work) => {
    let shared = underWay.get(key);
    if (!shared) {
      shared = work().finally(() => underWay.delete(key));
      underWay.set(key, shared);
    }
    return shared;
  };
}
