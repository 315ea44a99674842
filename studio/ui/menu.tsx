import { ContextMenu as RightClick, DropdownMenu } from "radix-ui";
import { Ellipsis } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { printKeys } from "../lib/shortcuts.ts";
import { IconButton } from "./button.tsx";
import { classes } from "./classes.ts";
import { useContainer } from "./dialog.tsx";

/** One line of a menu, or `null` for a line between groups. */
export type MenuItem = {
  label: string;
  icon?: ReactNode;
  keys?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** For a choice that is on or off. */
  isChecked?: boolean;
  /** One of several, of which one is on. The menu stays open, because it is not an action. */
  isRadio?: boolean;
  /** Only to be read. */
  isNote?: boolean;
  /** A sentence below the label. */
  hint?: string;
  run: () => void;
} | null;

const box = "z-50 min-w-48 max-w-80 rounded-card border border-line bg-surface p-1 shadow-float appear";

/** A button that opens a menu. `children` is the button. */
export function Menu({
  items,
  children,
  align = "end",
}: {
  items: MenuItem[];
  children: ReactNode;
  align?: "start" | "end";
}) {
  const container = useContainer();
  return (
    // Not modal: a modal menu would add a style to the page, which the policy of the site forbids.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content className={box} align={align} sideOffset={4} collisionPadding={8}>
          {lines(items, DropdownMenu)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

type MoreProps = Omit<ComponentProps<typeof IconButton>, "children"> & { items: MenuItem[] };

/** A menu behind a button with three dots. */
export const MoreMenu = ({ items, ...button }: MoreProps) => (
  <Menu items={items}>
    <IconButton {...button}>
      <Ellipsis />
    </IconButton>
  </Menu>
);

/** The same for a right click, or a long touch, on `children`. */
export function ContextMenu({ items, children }: { items: () => MenuItem[]; children: ReactNode }) {
  const container = useContainer();
  return (
    <RightClick.Root modal={false}>
      <RightClick.Trigger asChild>{children}</RightClick.Trigger>
      <RightClick.Portal container={container}>
        <RightClick.Content className={box} collisionPadding={8}>
          <Lines items={items} />
        </RightClick.Content>
      </RightClick.Portal>
    </RightClick.Root>
  );
}

/** The items are made when the menu opens, not for each row of a list. */
const Lines = ({ items }: { items: () => MenuItem[] }) => <>{lines(items(), RightClick)}</>;

function lines(items: MenuItem[], { Item, Separator }: Pick<typeof DropdownMenu, "Item" | "Separator">) {
  return items.map((item, index) =>
    item === null ? (
      // oxlint-disable-next-line react/no-array-index-key
      <Separator key={`line ${index}`} className="mx-2 my-1 border-t border-line" />
    ) : (
      <Item
        key={item.label}
        disabled={item.isDisabled ?? item.isNote ?? false}
        onSelect={(event) => {
          if (item.isRadio) event.preventDefault();
          item.run();
        }}
        {...(item.isChecked !== undefined && {
          role: item.isRadio ? "menuitemradio" : "menuitemcheckbox",
          "aria-checked": item.isChecked,
        })}
        className={classes(
          "flex cursor-default items-center gap-3 rounded-control px-2.5 py-1.5 outline-none select-none pointer-coarse:py-2.5",
          "data-highlighted:bg-tint [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-soft",
          !item.isNote && "data-disabled:opacity-50",
          item.hint && "items-start [&>svg]:mt-0.5",
          item.isDanger && "text-danger [&>svg]:text-danger",
        )}
      >
        {item.icon}
        <span className="min-w-0 flex-1">
          <span className="block truncate">{item.label}</span>
          {item.hint && <span className="block text-sm text-soft">{item.hint}</span>}
        </span>
        {item.isChecked && <span aria-hidden="true">✓</span>}
        {item.keys && <Keys keys={item.keys} />}
      </Item>
    ),
  );
}

export function Keys({ keys }: { keys: string }) {
  return (
    <span className="flex gap-1 pointer-coarse:hidden">
      {printKeys(keys).map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded border border-line bg-tint px-1 text-center font-sans text-xs text-soft"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
