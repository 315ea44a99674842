import { Plus, X } from "lucide-react";
import { Button, IconButton } from "../ui/button.tsx";
import { accountTexts as t } from "./texts.ts";

type Link = { url: string; label: string };
type Props = { links: Link[]; error: string | null; onChange: (links: Link[]) => void };

const maxLinks = 8;

export function LinkFields({ links, error, onChange }: Props) {
  const change = (index: number, changed: Partial<Link>) =>
    onChange(links.map((link, at) => (at === index ? { ...link, ...changed } : link)));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">{t.links}</legend>
      <ul className="grid gap-2">
        {links.map((link, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex items-start gap-2">
            <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[2fr_1fr]">
              <input
                type="text"
                inputMode="url"
                aria-label={t.address(index + 1)}
                aria-invalid={error ? true : undefined}
                aria-describedby="profile-links"
                placeholder="https://"
                maxLength={500}
                className="control w-full"
                value={link.url}
                onChange={({ target }) => change(index, { url: target.value })}
              />
              <input
                type="text"
                aria-label={t.label(index + 1)}
                placeholder={t.labelHint}
                maxLength={60}
                dir="auto"
                className="control w-full"
                value={link.label}
                onChange={({ target }) => change(index, { label: target.value })}
              />
            </div>
            <IconButton label={t.removeLink(index + 1)} onClick={() => onChange(links.filter((_, at) => at !== index))}>
              <X />
            </IconButton>
          </li>
        ))}
      </ul>
      <p
        id="profile-links"
        role={error ? "alert" : undefined}
        className={error ? "text-sm text-danger" : "text-sm text-soft"}
      >
        {error ?? t.linksHint}
      </p>
      {links.length < maxLinks && (
        <div>
          <Button icon={<Plus />} onClick={() => onChange([...links, { url: "", label: "" }])}>
            {t.addLink}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
