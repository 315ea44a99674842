import os from "node:os";

export type Machine = { arch: string; cores: number; cpu: string | null; memory: string; system: string };

/** The machine on which the numbers were measured. */
export function readMachine(): Machine {
  const model = os.cpus()[0]?.model.trim();
  return {
    arch: process.arch,
    cores: os.availableParallelism(),
    cpu: model && model !== "unknown" ? model : null,
    memory: `${Math.round(os.totalmem() / 2 ** 30)} GB`,
    system: os.type(),
  };
}

/** In one line. */
export function describeMachine({ arch, cores, cpu, memory, system } = readMachine(), bun = Bun.version): string {
  return [`${cores} cores ${arch}${cpu ? ` (${cpu})` : ""}`, memory, system, `Bun ${bun}`].join(", ");
}
