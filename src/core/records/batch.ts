import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Transact } from "../../platform/http/transact.ts";
import { id } from "../../platform/http/validate.ts";

// The shape of every endpoint that changes many records: `POST /api/v1/<records>/batch` with `ids`, what to change, and `trash`.
// What the caller may change is changed in one transaction (`changeTogether`, `changeEach`); the response has one result for
// each id, in the order of the request, with the status that a request for this record alone has (`batchResultOf`).

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

const oneResultSchema = z.object({
  id: z.int(),
  status: z.int().meta({ description: "200, or the status that a request for this record alone has." }),
  error: z.string().nullable().meta({ example: null }),
});

/** `more` are fields that the result of each record has besides. */
export const batchResultOf = <More extends z.ZodRawShape>(more: More) =>
  z.object({
    changed: z.int().meta({ description: "How many records were changed.", example: 2 }),
    results: z.array(oneResultSchema.extend(more)),
  });

export const batchResultSchema = batchResultOf({}).meta({
  id: "BatchResult",
  description: "One result for each id, in the order of the request.",
});

export type BatchResult = z.output<typeof batchResultSchema>;

/** The handler of such an endpoint, which makes all its changes in one transaction. */
export const changeTogether =
  <Batch, Result>(change: (tx: Queries, caller: Caller, batch: Batch) => Promise<Result>) =>
  ({ body, caller, transaction }: { body: Batch; caller: Caller; transaction: Transact }): Promise<Result> =>
    transaction((tx) => change(tx, caller, body), { isLong: true });

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
