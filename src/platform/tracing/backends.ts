import type { Blobs } from "../blobs/blobs.ts";
import type { Decoder } from "../images/decoder.ts";
import type { Renderer } from "../markdown/renderer.ts";
import type { RunSpan } from "./spans.ts";

/** The same blob store, with spans. They do not name a blob: its hash tells what it contains to those who know the bytes. */
export function traceBlobs(blobs: Blobs, span: RunSpan): Blobs {
  const open = <Opened>(name: string, work: () => Promise<Opened>) =>
    span({ name, kind: "client" }, work, (opened) => ({ "vitrine.blob.found": opened !== null }));
  return {
    ...blobs,
    open: (...given) => open("blob open", () => blobs.open(...given)),
    openDerived: (...given) => open("blob open derived", () => blobs.openDerived(...given)),
    keepDerived: (...given) => span({ name: "blob keep derived", kind: "client" }, () => blobs.keepDerived(...given)),
    async receive(stream) {
      const received = await span(
        { name: "blob receive", kind: "client" },
        () => blobs.receive(stream),
        ({ size }) => ({ "vitrine.blob.bytes": size }),
      );
      return {
        ...received,
        keep: (moved) => span({ name: "blob keep", kind: "client" }, () => received.keep(moved)),
      };
    },
  };
}

/** The same decoder, with spans that include the wait for a process. */
export function traceDecoder(decoder: Decoder, span: RunSpan): Decoder {
  return {
    ...decoder,
    inspect: (path) => span({ name: "decoder inspect" }, () => decoder.inspect(path)),
    measure: (...given) => span({ name: "decoder measure" }, () => decoder.measure(...given)),
    scale: (...given) => span({ name: "decoder scale" }, () => decoder.scale(...given)),
    icon: (...given) => span({ name: "decoder icon" }, () => decoder.icon(...given)),
    draw: (drawing) => span({ name: "decoder draw" }, () => decoder.draw(drawing)),
    readFrame: (...given) => span({ name: "decoder frame" }, () => decoder.readFrame(...given)),
  };
}

/** The same renderer, with spans that include the wait for its process. */
export function traceRenderer(renderer: Renderer, span: RunSpan): Renderer {
  return {
    ...renderer,
    render: (text, ownerID) =>
      span(
        { name: "markdown render", attributes: { "vitrine.markdown.characters": text.length } },
        () => renderer.render(text, ownerID),
        (rendered) => ({ "vitrine.markdown.rendered": rendered !== null }),
      ),
  };
}
