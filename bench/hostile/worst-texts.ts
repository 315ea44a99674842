import type { OpenAPI } from "../../src/platform/http/openapi.ts";
import { fill, type TextParameter, textParametersOf } from "../../tests/kit/text-parameters.ts";
import { worstHeaders, worstStrings, type Writers } from "../../tests/kit/worst-strings.ts";
import { type Attempt, attempt, type Input, input } from "./input.ts";
import type { Site } from "./site.ts";

/**
 * The maximum size of a request: the runtime refuses more before the server sees it. In a URL, one byte may become
 * three.
 */
const maxBytes = { path: 5000, query: 5000, form: 60_000, body: 3_900_000, header: 15_000 };

/**
 * For each text parameter and header, all of the worst texts. `isQuick` leaves out ids in paths, which are all parsed
 * by the same code, and texts that have never been slow.
 */
export function worstTextInputs(document: OpenAPI, site: Site, isQuick: boolean): Input[] {
  const ids = {
    "/api/v1/photos": site.photoIDs[0] as number,
    "/api/v1/blog": site.post,
    "/api/v1/comments": site.comment,
    "/api/v1/albums": site.other,
    "/api/v1/files": site.shared,
  };
  const [texts, headers] = isQuick ? [choose(worstStrings), choose(worstHeaders)] : [worstStrings, worstHeaders];
  const isId = ({ isIn, field }: TextParameter) => isIn === "path" && field !== "path";
  const parameters = textParametersOf(document).filter((parameter) => !isQuick || !isId(parameter));
  return [...parameters.map((parameter) => ofParameter(parameter, texts, ids)), ...ofHeaders(headers, site)];
}

const slowBefore = new Set(["slashes", "combining marks", "one-letter words", "Han", "ligatures", "commas"]);

const choose = (all: Writers): Writers =>
  Object.fromEntries(Object.entries(all).filter(([name]) => slowBefore.has(name)));

function ofParameter(parameter: TextParameter, texts: Writers, ids: Record<string, number>): Input {
  const { isIn, longest } = parameter;
  return input(parameter.name, function* () {
    for (const [label, write] of Object.entries(texts)) {
      const whole = write(maxBytes[isIn]);
      // As long as the API accepts, and as long as a request may be.
      for (const text of longest ? [whole.slice(0, longest).toWellFormed(), whole] : [whole])
        yield ask(label, fill(parameter, text, ids));
    }
  });
}

function ofHeaders(texts: Writers, site: Site): Input[] {
  const content = `/api/v1/files/${site.shared}/content`;
  const tus = { "Tus-Resumable": "1.0.0", "Upload-Length": "1", "Upload-Metadata": "filename YQ==" };
  const targets: [method: string, path: string, headers: Record<string, string>, names: string[]][] = [
    [
      "GET",
      "/api/v1/photos",
      {},
      ["Accept", "Accept-Encoding", "Authorization", "If-None-Match", "X-Forwarded-For", "X-Request-Id"],
    ],
    ["GET", content, {}, ["Range", "If-Range"]],
    ["PUT", content, {}, ["If-Match"]],
    ["POST", "/api/v1/files", {}, ["Content-Type"]],
    ["POST", "/api/v1/uploads", tus, ["Upload-Metadata", "Upload-Checksum", "Upload-Length"]],
  ];
  const beginnings: Record<string, string> = {
    Authorization: "Bearer ",
    Range: "bytes=",
    "Upload-Checksum": "sha1 ",
    "Content-Type": "multipart/form-data; boundary=",
  };
  return targets.flatMap(([method, path, others, names]) =>
    names.map((name) =>
      input(`${method} ${path} header ${name}`, function* () {
        for (const [label, write] of Object.entries(texts)) {
          const headers = { ...others, [name]: (beginnings[name] ?? "") + write(maxBytes.header) };
          yield ask(label, { method, path, headers, body: method === "GET" ? null : "x" });
        }
      }),
    ),
  );
}

function ask(label: string, sent: Pick<Attempt, "method" | "path" | "headers" | "body">): Attempt {
  const isGuest = sent.headers.Authorization !== undefined;
  return { ...attempt(label, sent.method, sent.path), ...sent, isGuest };
}
