import { z } from "zod";
import type { StoredVersion } from "../../content/files/versions.ts";

export const versionSchema = z
  .object({
    id: z.int(),
    fileID: z.int(),
    size: z.int().meta({ description: "In bytes." }),
    contentType: z.string(),
    sha256: z.string(),
    url: z.string().meta({ description: "Where to download the version." }),
    createdAt: z.iso.datetime().meta({ description: "When this became the content of the file." }),
    replacedAt: z.iso.datetime().meta({ description: "When this content was replaced." }),
  })
  .meta({
    id: "Version",
    description: "An earlier version of the content of a file.",
    example: {
      id: 5,
      fileID: 3,
      size: 48213,
      contentType: "image/jpeg",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      url: "/api/v1/files/3/versions/5/content",
      createdAt: "2026-11-15T09:30:00.000Z",
      replacedAt: "2026-11-16T20:05:00.000Z",
    },
  });

type Version = z.output<typeof versionSchema>;

export function presentVersion({ createdAt, replacedAt, ...version }: StoredVersion): Version {
  return {
    ...version,
    url: `/api/v1/files/${version.fileID}/versions/${version.id}/content`,
    createdAt: new Date(createdAt).toISOString(),
    replacedAt: new Date(replacedAt).toISOString(),
  };
}
