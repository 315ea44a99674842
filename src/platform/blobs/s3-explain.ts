import type { S3Options } from "./s3-options.ts";
import { textOf } from "./s3-xml.ts";

/** Amazon refuses requests whose time is further off. */
const maxSkewMs = 15 * 60_000;
const otherRegion =
  /^(AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect|IllegalLocationConstraintException)$/;

/** What a response that refuses access says. A response to HEAD has no body. */
export type Refusal = { status: number; headers: Headers; text: string };

/** Why the blob store refuses access, if that is a wrong clock or region; otherwise null. The end of a sentence. */
export function explainRefusal(refusal: Refusal, { bucket, region }: S3Options): string | null {
  const { status, headers, text } = refusal;
  const code = textOf(text, "Code");
  const skew = skewOf(headers);
  if (code === "RequestTimeTooSkewed" || (status === 403 && Math.abs(skew) > maxSkewMs)) return describeSkew(skew);
  const there = headers.get("x-amz-bucket-region") ?? textOf(text, "Region");
  const isElsewhere = there !== "" && there !== region;
  if (!otherRegion.test(code) && !(isElsewhere && status >= 300)) return null;
  if (isElsewhere) return `the bucket "${bucket}" is in the region "${there}", not in "${region}": set region=${there}`;
  const endpoint = textOf(text, "Endpoint");
  const advice = endpoint ? `, such as that of ${endpoint}` : "";
  return `the bucket "${bucket}" is not in the region "${region}": set the region of the bucket${advice}`;
}

/** How much the clock of this machine is ahead of that of the blob store; 0 if it is not known. */
function skewOf(headers: Headers): number {
  const there = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(there) ? 0 : Date.now() - there;
}

function describeSkew(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const difference = minutes > 0 ? `${minutes} minutes ${ms > 0 ? "fast" : "slow"}` : "wrong";
  return `the clock of this machine is ${difference} by the clock of the file storage: set it right`;
}
