import { z } from "zod";
import type { Module } from "../../module.ts";
import { areDeletionsHeld } from "./clock.ts";

const tenMinutes = 600_000;

/** Whether the clock of the machine can be right. */
export const clockModule: Module = {
  notices: {
    deletionsHeld: {
      schema: z.boolean().meta({
        description:
          "Whether nothing is deleted because of its age, as the clock may be wrong: `vitrine confirm clock` ends that. False for all but admins.",
        example: false,
      }),
      read: async ({ db }, { role }) => role === "admin" && areDeletionsHeld(db),
    },
  },
  open: ({ clock }) => ({ jobs: [{ name: "clock", everyMs: tenMinutes, run: clock.noteRun }] }),
};
