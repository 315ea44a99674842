// Examples refer to records by id. Ids of records that were created on this page replace ids that may not exist.
import { element, find, findAll, keep, parse, readKept } from "./page.ts";

type Kind = "files" | "photos" | "blog" | "albums" | "comments" | "directories";

const storageKey = "vitrine.created";
const kindOfField: Record<string, Kind> = { fileID: "files", photoID: "photos", blogPostID: "blog" };
/** The operation that creates a record of this kind, and the name of the record. */
const creators: Partial<Record<Kind, [operation: string, name: string]>> = {
  files: ["uploadFile", "an uploaded file"],
  photos: ["createPhoto", "a photo"],
  blog: ["createPost", "a blog post"],
  albums: ["createAlbum", "an album"],
  comments: ["createComment", "a comment"],
};

/** Stores the id of the created record, by its URL, and fills it into the open forms. */
export function rememberCreated(location: string | null, record: unknown): void {
  const [, kind, id] = /\/api\/v1\/(\w+)\/(\d+)$/.exec(location ?? "") ?? [];
  if (!kind) return;
  const isDirectory = (record as { isDirectory?: boolean } | null)?.isDirectory === true;
  keep(storageKey, { ...readCreated(), [isDirectory ? "directories" : kind]: Number(id) });
  for (const form of findAll<HTMLFormElement>(".try form")) fillIDs(form);
}

/** Fields that were edited by hand are not changed. */
export function fillIDs(form: HTMLFormElement): void {
  const created = readCreated();
  const missing = new Set<Kind>();
  const idFor = (kind: Kind | undefined, example: unknown) => {
    if (!kind || typeof example !== "number") return example;
    if (created[kind] === undefined) missing.add(kind);
    return created[kind] ?? example;
  };
  const ofPath = /^\/api\/v1\/(\w+)\/\{id\}/.exec(form.dataset.path ?? "")?.[1] as Kind | undefined;
  for (const input of findAll<HTMLInputElement>('input[data-in="path"], input[data-in="query"]', form)) {
    const kind = input.name === "id" ? ofPath : kindOfField[input.name];
    const example = Number(input.defaultValue);
    if (kind && input.value === input.defaultValue) setDefault(input, String(idFor(kind, example)));
  }
  for (const textarea of findAll<HTMLTextAreaElement>('textarea[data-in="body"]', form)) {
    const body = parse(textarea.value);
    if (textarea.value !== textarea.defaultValue || typeof body !== "object" || body === null) continue;
    const filled = Object.entries(body).map(([name, value]) => [name, idFor(kindOfField[name], value)]);
    setDefault(textarea, JSON.stringify(Object.fromEntries(filled), null, 2));
  }
  showMissing(form, [...missing]);
}

const readCreated = () => (readKept(storageKey) ?? {}) as Partial<Record<Kind, number>>;

function setDefault(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  field.defaultValue = value;
  field.value = value;
}

function showMissing(form: HTMLFormElement, kinds: Kind[]): void {
  const lines = kinds.flatMap((kind) => {
    const [operation, name] = creators[kind] ?? [];
    if (!operation || !name) return [];
    const link = element("a", { href: `/docs#${operation}` }, "create one on this page");
    return element(
      "p",
      { className: "quiet" },
      `This requires the id of ${name}: `,
      link,
      ", or enter one that you know.",
    );
  });
  find(".needs", form).replaceChildren(...lines);
}
