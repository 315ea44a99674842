import { Check, Copy } from "lucide-react";
import { useId, useState } from "react";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { webhookTexts as t } from "./texts.ts";

/** A secret that is shown once. */
export function Secret({ secret }: { secret: string }) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setIsCopied(true);
    } catch {
      showToast({ text: t.copyFailed, isFailure: true });
    }
  };
  return (
    <div className="grid gap-3">
      <p>{t.secretOnce}</p>
      <label htmlFor={id} className="font-medium">
        {t.secret}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          readOnly
          value={secret}
          onFocus={({ target }) => target.select()}
          className="control min-w-0 flex-1 basis-56 font-mono text-sm"
        />
        <Button variant="main" icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
          {isCopied ? t.copied : t.copy}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {isCopied && t.copied}
      </p>
    </div>
  );
}
