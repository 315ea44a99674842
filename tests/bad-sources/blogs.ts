import { type BadSource, write } from "./bad-source.ts";
import { wpComment, wpPost, wxr } from "./odd-blogs.ts";

const titles = ["zeros", "1904", "2099", "none"];
const dates = ["0000-00-00 00:00:00", "1904-01-01 00:00:00", "2099-01-01 00:00:00", "x"];

/** What is wrong with single posts and comments, together in one blog: each of them costs the start of an import. */
export const blogCases: BadSource[] = [
  {
    name: "WordPress: dates, titles, slugs, texts and comments of all kinds",
    make: (directory) =>
      write(
        directory,
        "x.xml",
        wxr([
          ...titles.map((title, index) => wpPost({ id: `${index + 1}`, title, date: dates[index] ?? "" })),
          wpPost({ id: "5", title: "t".repeat(500_000), name: "a" }),
          wpPost({ id: "6", title: "\u0000\u001b\ud800", name: "a", content: "\u0000" }),
          wpPost({ id: "7", title: "long", name: "s".repeat(5000), content: "x".repeat(1_000_001) }),
          wpPost({ id: "8", title: "studio", name: "../../studio" }),
          wpPost({
            id: "9",
            title: "talk",
            more: [
              wpComment(1, 2),
              wpComment(2, 1),
              wpComment(3, 3),
              wpComment(4, 99),
              wpComment(5, 0, "c".repeat(90_000)),
              wpComment(6, 0, "\u0000 "),
              // Each replies to the one before it.
              ...Array.from({ length: 1500 }, (_, number) => wpComment(number + 100, number + 99)),
            ].join(""),
          }),
        ]),
      ),
    refused: { long: /more than 1,000,000 characters/, "": /It is empty/ },
    taken: [...titles, "t".repeat(300), "studio", "talk", "Comment 1", "Comment 2", "Comment 3", "Comment 1599"],
  },
];
