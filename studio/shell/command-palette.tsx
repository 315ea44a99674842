import { ChevronRight } from "lucide-react";
import { Fragment, useDeferredValue, useId, useMemo, useState } from "react";
import { type Command, listCommands } from "../lib/commands.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/menu.tsx";
import { useFound, useRecent } from "./found-records.ts";
import { frameTexts as t } from "./texts.ts";

/** Finds commands by their names, and records by their content. Before anything is typed: what was changed last, and all commands. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const commands = useMemo(listCommands, []);
  const query = useDeferredValue(text.trim());
  const recent = useRecent();
  const found = useFound(query);
  const lines = inGroups(
    text.trim() === "" ? [...recent, ...commands] : [...commands.filter((command) => isMatch(command, text)), ...found],
  );
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const move = (by: number) =>
    setChosen((current) => (lines.length ? (current + by + lines.length) % lines.length : 0));

  return (
    <Dialog title={words.search} onClose={onClose}>
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
      {/* As high as it can become, so that nothing moves under a hand while results arrive. */}
      <div className="relative h-[min(24rem,50dvh)]">
        <ul id={`${id}-list`} role="listbox" aria-label={words.search} className="h-full overflow-y-auto">
          {lines.map((command, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={`${index} ${command.label}`}>
              {command.group !== lines[index - 1]?.group && (
                <li role="presentation" className="px-2.5 pt-3 pb-1 text-sm font-medium text-soft first:pt-0">
                  {command.group}
                </li>
              )}
              <li
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                ref={(element) => {
                  if (index === chosen) element?.scrollIntoView({ block: "nearest" });
                }}
                className={classes(
                  "flex min-h-10 items-center gap-3 rounded-control px-2.5 py-1.5",
                  index === chosen && "bg-tint",
                )}
                onMouseMove={() => setChosen(index)}
                onClick={() => run(command)}
              >
                <Sign command={command} />
                <span className="flex-1 truncate" dir="auto">
                  {command.label}
                </span>
                {command.keys && <Keys keys={command.keys} />}
              </li>
            </Fragment>
          ))}
        </ul>
        {lines.length === 0 && <p className="absolute inset-x-0 top-4 text-center text-soft">{words.notFound}</p>}
      </div>
    </Dialog>
  );
}

function Sign({ command: { icon: Icon = ChevronRight, picture } }: { command: Command }) {
  if (picture) return <img src={picture} alt="" className="size-7 shrink-0 rounded-sm bg-tint object-cover" />;
  return (
    <span className="grid size-7 shrink-0 place-items-center text-soft">
      <Icon className="size-4" />
    </span>
  );
}

/** Commands of a group are together, where the first of them is. */
const inGroups = (commands: Command[]): Command[] => [...Map.groupBy(commands, ({ group }) => group).values()].flat();

const isMatch = ({ label, group }: Command, text: string): boolean => {
  const name = `${group} ${label}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
};
