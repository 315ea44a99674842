import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useId, useMemo, useState } from "react";
import type { File, SearchResult } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { type Command, listCommands } from "../lib/commands.ts";
import { linkToDirectory, linkToFile, linkToRecord } from "../lib/links.ts";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/menu.tsx";
import { frameTexts as t } from "./texts.ts";

/** Finds commands by their names, and records by their content. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const commands = useMemo(listCommands, []);
  const records = useFound(useDeferredValue(text.trim()));
  const lines = [...commands.filter((command) => isMatch(command, text)), ...records];
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const move = (by: number) =>
    setChosen((current) => (lines.length ? (current + by + lines.length) % lines.length : 0));

  return (
    <Dialog title={t.search} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label={t.searchHint}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={lines.length ? `${id}-${chosen}` : undefined}
        placeholder={t.searchHint}
        className="control mb-3 w-full"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") move(1);
          else if (event.key === "ArrowUp") move(-1);
          else if (event.key === "Enter") run(lines[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={t.search} className="max-h-80 overflow-y-auto">
        {lines.map((command, index) => (
          <li
            // oxlint-disable-next-line react/no-array-index-key
            key={`${index} ${command.label}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            ref={(element) => {
              if (index === chosen) element?.scrollIntoView({ block: "nearest" });
            }}
            className={classes("flex items-center gap-3 rounded-control px-2.5 py-2", index === chosen && "bg-tint")}
            onMouseMove={() => setChosen(index)}
            onClick={() => run(command)}
          >
            <span className="flex-1 truncate">{command.label}</span>
            {command.keys && <Keys keys={command.keys} />}
            <span className="text-sm text-soft">{command.group}</span>
          </li>
        ))}
      </ul>
      {lines.length === 0 && <p className="py-4 text-center text-soft">{t.nothing}</p>}
    </Dialog>
  );
}

const isMatch = ({ label, group }: Command, text: string): boolean => {
  const name = `${group} ${label}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
};

/** Records with the words in them, as commands that open them. */
function useFound(words: string): Command[] {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ["search", words],
    queryFn: ({ signal }) => api.search({ q: words, pageSize: 12 }, { signal }),
    enabled: words.length > 1,
    placeholderData: (before) => before,
  });
  if (!data || words.length < 2) return [];
  return data.items.map(({ kind, id, title, record }) => ({
    label: title || excerptOf(record),
    group: t.found,
    run: () => open(kind, id, record),
  }));

  function open(kind: SearchResult["kind"], id: number, record: SearchResult["record"]): void {
    const link = linkToRecord(kind, id);
    if (link) void navigate(link);
    else if (kind === "comment") void navigate({ to: "/comments", search: { select: String(id) } });
    else if (kind === "file") void navigate(toFile(record as File));
  }
}

const excerptOf = (record: SearchResult["record"]): string => ("content" in record ? record.content.slice(0, 80) : "");

const toFile = (file: File) => (file.isDirectory ? linkToDirectory(`${file.path}/${file.name}`) : linkToFile(file));
