import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Import } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { reloadImports } from "./query.ts";
import { moveInTexts as t } from "./texts.ts";

/** What cannot be imported as photos, posts and so on can be kept as a folder of files, on request. */
export function ImportAsFolder({ import: { plan } }: { import: Import }) {
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: () => api.createImport({ ...plan, asFolder: true }),
    onSuccess: ({ id }) => navigate({ to: "/move-in/$id", params: { id: String(id) } }),
    onSettled: reloadImports,
  });
  return (
    <div className="mt-5">
      <Button isBusy={begin.isPending} onClick={() => begin.mutate()}>
        {t.asFolder}
      </Button>
    </div>
  );
}

/** Whether an import has ended because of what its source is. */
export const canBeFolder = ({ status, kind, plan }: Import): boolean =>
  status === "failed" && kind === null && plan !== null && !plan.server && !plan.asFolder;
