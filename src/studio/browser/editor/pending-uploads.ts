import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { addBlock } from "./markdown-commands.ts";
import { editorTexts as t } from "./texts.ts";

/** A picture that is being uploaded, at the place in the text where it will be. */
type Pending = { id: number; name: string; at: number };

const begin = StateEffect.define<Pending>({
  map: (pending, changes) => ({ ...pending, at: changes.mapPos(pending.at) }),
});
const end = StateEffect.define<number>();
let lastID = 0;

class UploadWidget extends WidgetType {
  constructor(
    readonly id: number,
    readonly name: string,
  ) {
    super();
  }
  override eq(other: UploadWidget): boolean {
    return other.id === this.id;
  }
  toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "cm-upload";
    element.textContent = t.uploading(this.name);
    return element;
  }
}

/** Its positions move with the text around them. */
export const pendingUploads = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, { changes, effects }) {
    let current = decorations.map(changes);
    for (const effect of effects) {
      if (effect.is(begin)) {
        const { id, name, at } = effect.value;
        const widget = Decoration.widget({ widget: new UploadWidget(id, name), side: 1, id });
        current = current.update({ add: [widget.range(at)] });
      }
      if (effect.is(end))
        current = current.update({ filter: (_, __, { spec }) => (spec as Pending).id !== effect.value });
    }
    return current;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows that a file is being uploaded. The returned function puts a text there, or nothing. */
export function beginUpload(view: EditorView, name: string, at: number): (text: string | null) => void {
  const id = ++lastID;
  view.dispatch({ effects: begin.of({ id, name, at }) });
  return (text) => {
    let place: number | null = null;
    view.state.field(pendingUploads).between(0, view.state.doc.length, (from, _, { spec }) => {
      if ((spec as Pending).id === id) place = from;
    });
    view.dispatch({ effects: end.of(id) });
    if (text !== null) addBlock(text, place ?? view.state.doc.length)(view);
  };
}
