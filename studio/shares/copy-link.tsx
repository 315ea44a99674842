import { Check, Copy, ExternalLink } from "lucide-react";
import { useId, useRef, useState } from "react";
import { copyText } from "../lib/copy-text.ts";
import { showToast } from "../lib/toasts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { shareTexts as t } from "./texts.ts";

/** A link that is shown once. */
export function CopyLink({ url: given }: { url: string }) {
  // A server that does not know its own address returns a path.
  const url = new URL(given, location.href).href;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    if (await copyText(url)) setIsCopied(true);
    else showToast({ text: t.copyFailed, isFailure: true });
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {t.link}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          ref={field}
          readOnly
          value={url}
          onFocus={({ target }) => target.select()}
          className="control min-w-0 flex-1 basis-56 font-mono text-sm"
        />
        <Button variant="main" icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
          {isCopied ? t.copied : t.copy}
        </Button>
        <a href={url} target="_blank" rel="noopener" className={buttonClass()}>
          <ExternalLink />
          {t.openLink}
        </a>
      </div>
      <p role="status" className="sr-only">
        {isCopied && t.copied}
      </p>
    </div>
  );
}
