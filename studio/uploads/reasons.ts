/** Why no photo can be created from a file, as the server says it in English. */
const reasons: [RegExp, (...parts: string[]) => string][] = [
  [/^(.+) is not supported yet\.$/, (name) => `${name} wird noch nicht unterstützt.`],
  [
    /^The picture has ([\d,]+) megapixels; the limit is (\d+)\.$/,
    (pixels, max) => `Das Bild hat ${pixels?.replaceAll(",", ".")} Megapixel, erlaubt sind ${max}.`,
  ],
  [/^The (.+) is cut off: its end is missing\.$/, (what) => `${inGerman(what)} ist abgeschnitten: Ihr Ende fehlt.`],
  [
    /^The (.+) is damaged, or of a kind that is not supported\.$/,
    (what) => `${inGerman(what)} ist beschädigt oder von einer Art, die nicht unterstützt wird.`,
  ],
  [/^The (.+) is damaged\.$/, (what) => `${inGerman(what)} ist beschädigt.`],
];

function inGerman(what = ""): string {
  const [name = ""] = what.split(" ");
  if (name === "preview") return "Die Vorschau in dieser RAW-Datei";
  return name === "picture" ? "Die Bilddatei" : `Die ${name}-Datei`;
}

/** Null for a reason that is not known here. */
export function reasonInGerman(reason: string): string | null {
  for (const [pattern, print] of reasons) {
    const [, ...parts] = pattern.exec(reason) ?? [];
    if (parts.length > 0) return print(...parts);
  }
  return null;
}
