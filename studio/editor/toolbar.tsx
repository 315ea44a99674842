import type { StateCommand } from "@codemirror/state";
import { Image, Images, ImageUp } from "lucide-react";
import { useRef } from "react";
import { isMac, printKeys } from "../lib/shortcuts.ts";
import { words } from "../lib/words.ts";
import { IconButton } from "../ui/button.tsx";
import { photoTypes } from "../uploads/upload-button.tsx";
import { UploadMenu } from "../uploads/upload-menu.tsx";
import { formats } from "./formats.ts";
import { editorTexts as t } from "./texts.ts";

type Props = {
  run: (command: StateCommand) => void;
  onFiles: (files: File[]) => void;
  onPickPhoto: () => void;
  onPickAlbum: () => void;
};

/** One stop of the Tab key; arrow keys move between the buttons. */
export function Toolbar({ run, onFiles, onPickPhoto, onPickAlbum }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const others = [
    { label: t.photo, icon: Image, act: onPickPhoto },
    { label: words.album, icon: Images, act: onPickAlbum },
  ];
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t.toolbar}
      className="flex shrink-0 items-center gap-0.5 overflow-x-auto border-b border-line px-2 py-1 [scrollbar-width:none]"
      onKeyDown={moveFocus}
    >
      {formats.map(({ label, icon: Icon, keys, command }, index) => (
        <IconButton
          key={label}
          label={label}
          title={keys ? `${label} (${printKeys(keys).join(isMac ? "" : "+")})` : label}
          tabIndex={index === 0 ? 0 : -1}
          className="shrink-0"
          // The editor keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(command)}
        >
          <Icon />
        </IconButton>
      ))}
      <span aria-hidden="true" className="mx-1 h-5 shrink-0 border-l border-line" />
      {others.map(({ label, icon: Icon, act }) => (
        <IconButton key={label} label={label} tabIndex={-1} className="shrink-0" onClick={act}>
          <Icon />
        </IconButton>
      ))}
      <UploadMenu
        accept={photoTypes}
        hasFolders={false}
        privateHint={t.privateHint}
        onFiles={(chosen) => onFiles(chosen.map(({ file }) => file))}
      >
        <IconButton label={t.upload} tabIndex={-1} className="shrink-0">
          <ImageUp />
        </IconButton>
      </UploadMenu>
    </div>
  );

  function moveFocus(event: React.KeyboardEvent): void {
    // Not in the menu, which is elsewhere in the page.
    if (!bar.current?.contains(event.target as Node)) return;
    const buttons = [...(bar.current?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons.at(next % buttons.length)?.focus();
  }
}
