// Runs on the embedded engines only: it reads what is in the HTML of pages, not how they were found.
import { expect, test } from "bun:test";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

type Element = DefaultTreeAdapterTypes.Element;

const server = useServer();
const { owner, guest } = server.people();
const api = "/api/v1";
const made = async (path: string, body: object) => (await owner.post(api + path, body)).body;

const elementsIn = (node: DefaultTreeAdapterTypes.ParentNode): Element[] =>
  node.childNodes.flatMap((child) => ("tagName" in child ? [child, ...elementsIn(child)] : []));
const attribute = ({ attrs }: Element, name: string) => attrs.find((one) => one.name === name)?.value ?? null;
const classesOf = (element: Element) => (attribute(element, "class") ?? "").split(/\s+/);
const textOf = (node: DefaultTreeAdapterTypes.ChildNode): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textOf).join("") : "";

/** The things of a kind on a page, with their properties by name, as a reader of microformats sees them. */
async function read(path: string, kind: string): Promise<Record<string, string[]>[]> {
  const { body } = await guest.get(path);
  const roots = elementsIn(parse(body)).filter((element) => classesOf(element).includes(kind));
  return roots.map((root) => {
    const found: Record<string, string[]> = {};
    collect(root, found);
    return found;
  });
}

function collect(element: Element, found: Record<string, string[]>): void {
  for (const child of element.childNodes) {
    if (!("tagName" in child)) continue;
    const classes = classesOf(child);
    for (const name of classes.filter((one) => /^(p|u|e|dt)-/.test(one)))
      (found[name] ??= []).push(valueOf(child, name));
    // What is in another thing belongs to that.
    if (!classes.some((one) => one.startsWith("h-"))) collect(child, found);
  }
}

function valueOf(element: Element, name: string): string {
  const values = name.startsWith("u-") ? ["href", "src", "value"] : name.startsWith("dt-") ? ["datetime"] : [];
  return values.map((one) => attribute(element, one)).find((value) => value !== null) ?? textOf(element).trim();
}

test("posts, photos, albums and people are marked up for programs", async () => {
  await owner.put(`${api}/me/profile`, {
    displayName: "Ada",
    about: "I write.",
    links: [{ url: "https://social.example/@ada" }],
  });
  const post = await made("/blog", { title: "Harbour", content: "It was **dusk**.", tags: ["sea"] });
  const { body: file } = await owner.upload("a.png", png(4, 3));
  const photo = await made("/photos", { title: "Quay", description: "Stones", fileID: file.id, tags: ["stone"] });
  const album = await made("/albums", { name: "Lisbon", description: "A week" });
  await made(`/albums/${album.id}/photos`, { photoID: photo.id });

  const [entry] = await read(`/blog/${post.slug}`, "h-entry");
  expect(entry).toMatchObject({
    "p-name": ["Harbour"],
    "u-url": [`/blog/${post.slug}`],
    "dt-published": [post.publishedAt],
    "e-content": ["It was dusk."],
    "p-category": ["sea"],
  });
  expect(entry?.["p-author"]?.[0]).toBe("Ada");
  expect(entry?.["u-photo"]).toBeUndefined();

  const [listed] = await read("/blog", "h-entry");
  expect(listed).toMatchObject({ "p-name": ["Harbour"], "u-url": [`/blog/${post.slug}`], "p-author": ["Ada"] });
  expect(await read("/blog", "h-feed")).toHaveLength(1);

  const [picture] = await read(`/photos/${photo.id}`, "h-entry");
  expect(picture).toMatchObject({
    "p-name": ["Quay"],
    "p-summary": ["Stones"],
    "u-url": [`/photos/${photo.id}`],
    "dt-published": [photo.createdAt],
    "p-category": ["stone"],
    "p-author": ["Ada"],
  });
  expect(picture?.["u-photo"]).toHaveLength(1);

  const [collection] = await read(`/albums/${album.id}-lisbon`, "h-entry");
  expect(collection).toMatchObject({ "p-name": ["Lisbon"], "p-summary": ["A week"], "p-author": ["Ada"] });

  const [person] = await read("/people/owner", "h-card");
  expect(person).toMatchObject({ "p-name": ["Ada"], "p-note": ["I write."], "u-url": ["/people/owner"] });
  const { body } = await guest.get("/people/owner");
  const links = elementsIn(parse(body)).filter((element) => attribute(element, "rel")?.split(" ").includes("me"));
  expect(links.map((element) => attribute(element, "href"))).toEqual(["https://social.example/@ada"]);
});
