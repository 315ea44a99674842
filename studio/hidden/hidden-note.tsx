import { useQuery } from "@tanstack/react-query";
import { EyeOff } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { makePublic, type Publication } from "./hidden.ts";
import { hiddenTexts as t } from "./texts.ts";

/** In a dialog that publishes something: what guests will not see of it. */
export function HiddenNote({ publication }: { publication: Publication }) {
  const id = useId();
  const [state, setState] = useState<"asked" | "busy" | "done">("asked");
  const { data: hidden } = useQuery({
    queryKey: ["hidden", id],
    queryFn: ({ signal }) => publication.find(signal),
    gcTime: 0,
  });
  const publish = async () => {
    setState("busy");
    await makePublic(publication);
    setState("done");
  };
  return (
    <div role="status" className="empty:hidden">
      {hidden && hidden.count > 0 && (
        <div className="grid gap-3 rounded-card border border-line bg-tint p-4">
          <p className="flex gap-2.5">
            <EyeOff aria-hidden="true" className="mt-1 size-4 shrink-0" />
            <span>{publication.describe(hidden)}</span>
          </p>
          <Button isBusy={state === "busy"} onClick={() => void publish()} className="justify-self-start">
            {t.makePublic(hidden.count)}
          </Button>
        </div>
      )}
      {hidden?.count === 0 && state === "done" && <p>{t.nothing}</p>}
    </div>
  );
}
