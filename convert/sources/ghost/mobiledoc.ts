import { cardPart, escape, fieldsOf, listOf, type Note, type Part, textOf } from "./cards.ts";

/** What a section may be, by the number that it begins with. */
const [markupSection, imageSection, listSection, cardSection] = [1, 2, 3, 10];
const tags = new Set("p h1 h2 h3 h4 h5 h6 blockquote aside pull-quote".split(" "));
const markTags = new Set("a b strong i em s u code sub sup mark".split(" "));

/** The document of Ghost's editor from version 1 to 5. */
export function mobiledocParts(document: unknown, note: Note): Part[] {
  const { markups, atoms, cards, sections } = fieldsOf(document);
  const [allMarkups, allAtoms, allCards] = [listOf(markups), listOf(atoms), listOf(cards)];

  return listOf(sections).map((section): Part => {
    const [kind, second, third] = listOf(section);
    if (kind === imageSection) return { html: `<p><img src="${escape(second)}" alt=""></p>` };
    if (kind === cardSection) {
      const [name, fields] = listOf(allCards[Number(second)]);
      return cardPart(textOf(name), fieldsOf(fields), note);
    }
    if (kind === listSection) {
      const tag = second === "ol" ? "ol" : "ul";
      const items = listOf(third).map((item) => `<li>${textHTML(item)}</li>`);
      return { html: `<${tag}>${items.join("")}</${tag}>` };
    }
    if (kind !== markupSection) return { html: "" };
    const given = tags.has(textOf(second)) ? textOf(second) : "p";
    const tag = given === "aside" || given === "pull-quote" ? "blockquote" : given;
    return { html: `<${tag}>${textHTML(third)}</${tag}>` };
  });

  /** A text with marks, each of which begins at one of its pieces and ends with another. */
  function textHTML(markers: unknown): string {
    const open: string[] = [];
    const pieces = listOf(markers).map((marker) => {
      const [kind, opened, closed, value] = listOf(marker);
      const starts = listOf(opened).map((index) => {
        const [tag, attributes] = listOf(allMarkups[Number(index)]);
        const name = markTags.has(textOf(tag)) ? textOf(tag) : "span";
        open.push(name);
        const values = listOf(attributes);
        const href = name === "a" ? textOf(values[values.indexOf("href") + 1]) : "";
        return `<${name}${href ? ` href="${escape(href)}"` : ""}>`;
      });
      const ends = Array.from({ length: Math.min(open.length, Number(closed) || 0) }, () => `</${open.pop()}>`);
      return [...starts, kind === 1 ? atomHTML(value) : escape(value), ...ends].join("");
    });
    return [...pieces, ...open.toReversed().map((name) => `</${name}>`)].join("");
  }

  function atomHTML(index: unknown): string {
    const [name, text] = listOf(allAtoms[Number(index)]);
    return name === "soft-return" ? "<br>" : escape(text);
  }
}
