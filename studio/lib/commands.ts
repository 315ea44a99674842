import type { LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";

/** Something that can be done now, found by its name with Ctrl-K. */
export type Command = {
  label: string;
  /** The heading under which it is listed. */
  group: string;
  run: () => void;
  keys?: string;
  icon?: LucideIcon;
  /** The address of a small picture, in place of the icon. */
  picture?: string | null;
};

const active = new Set<{ current: Command[] }>();

/** Those of the innermost part first. */
export const listCommands = (): Command[] => [...active].toReversed().flatMap(({ current }) => current);

/** The commands of a part of the screen, while it is shown. */
export function useCommands(commands: Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    active.add(latest);
    return () => void active.delete(latest);
  }, []);
}
