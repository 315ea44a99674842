/** A PNG of one pixel. */
export const picture = new File(
  [
    Uint8Array.from(
      atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
      (sign) => sign.charCodeAt(0),
    ),
  ],
  "pixel.png",
  { type: "image/png" },
);

declare const process: { argv: string[] };

/** The address of the server. */
export const baseUrl = process.argv[2] ?? "";

export function check(isRight: boolean, expectation: string): asserts isRight {
  if (!isRight) throw new Error(`Expected that ${expectation}.`);
}
