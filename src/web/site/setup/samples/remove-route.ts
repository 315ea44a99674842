import { messageSchema } from "../../../../platform/http/message.ts";
import { type Route, route } from "../../../../platform/http/route.ts";
import type { Samples } from "./samples.ts";

export const samplesRoute = (samples: Samples): Route =>
  route({
    method: "DELETE",
    path: "/api/v1/samples",
    name: "removeSamples",
    tag: "Settings",
    summary: "Move the samples to the trash",
    details: "The records that a new site was started with, without those that were changed since.",
    role: "admin",
    response: messageSchema,
    async handle({ caller }) {
      const count = await samples.remove(caller.id);
      return { message: `${count} ${count === 1 ? "sample was" : "samples were"} moved to the trash.` };
    },
  });
