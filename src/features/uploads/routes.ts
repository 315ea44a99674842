import { z } from "zod";
import { invalid, Problem } from "../../platform/errors.ts";
import { presentFile } from "../../content/files/file.ts";
import { findFile } from "../../content/files/store.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type Caller, type Header, type Route, route } from "../../platform/http/route.ts";
import { checkQuota, type StorageLimits } from "../../core/storage/quota.ts";
import { readTarget } from "./finish.ts";
import { checkVersion, isPart, partType, readChecksum, readNumber, wrongOffset } from "./protocol.ts";
import type { Receiver } from "./receive.ts";
import {
  countUnfinished,
  getUpload,
  insertUpload,
  listUnfinished,
  lockUpload,
  noUpload,
  type StoredUpload,
} from "./store.ts";
import { maxParts, maxUnfinished, type Upload, uploadSchema } from "./upload.ts";

const tag = "Uploads";
export const uploadsPath = "/api/v1/uploads";
const onePath = `${uploadsPath}/:id` as const;
const openTo = ["directory"] as const;

const versionHeader: Record<string, Header> = {
  "Tus-Resumable": { description: "The version of the protocol.", example: "1.0.0", required: true },
};
const versionStatus = "`Tus-Resumable` is not 1.0.0";
const checksumHeader: Record<string, Header> = {
  "Upload-Checksum": {
    description: "The checksum of the body: sha1, sha256 or md5, a space, and the checksum in Base64.",
    example: "sha1 C+7Hteo/D9vJXQ3UfzxbwnXaijM=",
  },
};

const progressNames = ["Upload-Offset", "Upload-Length", "Upload-Expires", "Upload-File-ID"] as const;

