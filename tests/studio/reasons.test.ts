// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
// Runs on the embedded engines only: sentences need no server.
import { expect, test } from "bun:test";
import { explainFailure, explainFormat, explainSize } from "../../src/platform/images/refusal.ts";
import { reasonInGerman } from "../../studio/uploads/reasons.ts";

test("what the server says of a file that is no photo has a German sentence", () => {
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
  const said = [
    explainFormat("image/jxl"),
    explainSize(2_345e6, 100e6),
    ...["premature end", "unsupported", "x"].map((message) => explainFailure(message, jpeg)),
    explainFailure("x", new Uint8Array()),
  ];
  expect(said.map((reason) => reasonInGerman(reason ?? ""))).toEqual([
    "JPEG XL wird noch nicht unterstützt.",
    "Das Bild hat 2.345 Megapixel, erlaubt sind 100.",
    "Die JPEG-Datei ist abgeschnitten: Ihr Ende fehlt.",
    "Die JPEG-Datei ist beschädigt oder von einer Art, die nicht unterstützt wird.",
    "Die JPEG-Datei ist beschädigt.",
    "Die Bilddatei ist beschädigt.",
  ]);
  expect(reasonInGerman("Something else.")).toBeNull();
});
