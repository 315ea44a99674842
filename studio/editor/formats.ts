import type { StateCommand } from "@codemirror/state";
import { Bold, Code, Heading2, Italic, Link, List, ListOrdered, type LucideIcon, Quote, Table } from "lucide-react";
import {
  addLink,
  addTable,
  toggleBold,
  toggleCode,
  toggleHeading,
  toggleItalic,
  toggleList,
  toggleNumbers,
  toggleQuote,
} from "./markdown-commands.ts";
import { editorTexts as t } from "./texts.ts";

type Format = { label: string; icon: LucideIcon; keys?: string; command: StateCommand };

/** What the toolbar and the keyboard offer. */
export const formats: Format[] = [
  { label: t.bold, icon: Bold, keys: "mod+b", command: toggleBold },
  { label: t.italic, icon: Italic, keys: "mod+i", command: toggleItalic },
  { label: t.heading, icon: Heading2, keys: "mod+alt+2", command: toggleHeading },
  { label: t.link, icon: Link, keys: "mod+shift+k", command: addLink },
  { label: t.list, icon: List, keys: "mod+shift+8", command: toggleList },
  { label: t.numbers, icon: ListOrdered, keys: "mod+shift+7", command: toggleNumbers },
  { label: t.quote, icon: Quote, keys: "mod+shift+9", command: toggleQuote },
  { label: t.code, icon: Code, keys: "mod+e", command: toggleCode },
  { label: t.table, icon: Table, command: addTable },
];
