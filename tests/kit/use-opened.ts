import { afterAll, beforeAll } from "bun:test";

/** Opens something before the tests, and closes it after them. The object is empty until it has been opened. */
export function useOpened<Opened extends AsyncDisposable>(open: () => Promise<Opened>): Opened {
  const used = {} as Opened;
  beforeAll(async () => {
    Object.assign(used, await open());
  });
  afterAll(() => used[Symbol.asyncDispose]?.());
  return used;
}
