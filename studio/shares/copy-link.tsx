import { ExternalLink } from "lucide-react";
import { words } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { shareTexts as t } from "./texts.ts";

/** A link that is shown once. */
export function CopyLink({ url: given }: { url: string }) {
  // A server that does not know its own address returns a path.
  const url = new URL(given, location.href).href;
  return (
    <CopyField label={t.link} value={url}>
      <a href={url} target="_blank" rel="noopener" className={buttonClass()}>
        <ExternalLink />
        {words.open}
      </a>
    </CopyField>
  );
}
