import { Check, Copy, Download, Printer } from "lucide-react";
import { useState } from "react";
import { copyText } from "../lib/copy-text.ts";
import { useMe } from "../lib/me.ts";
import { useSiteName } from "../lib/site-name.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { factorTexts as t } from "./texts.ts";

/** Codes that are shown once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { username } = useMe();
  const site = useSiteName();
  const [isCopied, setIsCopied] = useState(false);
  const text = `${t.heading(site, username)}\n\n${codes.join("\n")}\n`;
  const copy = async () => {
    if (await copyText(text)) setIsCopied(true);
    else showToast({ text: t.notCopied, isFailure: true });
  };
  return (
    <Dialog title={t.savedTitle} onClose={onClose} actions={<DoneButton label={t.done} onClick={onClose} />}>
      <p className="mb-4">{t.saved}</p>
      <ol className="mb-4 grid gap-x-6 gap-y-1 rounded-control bg-tint p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
          {isCopied ? words.copied : words.copy}
        </Button>
        <Button icon={<Download />} onClick={() => download(text)}>
          {words.download}
        </Button>
        <Button icon={<Printer />} onClick={() => print(text)}>
          {t.print}
        </Button>
      </div>
    </Dialog>
  );
}

function download(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = t.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The codes alone, on a separate page. */
function print(text: string): void {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  document.body.append(frame);
  const shown = frame.contentDocument?.createElement("pre");
  if (shown) {
    shown.textContent = text;
    frame.contentDocument?.body.append(shown);
    frame.contentWindow?.addEventListener("afterprint", () => frame.remove());
    frame.contentWindow?.print();
  }
}
