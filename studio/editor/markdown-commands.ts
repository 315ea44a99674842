import { type ChangeSpec, EditorSelection, type EditorState, type StateCommand } from "@codemirror/state";
import { editorTexts as t } from "./texts.ts";

export const toggleBold = toggleAround("**");
export const toggleItalic = toggleAround("*");
const toggleInlineCode = toggleAround("`");

export const toggleList = togglePrefix(/^(\s*)[-*+] /, () => "- ");
export const toggleNumbers = togglePrefix(/^(\s*)\d+[.)] /, (index) => `${index + 1}. `);
export const toggleQuote = togglePrefix(/^(\s*)> ?/, () => "> ");

/** A part of a line, or a block of lines. */
export const toggleCode: StateCommand = (target) => {
  const { state } = target;
  const { from, to } = state.selection.main;
  if (state.doc.lineAt(from).number === state.doc.lineAt(to).number) return toggleInlineCode(target);
  const [start, end] = [state.doc.lineAt(from).from, state.doc.lineAt(to).to];
  target.dispatch(
    state.update({
      changes: [
        { from: start, insert: "```\n" },
        { from: end, insert: "\n```" },
      ],
      userEvent: "input",
    }),
  );
  return true;
};

/** The title of the post is the first level: a line becomes one of the second, then of the third, then text again. */
export const toggleHeading: StateCommand = ({ state, dispatch }) => {
  const changes = selectedLines(state).map(({ from, text }) => {
    const level = /^(#{1,6}) /.exec(text)?.[1]?.length ?? 0;
    const insert = level === 0 ? "## " : level === 2 ? "### " : "";
    return { from, to: from + (level === 0 ? 0 : level + 1), insert };
  });
  dispatch(state.update({ changes, userEvent: "input" }));
  return true;
};

export const addLink: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const text = state.sliceDoc(from, to);
  const isAddress = /^https?:\/\/\S+$/.test(text);
  const insert = isAddress ? `[](${text})` : `[${text}](https://)`;
  const caret = isAddress ? from + 1 : text === "" ? from + 1 : from + insert.length - 1;
  dispatch(state.update({ changes: { from, to, insert }, selection: { anchor: caret }, userEvent: "input" }));
  return true;
};

export const addTable: StateCommand = (target) => {
  const cell = t.column;
  return addBlock(`| ${cell} | ${cell} |\n| --- | --- |\n|  |  |`)(target);
};

/** Adds a text in separate lines, with an empty line before and after it. */
export const addBlock =
  (text: string, at?: number): StateCommand =>
  ({ state, dispatch }) => {
    const { from, to } = at === undefined ? state.selection.main : { from: at, to: at };
    const before = state.sliceDoc(Math.max(0, from - 2), from);
    const after = state.sliceDoc(to, to + 2);
    const start = from === 0 || before === "\n\n" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    const end = after === "\n\n" ? "" : after.startsWith("\n") ? "\n" : "\n\n";
    const insert = start + text + end;
    const isAtCaret = at === undefined || at === state.selection.main.head;
    dispatch(
      state.update({
        changes: { from, to, insert },
        ...(isAtCaret && { selection: { anchor: from + insert.length }, scrollIntoView: true }),
        userEvent: "input",
      }),
    );
    return true;
  };

function toggleAround(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      const { from, to } = range;
      const isAround =
        state.sliceDoc(from - mark.length, from) === mark &&
        state.sliceDoc(to, to + mark.length) === mark &&
        // One star of two is not the mark of italics.
        (mark !== "*" || state.sliceDoc(from - 2, from) !== "**" || state.sliceDoc(from - 3, from) === "***");
      // At the end of what is marked, the caret moves out of it.
      const isAtEnd = range.empty && !isAround && state.sliceDoc(to, to + mark.length) === mark;
      if (isAtEnd) return { range: EditorSelection.cursor(to + mark.length) };
      if (isAround) {
        const changes: ChangeSpec = [
          { from: from - mark.length, to: from },
          { from: to, to: to + mark.length },
        ];
        return { changes, range: EditorSelection.range(from - mark.length, to - mark.length) };
      }
      const changes: ChangeSpec = [
        { from, insert: mark },
        { from: to, insert: mark },
      ];
      return { changes, range: EditorSelection.range(from + mark.length, to + mark.length) };
    });
    dispatch(state.update(change, { userEvent: "input", scrollIntoView: true }));
    return true;
  };
}

/** Removes the prefix if all lines have it, otherwise adds it to those that have none. */
function togglePrefix(pattern: RegExp, prefix: (index: number) => string): StateCommand {
  return ({ state, dispatch }) => {
    const lines = selectedLines(state);
    const filled = lines.length > 1 ? lines.filter(({ text }) => text.trim() !== "") : lines;
    const isOn = filled.every(({ text }) => pattern.test(text));
    const changes = filled.flatMap(({ from, text }, index): ChangeSpec[] => {
      const found = pattern.exec(text);
      if (isOn) return found ? [{ from: from + (found[1]?.length ?? 0), to: from + found[0].length }] : [];
      return found ? [] : [{ from: from + (/^\s*/.exec(text)?.[0].length ?? 0), insert: prefix(index) }];
    });
    const changed = state.changes(changes);
    const { anchor, head } = state.selection.main;
    const selection = { anchor: changed.mapPos(anchor, 1), head: changed.mapPos(head, 1) };
    dispatch(state.update({ changes: changed, selection, userEvent: "input" }));
    return true;
  };
}

function selectedLines(state: EditorState) {
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from).number;
  const last = state.doc.lineAt(to).number;
  return Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index));
}
