import { z } from "zod";
import type { Module } from "../../module.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { route } from "../../platform/http/route.ts";
import { areDeletionsHeld, confirmClock } from "./clock.ts";

const tenMinutes = 600_000;

/** Whether the clock of the machine can be right. */
export const clockModule: Module = {
  notices: {
    deletionsHeld: {
      schema: z.boolean().meta({
        description:
          "Whether nothing is deleted because of its age, as the clock may be wrong: to confirm the clock ends that. False for all but admins.",
        example: false,
      }),
      read: async ({ db }, { role }) => role === "admin" && areDeletionsHeld(db),
    },
  },
  open: ({ clock, log }) => ({
    jobs: [{ name: "clock", everyMs: tenMinutes, run: clock.noteRun }],
    routes: [
      route({
        method: "POST",
        path: "/api/v1/clock/confirmation",
        name: "confirmClock",
        tag: "Attention",
        summary: "Say that the clock of the server is right",
        details: "What was held because the clock may be wrong (`deletionsHeld`) is deleted because of its age again.",
        role: "admin",
        scope: "admin",
        response: messageSchema,
        async handle({ caller, transaction }) {
          const done = await transaction(async (tx) => {
            await confirmClock(tx);
            return { message: "The clock is confirmed: what is old enough is deleted again." };
          });
          log.info("the clock was confirmed", { userID: caller.id });
          return done;
        },
      }),
    ],
  }),
};
