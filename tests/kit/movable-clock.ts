/** Loaded into a server before its own code (`bun --preload`): SIGUSR2 sets its clock forward by 40 days. */
const jumpMs = 40 * 86_400_000;

// Processes that decode pictures inherit the environment.
if (process.argv.includes("serve")) {
  const Real = Date;
  let offset = 0;
  const now = () => Real.now() + offset;
  class MovedDate extends Real {
    constructor(...given: number[]) {
      super(...((given.length === 0 ? [now()] : given) as [number]));
    }
  }
  globalThis.Date = Object.assign(MovedDate, { now }) as unknown as DateConstructor;
  process.on("SIGUSR2", () => void (offset = jumpMs));
}
