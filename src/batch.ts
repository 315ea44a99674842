import { z } from "zod";
import { Problem } from "./errors.ts";
import { id } from "./platform/http/validate.ts";

/** The ids of a request that changes many records. */
export const batchIDs = z
  .array(id())
  .min(1)
  .max(1000)
  .meta({ description: "At most 1,000; repeated ones count once.", example: [1] });

export const batchResultSchema = z
  .object({
    results: z.array(
      z.object({
        id: z.int(),
        error: z.string().nullable().meta({ description: "Why it was not changed; null if it was.", example: null }),
      }),
    ),
  })
  .meta({ id: "BatchResult", description: "A result for each id, in the order of the request." });

export type BatchResult = z.output<typeof batchResultSchema>;

/** Changes the records one after the other. Those that are refused are reported, and do not stop the others. */
export async function changeEach(ids: number[], change: (id: number) => Promise<void>): Promise<BatchResult> {
  const results: BatchResult["results"] = [];
  for (const id of new Set(ids)) {
    try {
      await change(id);
      results.push({ id, error: null });
    } catch (error) {
      if (!(error instanceof Problem) || !isRefusal(error)) throw error;
      results.push({ id, error: error.message });
    }
  }
  return { results };
}

const isRefusal = ({ code }: Problem) => code === "missing" || code === "forbidden" || code === "invalid";