export function uploadRoutes(db: Database, receiver: Receiver, limits: StorageLimits): Route[] {
  const maxBytes = limits.maxUploadBytes;
  return [
    route({
      method: "POST",
      path: uploadsPath,
      name: "createUpload",
      openTo,
      isOfProtocol: true,
      noIdempotency: "upload",
      tag,
      summary: "Start a resumable upload",
      details:
        "Implements the tus protocol, version 1.0.0. With `Content-Type: application/offset+octet-stream`, the body is the first part. Send the following parts to the URL in the `Location` header of the response.",
      role: "author",
      scope: ["files:write", "photos:write"],
      headers: {
        ...versionHeader,
        "Upload-Length": { description: "The size of the file in bytes.", example: "48213", required: true },
        "Upload-Metadata": {
          description:
            "Keys with Base64 values: `filename`, and optionally `path`, `onConflict` and `visibility` as in the form of `POST /api/v1/files`.",
          example: "filename aGFyYm91ci5qcGc=,path LzIwMjY=",
          required: true,
        },
        ...checksumHeader,
      },
      status: 201,
      response: uploadSchema,
      responseHeaders: progressNames,
      statuses: {
        404: "The path leads to what you may not see",
        409: "Another request sends a part of the same upload",
        412: versionStatus,
        413: "The file is larger than the server accepts",
        460: "The body does not match the checksum",
      },
      async handle({ caller, exchange }) {
        const { headers } = exchange.request;
        checkVersion(exchange.request);
        const length = readNumber(headers, "Upload-Length");
        const metadata = headers.get("upload-metadata") ?? "";
        const checksum = readChecksum(headers);
        await readTarget(db, caller, metadata);
        if (length > maxBytes) throw new Problem("oversized", `The file is larger than ${maxBytes} bytes.`);
        const created = await db.transaction(async (tx) => {
          await tx.lock(`uploads of ${caller.id}`);
          if ((await countUnfinished(tx, caller.id)) >= maxUnfinished) {
            throw invalid(`You have ${maxUnfinished} unfinished uploads: finish or cancel some first.`);
          }
          await checkQuota(tx, { ownerID: caller.id, quotaBytes: limits.quotaBytes }, { moreBytes: length });
          return insertUpload(tx, { ownerID: caller.id, length, metadata });
        });
        try {
          const hasPart = isPart(headers) || length === 0;
          const part = { checksum, isResumable: false };
          const upload = hasPart ? await receiver.receive(exchange, caller, created, part) : created;
          return { body: await toObject(upload, caller), headers: progressHeaders(upload) };
        } catch (error) {
          // The client does not know the URL of the upload and cannot resume it.
          await receiver.cancel(created.id);
          throw error;
        }
      },
    }),

    route({
      method: "GET",
      path: uploadsPath,
      name: "listUploads",
      openTo,
      isOfProtocol: true,
      tag,
      summary: "List your unfinished uploads, oldest first",
      details:
        "Each upload counts towards your quota with its full `length` until it is finished, cancelled or expired.",
      role: "author",
      response: z.array(uploadSchema),
      async handle({ caller }) {
        const uploads = await listUnfinished(db, caller.id);
        const isListed = await Promise.all(uploads.map((upload) => isReached(caller, upload)));
        return Promise.all(uploads.filter((_, index) => isListed[index]).map((upload) => toObject(upload, caller)));
      },
    }),

    route({
      method: "GET",
      path: onePath,
      name: "readUpload",
      openTo,
      isOfProtocol: true,
      tag,
      summary: "Read the progress of an upload",
      details:
        "tus clients send `HEAD` and resume from the returned `Upload-Offset`. Once the upload is finished, `Upload-File-ID` is the id of the file.",
      limit: "media",
      role: "author",
      find: ({ id }, caller) => getReached(caller, id),
      response: uploadSchema,
      responseHeaders: [...progressNames, "Upload-Metadata"],
      statuses: { 412: versionStatus },
      async handle({ record, caller, exchange }) {
        checkVersion(exchange.request);
        const isResumed = exchange.request.method === "HEAD";
        const upload = isResumed ? await receiver.resume(exchange, caller, record.id) : record;
        const headers = { ...progressHeaders(upload), "Upload-Metadata": upload.metadata };
        return { body: await toObject(upload, caller), headers };
      },
    }),

    route({
      method: "PATCH",
      path: onePath,
      name: "appendToUpload",
      openTo,
      isOfProtocol: true,
      tag,
      summary: "Send the next part of an upload",
      details:
        "The last part creates the file; its id is in `Upload-File-ID`. If the connection breaks, the bytes received so far are kept, unless the part has a checksum.",
      limit: "media",
      role: "author",
      scope: ["files:write", "photos:write"],
      headers: {
        ...versionHeader,
        "Upload-Offset": {
          description: "The number of bytes received so far, where this part begins.",
          example: "0",
          required: true,
        },
        ...checksumHeader,
      },
      find: ({ id }, caller) => getReached(caller, id),
      current: lockObject,
      bytes: partType,
      status: 204,
      response: {
        contentTypes: [],
        description: "The part was stored; `Upload-Offset` is where the next part begins.",
      },
      responseHeaders: progressNames,
      statuses: {
        409: "`Upload-Offset` is wrong, or another part of the upload is being received",
        412: versionStatus,
        413: "The part is longer than the rest of the upload",
        415: `\`Content-Type\` is not ${partType}`,
        460: "The body does not match the checksum",
      },
      async handle({ record, caller, exchange, transaction }) {
        const { headers } = exchange.request;
        checkVersion(exchange.request);
        if (!isPart(headers)) throw new Problem("unsupported", `A part must have Content-Type: ${partType}.`);
        const checksum = readChecksum(headers);
        if (readNumber(headers, "Upload-Offset") !== record.offset) throw wrongOffset(record);
        if (record.parts >= maxParts)
          throw invalid(`The upload has reached the limit of ${maxParts} parts: start again with larger parts.`);
        // A part that arrives after this comparison changes the offset, which is compared when this part is stored.
        if (headers.has("if-match")) await transaction(async () => {});
        const upload = await receiver.receive(exchange, caller, record, { checksum, isResumable: true });
        return { body: null, headers: progressHeaders(upload) };
      },
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "deleteUpload",
      openTo,
      isOfProtocol: true,
      tag,
      summary: "Cancel an upload",
      details: "If the upload is finished, its file is kept.",
      role: "author",
      scope: ["files:write", "photos:write"],
      headers: versionHeader,
      find: ({ id }, caller) => getReached(caller, id),
      current: lockObject,
      status: 204,
      response: { contentTypes: [], description: "The upload was cancelled." },
      statuses: { 412: versionStatus },
      async handle({ record, exchange, transaction }) {
        checkVersion(exchange.request);
        await receiver.cancel(record.id, transaction);
        return { body: null, headers: {} };
      },
    }),
  ];

  async function getReached(caller: Caller, id: number): Promise<StoredUpload> {
    const upload = await getUpload(db, caller, id);
    if (!(await isReached(caller, upload))) throw noUpload(id);
    return upload;
  }

  /** A key with a limit knows only the uploads whose files are, or will be, within it. */
  async function isReached(caller: Caller, { fileID, metadata }: StoredUpload): Promise<boolean> {
    if (!caller.limit) return true;
    if (fileID !== null) return (await findFile(db, caller, fileID)) !== null;
    return readTarget(db, caller, metadata).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Problem) return false;
        throw error;
      },
    );
  }

  async function lockObject(tx: Queries, caller: Caller, { id }: { id: number }): Promise<Upload> {
    return toObject(await lockUpload(tx, id), caller, tx);
  }

  async function toObject(
    { id, length, offset, fileID, ownerID, ...upload }: StoredUpload,
    caller: Caller,
    reader: Reader = db,
  ): Promise<Upload> {
    const file = fileID === null ? null : await findFile(reader, caller, fileID);
    return {
      id,
      length,
      offset,
      file: file && presentFile(file, caller),
      ownerID,
      createdAt: new Date(upload.createdAt).toISOString(),
      expiresAt: new Date(upload.expiresAt).toISOString(),
    };
  }
}

const progressHeaders = ({ offset, length, expiresAt, fileID }: StoredUpload) => ({
  "Upload-Offset": String(offset),
  "Upload-Length": String(length),
  "Upload-Expires": new Date(expiresAt).toUTCString(),
  ...(fileID !== null && { "Upload-File-ID": String(fileID) }),
});
