/** Takes the next step with the value: at once if it is not a promise, so that the most frequent requests need none. */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  step: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(step) : step(value);
}

/** The result of `work`, or what `recover` makes of its error. */
export function recovering<Result>(
  work: () => Result | Promise<Result>,
  recover: (error: unknown) => Result | Promise<Result>,
): Result | Promise<Result> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
