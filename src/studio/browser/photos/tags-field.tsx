import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Field } from "../ui/field.tsx";
import { photosTexts as t } from "./texts.ts";

type Props = { label: string; hint?: string; tags: readonly string[]; onChange: (tags: string[]) => void };

/** Tags as small boxes, and a field for another one. Comma or Enter adds it. */
export function TagsField({ label, hint, tags, onChange }: Props) {
  const [text, setText] = useState("");
  const add = (typed: string) => {
    const added = typed
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag && !tags.some((one) => one.toLowerCase() === tag.toLowerCase()));
    if (added.length > 0) onChange([...tags, ...added]);
    setText("");
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && text.trim()) {
      event.preventDefault();
      add(text);
    } else if (event.key === "Backspace" && text === "" && tags.length > 0) onChange(tags.slice(0, -1));
  };
  return (
    <Field label={label} hint={hint}>
      {({ className: _, ...control }) => (
        <div className="control flex w-full flex-wrap items-center gap-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
          {tags.map((tag) => (
            <span key={tag} className="inline-flex items-center gap-1 rounded-full bg-tint py-0.5 pr-1 pl-2.5 text-sm">
              <span dir="auto">{tag}</span>
              <button
                type="button"
                aria-label={t.removeTag(tag)}
                onClick={() => onChange(tags.filter((one) => one !== tag))}
                className="grid size-5 place-items-center rounded-full hover:bg-line pointer-coarse:size-8 [&>svg]:size-3.5"
              >
                <X />
              </button>
            </span>
          ))}
          <input
            {...control}
            type="text"
            value={text}
            autoCapitalize="none"
            enterKeyHint="done"
            onChange={({ target: { value } }) => (value.includes(",") ? add(value) : setText(value))}
            onKeyDown={press}
            onBlur={() => add(text)}
            className="min-w-20 flex-1 bg-transparent outline-none pointer-coarse:text-base"
          />
        </div>
      )}
    </Field>
  );
}
