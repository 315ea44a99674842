import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RemovedSamples } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { showToast } from "../lib/toasts.ts";
import { Button, Spinner } from "../ui/button.tsx";
import { Card } from "../ui/screen.tsx";
import { attentionQuery } from "./attention.ts";
import { homeTexts as t } from "./texts.ts";

/** While the samples of a new site are created, and until they are removed. */
export function SamplesNotice() {
  const queries = useQueryClient();
  const { data } = useQuery({
    ...attentionQuery,
    refetchInterval: ({ state }) => (state.data?.samples === "creating" ? 2000 : false),
  });
  const restore = useMutation({
    mutationFn: (records: RemovedSamples["records"]) => api.restoreManyFromTrash({ records }),
    onSettled: () => queries.invalidateQueries(),
  });
  const remove = useMutation({
    mutationFn: () => api.removeSamples({}),
    onSuccess: ({ records }) =>
      showToast({ text: t.samplesRemoved, ...(records.length > 0 && { undo: () => restore.mutate(records) }) }),
    onSettled: () => queries.invalidateQueries(),
  });
  if (!data?.samples) return null;
  const isCreating = data.samples === "creating";
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3">
      {isCreating && <Spinner className="text-accent" />}
      <p role="status" className="min-w-0 flex-1 basis-64">
        {isCreating ? t.creatingSamples : t.hasSamples}
      </p>
      {!isCreating && (
        <Button isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {t.removeSamples}
        </Button>
      )}
    </Card>
  );
}
