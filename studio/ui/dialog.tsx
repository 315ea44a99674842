import { X } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from "react";
import { words } from "../lib/words.ts";
import { Button, IconButton } from "./button.tsx";
import { classes } from "./classes.ts";

/** Menus in a dialog must be inside it: what is outside cannot be clicked while it is open. */
const Container = createContext<HTMLElement | null>(null);
export const useContainer = (): HTMLElement | undefined => useContext(Container) ?? undefined;

const textFields =
  "input:not(:disabled, [hidden], [type=checkbox], [type=radio], [type=range], [type=file]), textarea:not(:disabled)";

const body = "min-h-0 flex-1 overflow-y-auto p-5";

type Submit = { label: string; cancel?: string; isDanger?: boolean; isBusy?: boolean; isDisabled?: boolean };

type Props = {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** The button that sends the form, after one that closes the dialog. */
  submit?: Submit;
  /** Other buttons at the lower edge, the main one last. */
  actions?: ReactNode;
  /** Without it, a form in the dialog is sent by its own buttons. */
  onSubmit?: () => void;
  width?: "normal" | "wide";
  /** It has only text, which the keyboard scrolls. */
  isRead?: boolean;
};

/** Render it to open it. The browser keeps the focus inside, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
  submit,
  onSubmit,
  width = "normal",
  isRead = false,
  ...rest
}: Props) {
  const actions = submit ? <SubmitActions {...submit} onClose={onClose} /> : rest.actions;
  const dialog = useRef<HTMLDialogElement>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const titleID = useId();
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const element = dialog.current;
    const opener = findOpener();
    element?.showModal();
    // Browsers would focus the button that closes the dialog: `autoFocus` of React comes before the dialog is shown.
    element?.querySelector<HTMLElement>(`[data-focused], ${textFields}`)?.focus();
    setContainer(element);
    return () => {
      element?.close();
      opener?.focus();
    };
  }, []);

  const content = (
    <>
      <header className="flex items-center justify-between gap-3 border-b border-line py-2 pr-2 pl-5">
        <h2 id={titleID} className="truncate text-base font-semibold">
          {title}
        </h2>
        <IconButton label={words.close} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      {isRead ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div
          role="group"
          aria-labelledby={titleID}
          tabIndex={0}
          data-focused
          data-scrolls
          className={classes(body, "outline-none")}
        >
          {children}
        </div>
      ) : (
        <div className={body}>{children}</div>
      )}
      {actions && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</footer>
      )}
    </>
  );
  const shape = "flex max-h-[inherit] flex-col";
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleID}
      className={classes("sheet p-0", width === "wide" && "[--sheet-width:56rem]")}
      onCancel={(event) => {
        // The dialog is closed by not rendering it any longer.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close.current();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && close.current()}
    >
      <Container value={container}>
        {onSubmit ? (
          <form
            className={shape}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              onSubmit();
            }}
          >
            {content}
          </form>
        ) : (
          <div className={shape}>{content}</div>
        )}
      </Container>
    </dialog>
  );
}

function SubmitActions({
  label,
  cancel,
  isDanger,
  isBusy = false,
  isDisabled,
  onClose,
}: Submit & Pick<Props, "onClose">) {
  return (
    <>
      <Button onClick={onClose}>{cancel ?? words.cancel}</Button>
      <Button type="submit" variant={isDanger ? "danger" : "main"} isBusy={isBusy} disabled={isDisabled}>
        {label}
      </Button>
    </>
  );
}

/** The only action of a dialog that shows something once. */
export const DoneButton = ({ label = words.done, onClick }: { label?: string; onClick: () => void }) => (
  <Button variant="main" onClick={onClick}>
    {label}
  </Button>
);

/** What had the focus before the menu that is open, or was until now. */
let beforeMenu: HTMLElement | null = null;

document.addEventListener("focusin", ({ target, relatedTarget }) => {
  if (!isInMenu(target)) beforeMenu = null;
  else if (relatedTarget instanceof HTMLElement && !isInMenu(relatedTarget)) beforeMenu = relatedTarget;
});

const isInMenu = (target: EventTarget | null): boolean => target instanceof Element && !!target.closest("[role=menu]");

/** What gets the focus when a dialog closes that opens now: not the line of a menu, which has disappeared by then. */
function findOpener(): HTMLElement | null {
  const { activeElement, body } = document;
  return activeElement instanceof HTMLElement && activeElement !== body && !isInMenu(activeElement)
    ? activeElement
    : beforeMenu;
}
