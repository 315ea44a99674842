import { fold } from "../../platform/text.ts";
import { confusables } from "./confusables.ts";

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns the same text for names that look the same because of Latin letters and digits, or what looks like them in other scripts, as
 * UTS #39 has it. It is only compared, never shown. Names ignore case, so the characters are mapped both as typed and in lower case: `M` is the same letter as `m`, which looks like `rn`.
 */
export function usernameSkeleton(name: string): string {
  const visible = name.normalize("NFKC").normalize("NFD").replace(invisible, "");
  return replaceEach(fold(replaceEach(visible)).normalize("NFD"));
}

function replaceEach(text: string): string {
  lookalikes ??= new Map([...parse(confusables), ["i", "l"], ["w", "vv"]]);
  const known = lookalikes;
  return Array.from(text, (character) => known.get(character) ?? character).join("");
}

/** `I` is the capital of `i` and looks like `l`, so `i` is mapped to `l`; `vv` for `w` is not in the Unicode data. */
let lookalikes: Map<string, string> | null = null;

function parse(table: string): [string, string][] {
  const readCharacter = (hexadecimal: string) => String.fromCodePoint(Number.parseInt(hexadecimal, 16));
  return table
    .trim()
    .split(/\s+/)
    .flatMap((group) => {
      const [target = "", sources = ""] = group.split("=");
      const text = target.split("+").map(readCharacter).join("");
      return sources.split(",").map((source): [string, string] => [readCharacter(source), text]);
    });
}
