import { plain } from "../../platform/markup.ts";
import { type Api, type Operation, resolve } from "./api-document.ts";

/** The server address in the examples; the script of the page replaces it with its own. */
export const exampleOrigin = "http://localhost:8080";

/** A command that can be pasted into a shell; `$TOKEN` stands for the token. */
export function curlFor(api: Api, operation: Operation): string {
  const { method, needsToken, parameters, body, answers } = operation;
  const parts = [method === "GET" ? "curl" : `curl -X ${method}`, quote(exampleOrigin + exampleTarget(operation))];
  if (needsToken) parts.push('-H "Authorization: Bearer $TOKEN"');
  for (const { name, in: place, required, example } of parameters) {
    if (place === "header" && required) parts.push(`-H ${quote(`${name}: ${plain(example)}`)}`);
  }
  if (body?.contentType === "application/json") {
    parts.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body.example))}`);
  } else if (body?.schema.format === "binary") {
    parts.push(`-H ${quote(`Content-Type: ${body.contentType}`)}`, "--data-binary @harbour.jpg");
  } else if (body) {
    const { properties = {}, required = [] } = resolve(api, body.schema).schema;
    for (const [name, { format }] of Object.entries(properties)) {
      if (format === "binary") parts.push(`-F ${quote(`${name}=@harbour.jpg`)}`);
      else if (required.includes(name)) parts.push(`-F ${quote(`${name}=text`)}`);
    }
  }
  if (answers[0]?.content?.schema.format === "binary") parts.push("-o harbour.jpg");
  return parts.join(parts.length > 2 ? " \\\n  " : " ");
}

function exampleTarget({ path, parameters }: Operation): string {
  const target = parameters
    .filter(({ in: place }) => place === "path")
    .reduce((result, { name, example }) => result.replace(`{${name}}`, plain(example ?? 1)), path);
  const query = parameters
    .filter(({ in: place, required }) => place === "query" && required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(plain(example ?? 1))}`);
  return query.length > 0 ? `${target}?${query.join("&")}` : target;
}

function quote(text: string): string {
  if (/^[\w:/.=@-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
