import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Share } from "../../client/src/index.ts";
import { formatAgo, formatDay } from "../lib/format.ts";
import { IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Menu } from "../ui/menu.tsx";
import { RecordThumb } from "../ui/record-thumb.tsx";
import { ChangeShareDialog } from "./change-share-dialog.tsx";
import { sharedKinds } from "./kinds.ts";
import { RevokeShareDialog } from "./revoke-share-dialog.tsx";
import { shareTexts as t } from "./texts.ts";

/** One link: its options, its use, and what can be done with it. */
export function ShareLine({ share, name }: { share: Share; name?: ReactNode }) {
  const [open, setOpen] = useState<"change" | "revoke" | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex items-start gap-3 py-3">
      {name && (
        <RecordThumb
          image={share.image}
          icon={sharedKinds[share.kind].icon}
          label={sharedKinds[share.kind].one}
          className="!size-12"
        />
      )}
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        {name}
        <p className={classes("text-sm", name ? "text-soft" : "text-ink")}>
          {t.visits(share.uses)}
          {share.lastUsedAt && `, ${t.lastUsed(formatAgo(share.lastUsedAt))}`}
          {" · "}
          {t.createdAt(formatDay(share.createdAt))}
        </p>
        <ul className="flex flex-wrap gap-1.5 text-xs">
          {tagsOf(share).map((tag) => (
            <li key={tag} className="rounded-full border border-line px-2 py-0.5 text-soft">
              {tag}
            </li>
          ))}
        </ul>
      </div>
      <Menu
        items={[
          { label: t.change, run: () => setOpen("change") },
          { label: t.revoke, isDanger: true, run: () => setOpen("revoke") },
        ]}
      >
        <IconButton label={t.change}>
          <Ellipsis />
        </IconButton>
      </Menu>
      {open === "change" && <ChangeShareDialog share={share} onClose={close} />}
      {open === "revoke" && <RevokeShareDialog share={share} onClose={close} />}
    </div>
  );
}

function tagsOf({ expiresAt, hasPassword, allowUpload, allowDownload, showMetadata }: Share): string[] {
  const tags = [
    expiresAt && (Date.parse(expiresAt) < Date.now() ? t.expired : t.until(formatDay(expiresAt))),
    hasPassword && t.hasPassword,
    allowUpload && t.hasUpload,
    !allowDownload && t.noDownload,
    !showMetadata && t.noMetadata,
  ];
  return tags.filter((tag) => typeof tag === "string");
}
