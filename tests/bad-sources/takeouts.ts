import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { bytesOf, quadrants } from "../kit/files/pictures.ts";
import { type BadSource, write } from "./bad-source.ts";

const year = "Takeout/Google Photos/Photos from 2019";
const known = JSON.stringify({ title: "good.jpg", photoTakenTime: { timestamp: "1562340000" } });
let width = 20;

/** An export of Google Photos with a good picture, and a second one with this JSON; `more` are further files. */
function takeout(
  name: string,
  json: string,
  rest: Omit<BadSource, "name" | "make"> = {},
  more: Record<string, string> = {},
): BadSource {
  return {
    name: `Takeout: ${name}`,
    async make(directory) {
      const picture = () => bytesOf(quadrants(width++, 20).jpeg());
      const files = {
        "good.jpg": await picture(),
        "good.jpg.json": known,
        "odd.jpg": await picture(),
        "odd.jpg.json": json,
        ...more,
      };
      for (const [file, bytes] of Object.entries(files)) {
        const path = join(directory, year, file);
        mkdirSync(dirname(path), { recursive: true });
        write(dirname(path), path.split("/").at(-1) ?? "", bytes);
      }
      return directory;
    },
    taken: [`${year}/good.jpg`, `${year}/odd.jpg`],
    ...rest,
  };
}

const notJSON = { refused: { [`${year}/odd.jpg.json`]: /^It is not valid JSON: / } };
const of = (more: object) => JSON.stringify({ photoTakenTime: { timestamp: "1562340000" }, ...more });
const at = (timestamp: unknown) => JSON.stringify({ photoTakenTime: { timestamp } });

export const takeoutCases: BadSource[] = [
  takeout("broken JSON", "{", notJSON),
  takeout("JSON of 100,000 levels", `{"photoTakenTime":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`, {
    refused: reasonOfDepth(),
  }),
  takeout("JSON of many megabytes", `{"description":"${"x".repeat(8 * 2 ** 20)}"}`, notJSON),
  takeout("JSON in another encoding", Buffer.from(known, "utf16le").toString("latin1"), notJSON),
  takeout(
    "JSON with other types everywhere",
    of({ title: 7, description: [], geoData: "x", favorited: "yes", archived: {}, people: 3 }),
  ),
  takeout("JSON that is a number", "42"),
  // A note, and not a refusal.
  takeout("a picture in the trash", of({ trashed: true }), { taken: [`${year}/good.jpg`] }),
  takeout("a prototype in JSON", `{"__proto__":{"trashed":true},"photoTakenTime":{"timestamp":"1"}}`),
  takeout("a date of 1904", at("-2082844800")),
  takeout("a date of 2099", at("4102358400")),
  takeout("a date that is no number", at("NaN")),
  takeout("a date beyond all calendars", at("999999999999999999999")),
  takeout("a date that is an object", at({ a: 1 })),
  takeout("a place out of this world", of({ geoData: { latitude: 912, longitude: -4000 } })),
  takeout("a description of a million characters, with NUL", of({ description: `\0${"é".repeat(400_000)}\ud800` })),
  takeout(
    "5,000 people",
    of({ people: Array.from({ length: 5000 }, (_, n) => ({ name: `${n} ${"x".repeat(99)}\n\0` })) }),
    { options: { people: "" } },
  ),
  takeout(
    "an album with a name of control characters",
    of({}),
    { taken: [`${year}/../Album/in.jpg`.replace(`${year}/../`, `${dirname(year)}/`)] },
    {
      "../Album/metadata.json": JSON.stringify({ title: "\u0000\u0007\n", description: "\ud800" }),
      "../Album/in.jpg": "not a picture",
    },
  ),
];

/** Whether a parser gives up at such a depth is its own decision: the photo is imported in both cases. */
function reasonOfDepth(): Record<string, RegExp> {
  try {
    JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    return {};
  } catch {
    return notJSON.refused;
  }
}
