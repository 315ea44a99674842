/** A part of a pattern. A character has samples of what it matches; anchors match no character. */
type Part = { min: number; max: number } & (
  | { kind: "character"; samples: string[] }
  | { kind: "group"; options: Part[][]; isConsuming: boolean }
  | { kind: "anchor" }
);

/** Texts that start with `prefix` and repeat `pump`: the kind of text that makes a slow pattern slow. */
export type Attack = { prefix: string; pump: string };

/** The regular expression literals of a TypeScript source. */
export function findLiterals(source: string): RegExp[] {
  const code = new Bun.Transpiler({ loader: "ts", deadCodeElimination: false }).transformSync(source);
  const found: RegExp[] = [];
  // The brace depth of each open template: a brace at that depth ends its expression.
  const templates: number[] = [];
  let depth = 0;
  let last = "";
  for (let at = 0; at < code.length; at++) {
    const sign = code[at] as string;
    if (sign === '"' || sign === "'") at = endOf(code, at, sign);
    else if (sign === "`" || (sign === "}" && templates.at(-1) === depth)) {
      if (sign === "}") templates.pop();
      at = endOfTemplate(code, at);
      if (code[at] === "{") templates.push(depth);
    } else if (sign === "{") depth++;
    else if (sign === "}") depth--;
    else if (sign === "/" && beginsPattern(code.slice(0, at), last)) {
      const end = endOf(code, at, "/");
      const flags = /^[a-z]*/.exec(code.slice(end + 1))?.[0] ?? "";
      found.push(new RegExp(code.slice(at + 1, end), flags));
      at = end + flags.length;
    }
    if (!/\s/.test(code[at] ?? "")) last = code[at] ?? "";
  }
  return found;
}

/** The position of the quote or slash that ends what starts at `start`. */
function endOf(code: string, start: number, sign: string): number {
  let isInClass = false;
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (sign === "/" && code[at] === "[") isInClass = true;
    else if (sign === "/" && code[at] === "]") isInClass = false;
    else if (code[at] === sign && !isInClass) return at;
  }
  throw new Error("A string or a pattern is not terminated.");
}

/** Where the text of a template ends: at its backtick, or at the brace of an expression. */
function endOfTemplate(code: string, start: number): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === "`") return at;
    else if (code[at] === "$" && code[at + 1] === "{") return at + 1;
  }
  throw new Error("A template is not terminated.");
}

/** A slash after a value is a division. */
function beginsPattern(before: string, last: string): boolean {
  return !/[\w$)\]}"'`]/.test(last) || /\b(return|typeof|case|in|of|yield|await|else)\s*$/.test(before);
}

/** The patterns that a module builds while it is loaded. */
export async function findBuilt(path: string): Promise<RegExp[]> {
  const built: RegExp[] = [];
  const construct: ProxyHandler<RegExpConstructor>["construct"] = (target, words, self) => {
    const pattern = Reflect.construct(target, words, self) as RegExp;
    built.push(pattern);
    return pattern;
  };
  // Imported once before, so that the second time only the module itself runs.
  await import(path);
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, { construct });
  try {
    await import(`${path}?again`);
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}

/** For each part with unbounded repetition: the text that leads there, and every character of the pattern, repeated. */
export function attacksOn(pattern: RegExp): Attack[] {
  const options = parse(pattern);
  const prefixes = new Set([""]);
  const pumps = new Set<string>();
  for (const times of [0, 1]) for (const parts of options) visit(parts, "", times);
  return [...prefixes].flatMap((prefix) => [...pumps].map((pump) => ({ prefix, pump })));

  /** `times` is how often optional parts occur in the prefix. */
  function visit(parts: Part[], start: string, times: number): void {
    let prefix = start;
    for (const part of parts) {
      if (part.kind === "character") for (const sample of part.samples) pumps.add(sample);
      if (part.kind === "group") {
        for (const inner of part.options) visit(inner, prefix, times);
        if (part.max > 1) for (const inner of part.options) pumps.add(sampleOf(inner, 1));
      }
      if (part.max === Infinity) prefixes.add(prefix);
      prefix += sampleOf([part], times);
    }
    pumps.delete("");
  }
}

/** A text that the parts match, with optional parts repeated `times` times. */
function sampleOf(parts: Part[], times: number): string {
  return parts.map((part) => oneOf(part, times).repeat(Math.max(part.min, Math.min(part.max, times)))).join("");
}

function oneOf(part: Part, times: number): string {
  if (part.kind === "character") return part.samples[0] ?? "";
  if (part.kind === "group" && part.isConsuming) return sampleOf(part.options[0] ?? [], times);
  return "";
}

function parse({ source, flags }: RegExp): Part[][] {
  let at = 0;
  const options = readOptions();
  if (at < source.length) throw new Error(`/${source}/ cannot be parsed at ${at}.`);
  return options;

  function readOptions(): Part[][] {
    const found: Part[][] = [[]];
    for (; at < source.length && source[at] !== ")";) {
      if (source[at] === "|") {
        at++;
        found.push([]);
      } else found.at(-1)?.push(readQuantified());
    }
    return found;
  }

  function readQuantified(): Part {
    const part = readPart();
    const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at));
    if (!quantifier) return part;
    at += quantifier[0].length;
    const [, sign, least, comma, most] = quantifier;
    if (sign) return { ...part, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    return { ...part, min: Number(least), max: comma ? (most ? Number(most) : Infinity) : Number(least) };
  }

  function readPart(): Part {
    const once = { min: 1, max: 1 };
    const rest = source.slice(at);
    const anchor = /^(?:[$^]|\\[bB])/.exec(rest)?.[0];
    if (anchor) {
      at += anchor.length;
      return { ...once, kind: "anchor" };
    }
    const opening = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(rest)?.[0];
    if (opening !== undefined) {
      at += opening.length;
      const options = readOptions();
      at++;
      return { ...once, kind: "group", options, isConsuming: !/[=!]/.test(opening) };
    }
    const character = rest[0] === "[" ? rest.slice(0, endOfClass(rest, flags)) : (escapeOrSign.exec(rest)?.[0] ?? "");
    at += character.length;
    return { ...once, kind: "character", samples: samplesOf(character, flags) };
  }
}

const escapeOrSign = /^(?:\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\.|.)/su;

/** Classes with the flag `v` may contain classes. */
function endOfClass(text: string, flags: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[" && (at === 0 || flags.includes("v"))) depth++;
    else if (text[at] === "]" && --depth === 0) return at + 1;
  }
  throw new Error(`The class ${text} is not terminated.`);
}

const usual = Array.from("a0 A/.,;:-_=+@#%&\"'\\<{(*zZ9\t\n\0é漢กあ한“ø\u0301\u0315\u00a0\uFFFD😀");
const most = 4;

/** A few different characters that the class or escape matches. */
function samplesOf(character: string, flags: string): string[] {
  const pattern = new RegExp(`^(?:${character})$`, flags.replace(/[gy]/g, ""));
  const found = usual.filter((sign) => pattern.test(sign)).slice(0, most);
  for (let code = 0; found.length === 0 && code <= 0xffff; code++) {
    const sign = String.fromCharCode(code);
    if (pattern.test(sign)) found.push(sign);
  }
  return found;
}
