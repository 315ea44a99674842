import type { Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";

/** The address of a small picture of an embedded record, or null. */
export type FindPicture = (kind: string, id: number) => Promise<string | null>;

/** Photos and albums that are embedded in the text, each as a thumbnail before its reference. Only what is in view is asked for. */
export function embeddedPictures(findPicture: FindPicture): Extension {
  const matcher = new MatchDecorator({
    regexp: /!\[\[(photo|album):(\d{1,15})\]\]/g,
    decorate(add, from, _, [, kind = "", id]) {
      add(from, from, Decoration.widget({ widget: new Thumbnail(kind, Number(id), findPicture), side: -1 }));
    },
  });
  class Pictures {
    shown: DecorationSet;
    constructor(view: EditorView) {
      this.shown = matcher.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.shown = matcher.updateDeco(update, this.shown);
    }
  }
  return ViewPlugin.fromClass(Pictures, { decorations: ({ shown }) => shown });
}

class Thumbnail extends WidgetType {
  constructor(
    readonly kind: string,
    readonly id: number,
    readonly findPicture: FindPicture,
  ) {
    super();
  }
  override eq(other: Thumbnail): boolean {
    return other.kind === this.kind && other.id === this.id;
  }
  override ignoreEvent(): boolean {
    return false;
  }
  toDOM(): HTMLElement {
    const frame = document.createElement("span");
    frame.className = "cm-embedded";
    void this.show(frame);
    return frame;
  }
  /** The place is kept before the picture is there, so that no line moves. */
  async show(frame: HTMLElement): Promise<void> {
    const source = await this.findPicture(this.kind, this.id).catch(() => null);
    if (source === null) return frame.classList.add("cm-missing");
    // What it shows is said by the reference behind it.
    const picture = document.createElement("img");
    picture.alt = "";
    picture.decoding = "async";
    picture.addEventListener("error", () => {
      picture.remove();
      frame.classList.add("cm-missing");
    });
    picture.src = source;
    frame.append(picture);
  }
}
