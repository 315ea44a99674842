import { z } from "zod";
import { messageSchema } from "../../../../platform/http/message.ts";
import { type Route, route } from "../../../../platform/http/route.ts";
import { sampleKinds } from "./sample.ts";
import type { Samples } from "./samples.ts";

const removedSchema = messageSchema
  .extend({
    records: z
      .array(z.object({ kind: z.enum(sampleKinds), id: z.int() }))
      .meta({ description: "What is in the trash now, in the order in which it can be restored." }),
  })
  .meta({ id: "RemovedSamples" });

export const samplesRoute = (samples: Samples): Route =>
  route({
    method: "DELETE",
    path: "/api/v1/samples",
    name: "removeSamples",
    tag: "Settings",
    summary: "Move the samples to the trash",
    details: "The records that a new site was started with, without those that were changed since.",
    role: "admin",
    scope: "session",
    response: removedSchema,
    async handle({ caller }) {
      const { count, records } = await samples.remove(caller.id);
      return { message: `${count} ${count === 1 ? "sample was" : "samples were"} moved to the trash.`, records };
    },
  });
