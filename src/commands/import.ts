import type { Module } from "../module.ts";
import { type Command, dataOption } from "./command.ts";

/** Loaded when it is used: a server starts sooner without it. */
const load = () => import("./import-work.ts");

export const importCommand = (modules: readonly Module[]): Command => ({
  name: "import",
  more: "SOURCE",
  summary:
    "bring along folders, archives, exports of photo services and blogs, Markdown, or what another server has, even while the site is in use",
  details:
    "SOURCE is a folder, a zip, tar or tgz archive, the export of a blog or of a Vitrine, or the address of a server: Immich, another Vitrine, or Nextcloud and other WebDAV servers (https://USER@cloud.example.org). Several archives are read as one. A SOURCE of - is what another program writes on the standard input, a line for each item. Run it again to continue: what was imported is passed over. Symbolic links are not followed. What one import has added can be removed with --undo; it is in the trash then.",
  options: {
    to: { value: "PATH", summary: "the destination directory (default: / and the name of the source)" },
    owner: { value: "NAME", summary: "who will own everything (default: the only admin)" },
    author: { value: "THEIRS=OURS", summary: "which accounts write the posts of which authors, with commas between" },
    photos: { summary: "also create photos from the pictures and videos, once the server is running" },
    albums: { summary: "also make an album of each folder" },
    people: { summary: "give photos the names of the people in them as tags" },
    stars: { summary: "make photos with five stars in their sidecars favourites" },
    visibility: {
      value: "WHO",
      summary: "public or private (default: private; public: everyone, except what the source says is private)",
    },
    hidden: { summary: "take hidden files, too: those whose names, or a folder above, begin with a dot" },
    "as-folder": { summary: "take it for a folder of files, whatever it is" },
    fetch: { summary: "read media that are missing in an export of WordPress from the old site" },
    "key-file": {
      value: "FILE",
      variable: "IMPORT_KEY_FILE",
      summary: "a file with the API key, app password or token for the server, instead of IMPORT_KEY",
    },
    files: {
      value: "FOLDER",
      summary: "where the files of lines from the standard input lie (default: the current directory)",
    },
    "dry-run": { summary: "only say what would be imported" },
    json: { summary: "print what became of each item as JSON" },
    undo: { value: "ID", summary: "remove what this import has added" },
    ...dataOption,
  },
  run: async (call) => (await load()).runImportCommand(call, modules),
});
