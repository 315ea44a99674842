import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { passkeyTexts as t } from "./texts.ts";

/** The recovery codes that come with the first passkey. They are shown once. */
export function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      title={t.codesTitle}
      onClose={onClose}
      actions={
        <Button variant="main" onClick={onClose}>
          {t.codesSaved}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p>{t.codesText}</p>
        <ul className="grid grid-cols-2 gap-2 font-mono text-sm" aria-label={t.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyField label={t.codes} value={codes.join(" ")} />
      </div>
    </Dialog>
  );
}
