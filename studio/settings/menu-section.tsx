import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { MenuEntry, Post, Settings } from "../../client/src/index.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextArea } from "../ui/field.tsx";
import { defaultName, entryOf, maxEntries, optionsFor, pagesQuery } from "./menu-entries.ts";
import { MenuEntryRow } from "./menu-entry-row.tsx";
import { menuTexts as t } from "./menu-texts.ts";
import { Section } from "./section.tsx";
import { useSection } from "./settings.ts";

/** Where the site leads to, from each of its pages. */
export function MenuSection({ saved }: { saved: Settings }) {
  const state = useSection("menu", saved);
  const { values, set, propsOf, errorAt } = state;
  const { menu } = values;
  const { data: pages } = useQuery(pagesQuery);
  const [chosen, setChosen] = useState("");
  const [said, setSaid] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const options = optionsFor(menu, pages ?? []);
  const option = options.some(({ value }) => value === chosen) ? chosen : (options[0]?.value ?? "link");
  const { disabled, hint = t.hint, error } = propsOf("menu");
  const isShownAtField = menu.some((_, at) => errorAt(`menu.${at}.label`) ?? errorAt(`menu.${at}.url`));
  const isFull = menu.length >= maxEntries;
  const nameOf = (entry: MenuEntry) => entry.label.trim() || defaultName(entry, pages ?? []);

  return (
    <Section title={t.menu} state={state}>
      <p className="text-soft">{hint}</p>
      {menu.length === 0 ? (
        <p>{t.empty}</p>
      ) : (
        <ul
          ref={list}
          aria-label={t.entries}
          className="divide-y divide-line overflow-hidden rounded-card border border-line"
        >
          {menu.map((entry, at) => (
            <MenuEntryRow
              // Entries have no ids, and the same link can be there twice.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              entry={entry}
              name={nameOf(entry)}
              defaultName={defaultName(entry, pages ?? [])}
              isFirst={at === 0}
              isLast={at === menu.length - 1}
              isDisabled={disabled}
              note={pages && !entry.isHidden && !isSeen(entry, pages) ? t.notPublic : null}
              errorOf={(field) => errorAt(`menu.${at}.${field}`)}
              onChange={(changes) => set({ menu: menu.with(at, { ...entry, ...changes }) })}
              onMove={(by) => move(at, by)}
              onRemove={() => remove(at)}
            />
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
      {error && !isShownAtField && (
        <p role="alert" className="text-danger">
          {error}
        </p>
      )}
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:items-end">
        <SelectField
          label={t.add}
          hint={isFull ? t.full : undefined}
          value={option}
          options={options}
          disabled={disabled || isFull}
          onChange={({ target }) => setChosen(target.value)}
        />
        <Button icon={<Plus />} disabled={disabled || isFull} onClick={add}>
          {t.addButton}
        </Button>
        <Button variant="quiet" disabled={disabled} onClick={() => set({ menu: saved.defaultMenu })}>
          {t.toDefault}
        </Button>
      </div>
      <TextArea
        label={t.footer}
        rows={3}
        dir="auto"
        maxLength={2000}
        value={values.footer}
        {...propsOf("footer", t.footerHint)}
        onChange={({ target }) => set({ footer: target.value })}
      />
    </Section>
  );

  function add(): void {
    setChosen("");
    change([...menu, entryOf(option, saved.defaultMenu)], menu.length, "input");
  }

  function move(at: number, by: 1 | -1): void {
    const [entry, other] = [menu[at], menu[at + by]];
    if (!entry || !other) return;
    setSaid(t.moved(nameOf(entry), at + by + 1, menu.length));
    // The same button again, or at an end the one that is left.
    const buttons = [`[data-move="${by}"]:enabled`, "[data-move]:enabled"];
    change(menu.with(at, other).with(at + by, entry), at + by, ...buttons);
  }

  function remove(at: number): void {
    change(menu.toSpliced(at, 1), Math.min(at, menu.length - 2), "[data-remove]");
  }

  /** Then focuses the first of `selectors` in an entry, before another key can be pressed. */
  function change(changed: MenuEntry[], at: number, ...selectors: string[]): void {
    flushSync(() => set({ menu: changed }));
    const row = list.current?.children[at];
    const found = selectors.map((selector) => row?.querySelector<HTMLElement>(selector)).find(Boolean);
    found?.focus();
  }
}

/** Of pages, whether everyone can see them. One that was just created is not known yet. */
function isSeen({ pageID }: MenuEntry, pages: readonly Post[]): boolean {
  const page = pages.find(({ id }) => id === pageID);
  if (!page) return true;
  return page.visibility === "public" && page.publishedAt !== null && Date.parse(page.publishedAt) <= Date.now();
}
