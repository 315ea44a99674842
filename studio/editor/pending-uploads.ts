import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { addBlock } from "./markdown-commands.ts";
import { editorTexts as t } from "./texts.ts";

/** A picture that is not uploaded yet, at the place in the text where it will be. */
type Mark = { id: number; text: string; at: number };

const show = StateEffect.define<Mark>({
  map: (mark, changes) => ({ ...mark, at: changes.mapPos(mark.at) }),
});
const hide = StateEffect.define<number>();
let lastID = 0;

class UploadWidget extends WidgetType {
  constructor(readonly text: string) {
    super();
  }
  override eq(other: UploadWidget): boolean {
    return other.text === this.text;
  }
  toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "cm-upload";
    element.textContent = this.text;
    return element;
  }
}

/** Its positions move with the text around them. */
export const pendingUploads = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, { changes, effects }) {
    let current = decorations.map(changes);
    for (const effect of effects) {
      if (effect.is(show)) {
        const { id, text, at } = effect.value;
        const widget = Decoration.widget({ widget: new UploadWidget(text), side: 1, id });
        current = current.update({ add: [widget.range(at)] });
      }
      if (effect.is(hide))
        current = current.update({ filter: (_, __, { spec }) => (spec as Mark).id !== effect.value });
    }
    return current;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows at a place in the text that a file is being uploaded. */
export function markUpload(view: EditorView, name: string, at: number) {
  const id = ++lastID;
  view.dispatch({ effects: show.of({ id, text: t.uploading(name), at }) });

  /** Where it is now: the text around it may have been deleted. */
  function findPlace(): number {
    let place = view.state.doc.length;
    view.state.field(pendingUploads).between(0, view.state.doc.length, (from, _, { spec }) => {
      if ((spec as Mark).id === id) place = from;
    });
    return place;
  }
  return {
    fail: () => view.dispatch({ effects: [hide.of(id), show.of({ id, text: t.notUploaded(name), at: findPlace() })] }),
    remove: () => view.dispatch({ effects: hide.of(id) }),
    /** Puts a text there. */
    replace(text: string): void {
      const place = findPlace();
      view.dispatch({ effects: hide.of(id) });
      addBlock(text, place)(view);
    },
  };
}
