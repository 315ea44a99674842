import os from "node:os";

/** The machine on which the numbers were measured, in one line. */
export function describeMachine(): string {
  const model = os.cpus()[0]?.model.trim();
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
  const cpu = model && model !== "unknown" ? ` (${model})` : "";
  const cores = `${os.availableParallelism()} cores ${process.arch}${cpu}`;
  return [cores, memory, `${os.type()} ${os.release()}`, `Bun ${Bun.version}`].join(", ");
}
