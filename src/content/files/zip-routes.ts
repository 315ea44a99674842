import { z } from "zod";
import { invalid, missing } from "../../platform/errors.ts";
import type { Images } from "../../core/images/read.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Reader } from "../../platform/database/database.ts";
import { type Route, route, type Viewer } from "../../platform/http/route.ts";
import { queryIDs, toIDs } from "../../platform/http/validate.ts";
import type { StoredFile } from "./file.ts";
import { findFiles, getFile } from "./store.ts";
import { createOpener, maxChosen, zipDirectory, zipFiles } from "./zip.ts";

const tag = "Files";
const details =
  "Each file has the same bytes as a download of its `content`. A file that you may not download is replaced by a note.";
const response = { contentTypes: ["application/zip"], description: "The archive, created while it is sent" };

export function zipRoutes({ db, blobs, images }: { db: Reader; blobs: Blobs; images: Images }): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/files/:id/zip",
      name: "zipDirectory",
      openTo: ["directory"],
      tag,
      summary: "Download a directory as a zip archive",
      details,
      limit: "media",
      personal: true,
      granted: true,
      response,
      async handle({ params, viewer }) {
        const file = await getFile(db, viewer, params.id);
        if (!file.isDirectory) throw invalid(`"${file.name}" is a file: download its content instead.`, "id");
        return zipDirectory({ db, viewer, open: createOpener(blobs, images, viewer) }, file);
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/files/zip",
      name: "zipFiles",
      openTo: ["directory"],
      tag,
      summary: "Download chosen files and directories as a zip archive",
      details: `${details} A number is added to equal names.`,
      limit: "media",
      personal: true,
      query: z.object({
        ids: queryIDs(maxChosen).meta({ description: `Up to ${maxChosen} files and directories.` }),
      }),
      response,
      statuses: { 404: "There is no such file" },
      async handle({ query, viewer }) {
        const files = await getAll(viewer, toIDs(query.ids));
        return zipFiles({ db, viewer, open: createOpener(blobs, images, viewer) }, "files", inOneSlice(files));
      },
    }),
  ];

  async function getAll(viewer: Viewer, ids: number[]): Promise<StoredFile[]> {
    const found = await findFiles(db, viewer, ids);
    return ids.map((id) => {
      const file = found.get(id);
      if (!file) throw missing(`file ${id}`);
      return file;
    });
  }
}

async function* inOneSlice(files: StoredFile[]): AsyncGenerator<StoredFile[]> {
  yield files;
}
