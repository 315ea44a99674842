/** Where a text stands: a heading has one line, and in a cell of a table a line ends by an element. */
export type LineForm = "paragraph" | "heading" | "cell";

/** Something around a part of a text, such as emphasis or a link. */
export type Mark = { name: string; open: string; close: string; markdown?: string };

type Delimiter = { mark: Mark; isOpen: boolean; partner: Delimiter | null; text: string | null };
type Piece = string | Delimiter;

export type InlineWriter = ReturnType<typeof createInlineWriter>;

/** Writes the text of one block in Markdown. White space between the parts is one space, and stands outside of marks. */
export function createInlineWriter(form: LineForm, around: readonly Mark[] = []) {
  const pieces: Piece[] = [];
  const opened: Delimiter[] = [];
  let waiting: Mark[] = [...around];
  /** Text that was not written yet: what it means in Markdown depends on what follows. */
  let plain = "";
  let hasSpace = false;
  let breaks = 0;

  return {
    /** Text as people read it. */
    text(text: string): void {
      const parts = text.split(/[ \t\n\r\f]+/);
      for (const [index, part] of parts.entries()) {
        if (index > 0) hasSpace = true;
        if (part === "") continue;
        if (plain === "" || breaks > 0 || waiting.length > 0) begin();
        else if (hasSpace) plain += " ";
        hasSpace = false;
        plain += part;
      }
    },
    /** Markdown as it is. */
    markdown: add,
    code(code: string): void {
      const span = codeSpan(code);
      if (span === "") hasSpace = true;
      else if (plain === "" && !hasSpace && isCode(pieces.at(-1)))
        add(`<code>${escapeText(code.replace(/\s+/g, " "))}</code>`);
      else add(span);
    },
    space(): void {
      hasSpace = true;
    },
    lineBreak(): void {
      breaks++;
    },
    /** Returns false if it is open already. */
    open(mark: Mark): boolean {
      if (waiting.some(({ name }) => name === mark.name) || opened.some((one) => one.mark.name === mark.name))
        return false;
      waiting.push(mark);
      return true;
    },
    close({ name }: Mark): void {
      if (waiting.some((mark) => mark.name === name)) waiting = waiting.filter((mark) => mark.name !== name);
      else if (opened.at(-1)?.mark.name === name) closeLast();
    },
    /** The whole text; "" if it contains nothing. */
    finish(): string {
      writePlain(true);
      while (opened.length > 0) closeLast();
      settle(pieces);
      const texts = pieces.map((piece) => (typeof piece === "string" ? piece : (piece.text ?? "")));
      // Before a link, these signs would make a picture or a note of it.
      const safe = texts.map((text, index) =>
        texts[index + 1]?.startsWith("[") ? text.replace(/[!^]$/, "\\$&") : text,
      );
      const lines = safe.join("").split("\n");
      return lines.map((line) => escapeStart(line)).join("\n");
    },
  };

  function add(text: string): void {
    begin();
    hasSpace = false;
    pieces.push(text);
  }

  /** Writes what stands between the last part and the next one. */
  function begin(): void {
    writePlain(hasSpace || breaks > 0);
    if (pieces.length > 0) writeSpace();
    [hasSpace, breaks] = [false, 0];
    for (const mark of waiting) {
      const delimiter: Delimiter = { mark, isOpen: true, partner: null, text: null };
      opened.push(delimiter);
      pieces.push(delimiter);
    }
    waiting = [];
  }

  /** `isEnd`: a space or nothing follows. */
  function writePlain(isEnd: boolean): void {
    const isLink = opened.some(({ mark }) => mark.name === "a");
    if (plain !== "") pieces.push(isEnd || isLink ? escapeText(plain) : escapeLastAddress(escapeText(plain)));
    plain = "";
  }

  function writeSpace(): void {
    if (breaks === 0 || form === "heading") {
      if (hasSpace || breaks > 0) pieces.push(" ");
    } else if (form === "cell") pieces.push("<br>".repeat(Math.min(breaks, 2)));
    else pieces.push(breaks > 1 && opened.length === 0 ? "\n\n" : "\\\n");
  }

  function closeLast(): void {
    writePlain(false);
    const start = opened.pop() as Delimiter;
    const end: Delimiter = { mark: start.mark, isOpen: false, partner: start, text: null };
    start.partner = end;
    pieces.push(end);
  }
}

