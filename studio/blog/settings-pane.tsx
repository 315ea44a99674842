import { ImagePlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Photo, type PostWithHTML, slugOf } from "../../client/src/index.ts";
import { formatTime } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { PhotoPicker } from "../pickers/photo-picker.tsx";
import { sourceOf } from "../pickers/thumb.tsx";
import { Button } from "../ui/button.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../ui/field.tsx";
import { TagsField } from "../ui/tags-field.tsx";
import { type Draft, pathOf, statusOf } from "./draft.ts";
import { paneTextsOf } from "./page-texts.ts";
import { paneTexts as t } from "./texts.ts";
import type { Saving, Snapshot, Writing } from "./writing.ts";

type Props = { writing: Writing; post: PostWithHTML | null; draft: Snapshot["draft"]; saving: Saving };

/** Everything about a post but its title and its text. */
export function SettingsPane({ writing, post, draft, saving }: Props) {
  const texts = paneTextsOf(draft.kind);
  const errorOf = (field: keyof Draft) =>
    saving.kind === "refused" && saving.field === field ? saving.message : undefined;
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-xl gap-5 p-5">
        <p>
          <span className="block font-medium">{t.status}</span>
          <span className="text-soft">{describe(post, texts.statuses)}</span>
        </p>
        <CoverField
          cover={post && post.coverID === draft.coverID ? post.cover : null}
          coverID={draft.coverID}
          onChange={(coverID) => writing.change({ coverID })}
        />
        {draft.kind === "post" && (
          <TagsField
            label={words.tags}
            hint={t.tagsHint}
            tags={draft.tags}
            error={errorOf("tags")}
            onChange={(tags) => writing.change({ tags })}
          />
        )}
        <TextArea
          label={t.excerpt}
          hint={t.excerptHint}
          error={errorOf("excerpt")}
          rows={3}
          maxLength={1000}
          dir="auto"
          value={draft.excerpt}
          onChange={(event) => writing.change({ excerpt: event.target.value })}
        />
        <div className="grid gap-2">
          <TextField
            label={words.address}
            hint={draft.slug === "" ? t.slugLater : t.slugHint(pathOf(draft))}
            error={errorOf("slug")}
            maxLength={80}
            spellCheck={false}
            autoCapitalize="none"
            disabled={!post}
            value={draft.slug}
            onChange={(event) => writing.change({ slug: event.target.value.toLowerCase().replaceAll(/\s+/g, "-") })}
            onBlur={() => writing.change({ slug: slugOf(draft.slug) })}
          />
          {post && slugOf(draft.title) !== "" && slugOf(draft.title) !== draft.slug && (
            <Button className="justify-self-start" onClick={() => writing.change({ slug: slugOf(draft.title) })}>
              {t.slugFromTitle}
            </Button>
          )}
        </div>
        <SelectField
          label={texts.visibility}
          value={draft.visibility}
          options={[
            { value: "public", label: words.everyone },
            { value: "private", label: t.onlyMe },
          ]}
          onChange={(event) => writing.change({ visibility: event.target.value as Draft["visibility"] })}
        />
        {draft.kind === "post" && (
          <CheckField
            label={t.comments}
            checked={draft.commentsOpen}
            onChange={(event) => writing.change({ commentsOpen: event.target.checked })}
          />
        )}
      </div>
    </div>
  );
}

function describe(post: PostWithHTML | null, statuses: typeof t.statuses): string {
  const status = post ? statusOf(post) : "draft";
  return status === "draft" ? statuses.draft : statuses[status](formatTime(post?.publishedAt ?? ""));
}

type CoverProps = { cover: Photo | null; coverID: number | null; onChange: (id: number | null) => void };

function CoverField({ cover, coverID, onChange }: CoverProps): ReactNode {
  const [isPicking, setIsPicking] = useState(false);
  const [picked, setPicked] = useState<Photo | null>(null);
  const shown = coverID === null ? null : picked?.id === coverID ? picked : cover;
  const source = shown && sourceOf(shown, 560);
  return (
    <div className="grid gap-2">
      <span className="font-medium">{words.cover}</span>
      {source && (
        <img
          src={source}
          alt={shown.altText || shown.title}
          className="aspect-video w-full rounded-card object-cover"
        />
      )}
      <div className="flex gap-2">
        <Button icon={<ImagePlus />} onClick={() => setIsPicking(true)}>
          {coverID === null ? t.chooseCover : words.change}
        </Button>
        {coverID !== null && (
          <Button variant="quiet" onClick={() => onChange(null)}>
            {words.remove}
          </Button>
        )}
      </div>
      {isPicking && (
        <PhotoPicker
          isSingle
          onClose={() => setIsPicking(false)}
          onPick={([photo]) => {
            setPicked(photo ?? null);
            onChange(photo?.id ?? null);
          }}
        />
      )}
    </div>
  );
}
