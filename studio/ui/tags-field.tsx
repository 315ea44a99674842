import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { translate } from "../lib/language.ts";
import { Field } from "./field.tsx";

const t = translate({
  en: { remove: (tag: string) => `Remove the tag ${tag}` },
  de: { remove: (tag: string) => `Schlagwort ${tag} entfernen` },
});

/** The limits of the API. */
const maxTags = 20;
const maxLetters = 50;

type Props = {
  label: string;
  hint?: string;
  error?: string | undefined;
  tags: readonly string[];
  onChange: (tags: string[]) => void;
};

/** Tags as small boxes, and a field for another one. Comma or Enter adds it. */
export function TagsField({ label, hint, error, tags, onChange }: Props) {
  const [text, setText] = useState("");
  const add = (typed: string) => {
    const changed = [...tags];
    for (const part of typed.split(",")) {
      const tag = part.trim().slice(0, maxLetters);
      const isKnown = changed.some((other) => other.toLowerCase() === tag.toLowerCase());
      if (tag && !isKnown && changed.length < maxTags) changed.push(tag);
    }
    if (changed.length > tags.length) onChange(changed);
    setText("");
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && text.trim()) {
      event.preventDefault();
      add(text);
    } else if (event.key === "Backspace" && text === "" && tags.length > 0) onChange(tags.slice(0, -1));
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {({ className, ...control }) => (
        <div
          className={`${className} flex flex-wrap items-center gap-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent`}
        >
          {tags.map((tag) => (
            <span key={tag} className="inline-flex items-center gap-1 rounded-full bg-tint py-0.5 pr-1 pl-2.5 text-sm">
              <span dir="auto">{tag}</span>
              <button
                type="button"
                aria-label={t.remove(tag)}
                onClick={() => onChange(tags.filter((other) => other !== tag))}
                className="grid size-5 place-items-center rounded-full hover:bg-line pointer-coarse:size-10 [&>svg]:size-3.5"
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
            readOnly={tags.length >= maxTags}
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
