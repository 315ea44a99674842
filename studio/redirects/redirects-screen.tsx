import { Link } from "@tanstack/react-router";
import { ArrowLeft, CornerUpRight, ListChecks, Plus, Trash2 } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Redirect } from "../../client/src/index.ts";
import { useCommands } from "../lib/commands.ts";
import { useSelection } from "../lib/selection.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { MoreButton } from "../ui/more-button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { BarAction, SelectionBar } from "../ui/selection-bar.tsx";
import { useRedirects } from "./query.ts";
import { RedirectDialog } from "./redirect-dialog.tsx";
import { RedirectLine } from "./redirect-line.tsx";
import { RemoveRedirects } from "./remove-redirects.tsx";
import { redirectTexts as t } from "./texts.ts";

type Open = { change: Redirect | null } | { remove: readonly Redirect[] } | null;

/** Old addresses, and where they lead. */
export function RedirectsScreen() {
  const [text, setText] = useState("");
  const [open, setOpen] = useState<Open>(null);
  const q = useDeferredValue(text.trim());
  const listed = useRedirects(q);
  const redirects = listed.data ?? [];
  const selection = useSelection<number>(() => redirects.map(({ id }) => id));
  const selected = redirects.filter(({ id }) => selection.has(id));
  const add = () => setOpen({ change: null });
  const close = () => setOpen(null);
  useCommands([{ label: t.add, group: t.title, run: add }]);
  const addButton = (
    <Button variant="main" icon={<Plus />} onClick={add}>
      {t.add}
    </Button>
  );
  const isEmpty = redirects.length === 0 && q === "" && !listed.isPlaceholderData;

  return (
    <Screen
      title={t.title}
      about={<span className="max-md:hidden">{t.hint}</span>}
      actions={listed.data && !isEmpty && addButton}
    >
      {selected.length > 0 && (
        <SelectionBar
          text={words.selected(selected.length)}
          clearLabel={words.clearSelection}
          onClear={selection.clear}
        >
          {selected.length < redirects.length && (
            <BarAction
              icon={<ListChecks />}
              word={t.selectAll}
              onClick={() => selection.add(redirects.map(({ id }) => id))}
            />
          )}
          <BarAction
            icon={<Trash2 />}
            word={words.remove}
            className="!text-danger"
            onClick={() => setOpen({ remove: selected })}
          />
        </SelectionBar>
      )}
      <Link to="/settings" className={classes(buttonClass("quiet"), "mb-2")}>
        <ArrowLeft aria-hidden="true" />
        {words.settings}
      </Link>
      <Result of={listed}>
        {() =>
          isEmpty ? (
            <Empty icon={<CornerUpRight />} title={t.none} action={addButton}>
              {t.noneHint}
            </Empty>
          ) : (
            <>
              <SearchField
                label={t.search}
                value={text}
                onChange={(value) => {
                  setText(value);
                  selection.clear();
                }}
                className="mb-4 block w-full md:max-w-sm"
              />
              {redirects.length === 0 ? (
                <Empty title={t.noMatch}>{t.noMatchHint}</Empty>
              ) : (
                <ul className="divide-y divide-line rounded-card border border-line bg-surface">
                  {redirects.map((redirect) => (
                    <RedirectLine
                      key={redirect.id}
                      redirect={redirect}
                      isSelected={selection.has(redirect.id)}
                      onSelect={(isRange) => selection.toggle(redirect.id, isRange)}
                      onChange={() => setOpen({ change: redirect })}
                      onRemove={() => setOpen({ remove: [redirect] })}
                    />
                  ))}
                </ul>
              )}
            </>
          )
        }
      </Result>
      <MoreButton of={listed} className="mt-4" />
      {open && "change" in open && <RedirectDialog redirect={open.change} onClose={close} />}
      {open && "remove" in open && (
        <RemoveRedirects
          redirects={open.remove}
          onRemoved={() => selection.remove(open.remove.map(({ id }) => id))}
          onClose={close}
        />
      )}
    </Screen>
  );
}
