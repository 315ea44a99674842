import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, Prec, type StateCommand } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { embeddedPictures, type FindPicture } from "./embedded-pictures.ts";
import { formats } from "./formats.ts";
import { editorTheme } from "./theme.ts";
import { pendingUploads } from "./pending-uploads.ts";
import { editorTexts as t } from "./texts.ts";

type Options = {
  text: string;
  label: string;
  hint: string;
  onChange: () => void;
  /** Files that were pasted or dropped, and where in the text. */
  onFiles: (files: File[], at: number) => void;
  findPicture: FindPicture;
};

export type Editor = ReturnType<typeof createEditor>;

/**
 * An editor of Markdown in a shadow tree of `host`. There it uses constructed style sheets; in the document it would add
 * `<style>` elements, which the policy of the site forbids. The text stays in the editor: nothing is done with all of it
 * when a key is pressed.
 */
export function createEditor(host: HTMLElement, options: Options) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.replaceChildren();
  const state = EditorState.create({ doc: options.text, extensions: extensions(options) });
  const view = new EditorView({ state, parent: root, root });
  return {
    view,
    read: () => view.state.doc.toString(),
    /** Changes only the part that differs, so that the caret stays where it is. It can be undone. */
    replace(text: string) {
      const change = differenceOf(view.state.doc.toString(), text);
      if (change) view.dispatch({ changes: change });
    },
    run(command: StateCommand) {
      command(view);
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

function extensions({ label, hint, onChange, onFiles, findPicture }: Options): Extension[] {
  return [
    history(),
    markdown({ base: markdownLanguage, completeHTMLTags: false }),
    search({ top: true }),
    highlightSelectionMatches(),
    pendingUploads,
    embeddedPictures(findPicture),
    editorTheme,
    EditorView.lineWrapping,
    EditorState.phrases.of(t.phrases),
    placeholder(hint),
    EditorView.contentAttributes.of({
      "aria-label": label,
      tabindex: "0",
      spellcheck: "true",
      autocorrect: "on",
      autocapitalize: "sentences",
      dir: "auto",
    }),
    Prec.high(keymap.of(formatKeys)),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
    EditorView.domEventHandlers({
      paste: (event, view) => take(event.clipboardData, view.state.selection.main.head),
      drop: (event, view) =>
        take(event.dataTransfer, view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length),
    }),
  ];

  function take(data: DataTransfer | null, at: number): boolean {
    const files = [...(data?.files ?? [])].filter(({ type }) => /^(image|video)\//.test(type));
    // A copied part of a page or a table may come with a picture of itself: then the text is meant.
    if (files.length === 0 || data?.types.includes("text/plain")) return false;
    onFiles(files, at);
    return true;
  }
}

const formatKeys = formats.flatMap(({ keys, command }) =>
  keys ? { key: keys.replaceAll("+", "-"), run: command } : [],
);

function differenceOf(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
