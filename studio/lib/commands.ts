import { useEffect, useRef } from "react";

/** Something that can be done now, found by its name with Ctrl-K. */
export type Command = { label: string; group: string; run: () => void; keys?: string };

const active = new Set<{ current: Command[] }>();

export const listCommands = (): Command[] => [...active].flatMap(({ current }) => current).toReversed();

/** The commands of a part of the screen, while it is shown. */
export function useCommands(commands: Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    active.add(latest);
    return () => void active.delete(latest);
  }, []);
}
