import { Check, Copy } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { copyText } from "../lib/copy-text.ts";
import { translate } from "../lib/language.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "./button.tsx";

const t = translate({
  en: { failed: "The browser did not allow copying. Select the text and copy it." },
  de: {
    failed: "Der Browser hat das Kopieren nicht erlaubt. Markieren Sie den Text, und kopieren Sie ihn.",
  },
});

/** Something that is shown once, to be copied. */
export function CopyField({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    if (await copyText(value)) setIsCopied(true);
    else showToast({ text: t.failed, isFailure: true });
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          ref={field}
          readOnly
          value={value}
          onFocus={({ target }) => target.select()}
          className="control min-w-0 flex-1 basis-56 font-mono text-sm"
        />
        <Button variant="main" icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
          {isCopied ? words.copied : words.copy}
        </Button>
        {children}
      </div>
      <p role="status" className="sr-only">
        {isCopied && words.copied}
      </p>
    </div>
  );
}
