import type { Translated } from "../../language.ts";
import type { SceneName } from "./scenes.ts";

type Post = { title: string; excerpt: string; tags: string[]; cover: SceneName; content: string };

/** `{photo dawn}` stands for the id of that sample. The newest post is the first. */
export const samplePosts: Translated<Post[]> = {
  en: [
    {
      title: "Welcome to your new site",
      excerpt: "What this site shows, where it is, and what to do first.",
      tags: ["welcome"],
      cover: "dawn",
      content: `This site is yours. It shows what you publish: posts like this one, photos, albums and files.

## What to do first

- [x] Set up the site
- [ ] Upload a few photos
- [ ] Write a first post
- [ ] Remove the samples with the button on the front page or in the studio

## What is where

| page   | what it shows                                     |
| ------ | ------------------------------------------------- |
| Blog   | your posts, newest first                          |
| Photos | everything that you have published as a photo     |
| Albums | photos in an order of your own                    |
| Files  | directories, for whatever is neither of the above |

Everything is public unless you make it private. A private record does not exist for others.[^share]

> The pictures on this site were not taken anywhere. The server has painted them, with gradients and a little noise.

[^share]: If a few people should see it, give them a share link.
`,
    },
    {
      title: "Pictures and albums in a post",
      excerpt: "A photo in a post is a reference, not a copy. An album is, too.",
      tags: ["photos", "writing"],
      cover: "lake",
      content: `A photo in a post is a reference, not a copy. The post shows it in the size that fits the screen, to those who may see it.

![[photo:{photo tide}]]

This is all it takes, in a line of its own:

\`\`\`markdown
![[photo:{photo tide}]]
\`\`\`

## Albums

An album is embedded in the same way. Its cover leads to the pictures.

![[album:{album 1}]]

If you change the title or the picture of a photo, every post that embeds it shows the new one.
`,
    },
    {
      title: "Writing in Markdown",
      excerpt: "Plain text with a few signs: lists, code, links and footnotes.",
      tags: ["writing"],
      cover: "frost",
      content: `Posts are written in Markdown: plain text with a few signs. You can make words **strong**, *emphasised*, ~~deleted~~ or \`code\`, and [link](/photos) to other pages.

## Lists

1. First things first.
2. Then the rest:
   - large things,
   - small things.

## Code

Code keeps its form:

\`\`\`ts
const photos = await fetch("/api/v1/photos").then((response) => response.json());
for (const { title, takenAt } of photos) console.log(takenAt, title);
\`\`\`

## Notes

A footnote[^one] stands at the end, and a line separates what does not belong together.

---

Drafts are private. A post with a date in the future appears at that time.

[^one]: Such as this one.
`,
    },
  ],
  de: [
    {
      title: "Willkommen auf Ihrer neuen Seite",
      excerpt: "Was diese Seite zeigt, wo es steht und was zuerst zu tun ist.",
      tags: ["Willkommen"],
      cover: "dawn",
      content: `Diese Seite gehört Ihnen. Sie zeigt, was Sie veröffentlichen: Beiträge wie diesen, Fotos, Alben und Dateien.

## Die ersten Schritte

- [x] Die Seite einrichten
- [ ] Einige Fotos hochladen
- [ ] Einen ersten Beitrag schreiben
- [ ] Die Beispiele mit dem Knopf auf der Startseite oder im Studio entfernen

## Was steht wo

| Seite   | was sie zeigt                                     |
| ------- | ------------------------------------------------- |
| Blog    | Ihre Beiträge, die neuesten zuerst                |
| Fotos   | alles, was Sie als Foto veröffentlicht haben      |
| Alben   | Fotos in der Reihenfolge, die Sie ihnen geben     |
| Dateien | Verzeichnisse, für alles andere                   |

Alles ist öffentlich, solange Sie es nicht privat machen. Was privat ist, gibt es für andere nicht.[^link]

> Die Bilder auf dieser Seite wurden nirgends aufgenommen. Der Server hat sie gemalt, mit Verläufen und etwas Rauschen.

[^link]: Sollen es einige sehen, geben Sie ihnen einen Link zum Teilen.
`,
    },
    {
      title: "Bilder und Alben in einem Beitrag",
      excerpt: "Ein Foto in einem Beitrag ist ein Verweis, keine Kopie. Ein Album auch.",
      tags: ["Fotos", "Schreiben"],
      cover: "lake",
      content: `Ein Foto in einem Beitrag ist ein Verweis, keine Kopie. Der Beitrag zeigt es in der Größe, die zum Bildschirm passt, und nur denen, die es sehen dürfen.

![[photo:{photo tide}]]

Dafür genügt eine Zeile:

\`\`\`markdown
![[photo:{photo tide}]]
\`\`\`

## Alben

Ein Album wird ebenso eingebettet. Das Titelbild führt zu den Fotos.

![[album:{album 1}]]

Wenn Sie den Titel oder das Bild eines Fotos ändern, zeigt jeder Beitrag, der es einbettet, das neue.
`,
    },
    {
      title: "Schreiben mit Markdown",
      excerpt: "Einfacher Text mit wenigen Zeichen: Listen, Code, Links und Fußnoten.",
      tags: ["Schreiben"],
      cover: "frost",
      content: `Beiträge werden in Markdown geschrieben: einfacher Text mit wenigen Zeichen. Wörter können **fett**, *betont*, ~~gestrichen~~ oder \`Code\` sein und auf andere Seiten [verweisen](/photos).

## Listen

1. Das Wichtigste zuerst.
2. Dann der Rest:
   - große Dinge,
   - kleine Dinge.

## Code

Code behält seine Form:

\`\`\`ts
const photos = await fetch("/api/v1/photos").then((response) => response.json());
for (const { title, takenAt } of photos) console.log(takenAt, title);
\`\`\`

## Anmerkungen

Eine Fußnote[^eins] steht am Ende, und eine Linie trennt, was nicht zusammengehört.

---

Entwürfe sind privat. Ein Beitrag mit einem Datum in der Zukunft erscheint zu dieser Zeit.

[^eins]: So wie diese.
`,
    },
  ],
};
