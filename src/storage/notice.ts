import { z } from "zod";
import { summarize } from "../holdings/summary.ts";
import type { Notice } from "../notice.ts";
import { readUsage } from "./quota.ts";

export const usedStorage: Notice = {
  schema: z
    .object({
      bytes: z.int().meta({
        description:
          "Files, trash, versions, posters, texts, responses that are stored for an Idempotency-Key, and unfinished uploads.",
        example: 48213,
      }),
      quota: z.int().nullable().meta({ description: "The limit in bytes; null for no limit.", example: null }),
    })
    .meta({ description: "The storage that is used; for admins, without unfinished uploads and stored responses." }),
  async read({ db, config, holdings }, { id, role }) {
    if (role === "admin") return { bytes: summarize((await holdings.read()).site).bytes, quota: null };
    const usage = await readUsage(db, id);
    return { bytes: (usage?.stored ?? 0) + (usage?.reserved ?? 0), quota: config.quotaBytes };
  },
};
