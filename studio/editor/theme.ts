import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The classes of the studio do not reach into the shadow tree, but its custom properties do. */
const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "1rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "0.9375em", lineHeight: "1.7", overflow: "auto" },
  ".cm-content": {
    padding: "1rem 0 40vh",
    margin: "0 auto",
    maxWidth: "46rem",
    caretColor: "var(--accent)",
  },
  ".cm-line": { padding: "0 1.25rem" },
  ".cm-placeholder": { color: "var(--soft)" },
  ".cm-upload": {
    display: "inline-block",
    padding: "0 0.5rem",
    borderRadius: "var(--radius)",
    background: "var(--tint)",
    color: "var(--soft)",
    fontFamily: "var(--sans)",
    fontSize: "0.875rem",
  },
  ".cm-embedded": {
    display: "inline-block",
    width: "3.75rem",
    height: "2.5rem",
    marginRight: "0.5rem",
    verticalAlign: "middle",
    borderRadius: "var(--radius)",
    background: "var(--tint)",
    overflow: "hidden",
    "& img": { display: "block", width: "100%", height: "100%", objectFit: "cover" },
    "&.cm-missing": { background: "none", border: "1px dashed var(--line)" },
  },
  ".cm-panels": { background: "var(--surface)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    padding: "0.5rem 2.5rem 0.5rem 1rem",
    fontFamily: "var(--sans)",
    fontSize: "0.875rem",
    "& label": { fontSize: "0.875rem", whiteSpace: "nowrap" },
    "& [name=close]": { right: "0.75rem", top: "0.5rem", fontSize: "1.25rem" },
  },
  ".cm-textfield, .cm-button": {
    minHeight: "2rem",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    background: "var(--surface)",
    backgroundImage: "none",
    color: "var(--ink)",
    font: "inherit",
    padding: "0.125rem 0.5rem",
  },
  ".cm-searchMatch": { backgroundColor: "var(--mark)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
  ".cm-selectionMatch": { backgroundColor: "var(--tint)" },
});

const highlight = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.heading1, fontWeight: "700", fontSize: "1.3em" },
  { tag: tags.heading2, fontWeight: "700", fontSize: "1.2em" },
  { tag: tags.heading3, fontWeight: "700", fontSize: "1.1em" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.monospace, color: "var(--notice)" },
  { tag: tags.quote, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.processingInstruction, tags.meta, tags.contentSeparator, tags.labelName], color: "var(--soft)" },
  { tag: [tags.angleBracket, tags.tagName, tags.attributeName, tags.attributeValue], color: "var(--soft)" },
]);

export const editorTheme = [theme, syntaxHighlighting(highlight)];
