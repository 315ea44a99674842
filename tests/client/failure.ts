/** What the promise is rejected with. */
export function failureOf(promise: Promise<unknown>): Promise<any> {
  return promise.then(
    () => new Error("It did not fail."),
    (reason: unknown) => reason,
  );
}
