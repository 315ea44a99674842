import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { Problem } from "./errors.ts";
import { id } from "./platform/http/validate.ts";

/** The ids of a request that changes many records. */
export const batchIDs = z
  .array(id())
  .min(1)
  .max(1000)
  .refine((all) => new Set(all).size === all.length, { error: "must list each id only once" })
  .meta({ example: [1, 2] });

export const batchTrash = z
  .boolean()
  .default(false)
  .meta({ description: "Whether to move them to the trash.", example: false });

/** Whether the request frees space, sooner or later. */
export const movesToTrash = ({ trash }: { trash: boolean }): boolean => trash;

export const batchResultSchema = z
  .object({
    changed: z.int().meta({ description: "How many records were changed.", example: 2 }),
    results: z.array(
      z.object({
        id: z.int(),
        status: z.int().meta({ description: "200, or the status that a request for this record alone has." }),
        error: z.string().nullable().meta({ example: null }),
      }),
    ),
  })
  .meta({ id: "BatchResult", description: "One result for each id, in the order of the request." });

export type BatchResult = z.output<typeof batchResultSchema>;

/** The results in the order of the ids. What was refused has its error. */
export function toResult(ids: number[], refused: Map<number, Problem>): BatchResult {
  const results = ids.map((one) => ({
    id: one,
    status: refused.get(one)?.status ?? 200,
    error: refused.get(one)?.message ?? null,
  }));
  return { changed: ids.length - refused.size, results };
}

/** Whether the error refuses one record. Others, such as a lost connection, fail the whole request. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && ["invalid", "forbidden", "missing"].includes(error.code);

const changedAtOnce = 20;

/**
 * Changes the records one after the other. Those that are refused are reported, and do not stop the others. Other requests
 * run between two slices.
 */
export async function changeEach(
  ids: number[],
  change: (id: number) => Promise<void>,
  inOrder = ids,
): Promise<BatchResult> {
  const refused = new Map<number, Problem>();
  for (const [index, id] of inOrder.entries()) {
    if (index > 0 && index % changedAtOnce === 0) await setImmediate();
    try {
      await change(id);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.set(id, error);
    }
  }
  return toResult(ids, refused);
}