/**
 * Signs are used where Markdown certainly reads them as the beginning and the end of the same emphasis, and elements everywhere
 * else: within words, and where several begin or end at the same place.
 */
function settle(pieces: Piece[]): void {
  const places = new Map<Piece, number>();
  pieces.forEach((piece, index) => typeof piece !== "string" && places.set(piece, index));
  for (const [index, end] of pieces.entries()) {
    if (typeof end === "string" || end.isOpen || !end.partner) continue;
    const start = places.get(end.partner) ?? 0;
    const { mark } = end;
    const isClear =
      isEdge(pieces[start - 1], pieces[start + 1], "start") && isEdge(pieces[index + 1], pieces[index - 1], "end");
    const signs = isClear ? mark.markdown : undefined;
    end.partner.text = signs ?? mark.open;
    end.text = signs ?? mark.close;
  }
}

function isEdge(outer: Piece | undefined, inner: Piece | undefined, side: "start" | "end"): boolean {
  const [before, after] = [textOf(outer), textOf(inner)];
  if (before === null || after === null || after === "") return false;
  const outside = side === "start" ? before.slice(-1) : before.slice(0, 1);
  const inside = side === "start" ? after.slice(0, 1) : after.slice(-1);
  if (/[\s~]/.test(inside) || outside === "~") return false;
  if (outside === "" || /\s/.test(outside) || (side === "end" && before.startsWith("\\\n"))) return true;
  return /[!-/:-@[-`{-~]/.test(outside) && /[\p{L}\p{N}]/u.test(inside);
}

/** Null if it is not decided yet. */
function textOf(piece: Piece | undefined): string | null {
  if (piece === undefined || typeof piece === "string") return piece ?? "";
  if (piece.mark.markdown === undefined) return piece.isOpen ? piece.mark.open : piece.mark.close;
  return piece.text?.startsWith("<") ? piece.text : null;
}

const isCode = (piece: Piece | undefined) => typeof piece === "string" && piece.endsWith("`");

/** What would mean something in Markdown, within a line. */
export function escapeText(text: string): string {
  return (
    text
      .replace(/[\\`*[\]]|~(?=~)|(?<=~)~|<(?=[a-z/!?])|&(?=#?\w{1,40};)/gi, "\\$&")
      .replace(/_/g, (sign, index: number, whole: string) =>
        /[a-z\d]/i.test(whole[index - 1] ?? "") && /[a-z\d]/i.test(whole[index + 1] ?? "") ? sign : `\\${sign}`,
      )
      // What is escaped in an address would be a part of the link that our site makes of it.
      .replace(/:\/\/\S*/g, (address) => (address.includes("\\") ? escapeAddresses(address) : address))
  );
}

const escapeAddresses = (text: string): string => text.replace(/(?<!\\):(?=\/\/)/g, "\\:");

/** An address at the end of a text would go on in what follows. */
function escapeLastAddress(text: string): string {
  const start = text.lastIndexOf(" ") + 1;
  return text.slice(0, start) + escapeAddresses(text.slice(start));
}

/** What would mean something at the beginning of a line. */
function escapeStart(line: string): string {
  return line
    .replace(/^[>+\-=:|]/, "\\$&")
    .replace(/^#{1,6}(?=\s|$)/, "\\$&")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^(\[\^\d+\]):/, "$1\\:");
}

function codeSpan(code: string): string {
  const text = code.replace(/\s+/g, " ");
  const signs = fence(text, 1);
  const isPadded = /^[` ]|[` ]$/.test(text);
  return text.trim() === "" ? "" : `${signs}${isPadded ? ` ${text} ` : text}${signs}`;
}

/** More backticks than the code contains in a row. */
export function fence(code: string, least: number): string {
  let longest = least - 1;
  for (const [signs] of code.matchAll(/`+/g)) longest = Math.max(longest, signs.length);
  return "`".repeat(longest + 1);
}

/** An address between the brackets of a link. */
export const target = (url: string): string =>
  url
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0020<>\\`"^{}\u007f]/g, (sign) => encodeURIComponent(sign))
    .replace(/[()]/g, "\\$&")
    .replace(/&(?=#?\w{1,40};)/g, "&amp;");
