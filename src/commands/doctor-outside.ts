import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import tls from "node:tls";
import type { Config } from "../config.ts";
import { type Addresses, returnAlways } from "../platform/outgoing/begin-request.ts";
import { findAllowedAddresses, PostError } from "../platform/outgoing/post.ts";
import { error, type Finding, warning } from "./doctor-finding.ts";
import { UsageError } from "./command.ts";

const timeoutMs = 10_000;
const day = 86_400_000;
/** Certificates are renewed a month before, at the latest. */
const soonDays = 14;

/** Looks at the site as others reach it. Requests go where those of webhooks may go. */
export async function lookFromOutside(config: Config, address: string): Promise<Finding[]> {
  const url = URL.parse(address);
  if (!url || !["http:", "https:"].includes(url.protocol)) throw new UsageError(`--url needs an address: ${address}.`);
  const findings = compareAddresses(config, url);
  const where = url.origin;
  try {
    const addresses = await findAllowedAddresses(url, { allowPrivate: config.allowPrivateWebhooks });
    if (url.protocol === "https:") findings.push(...(await checkCertificate(url, addresses)));
    const status = await requestStatus(new URL("/livez", url), addresses);
    if (status !== 200) {
      const repair = "look at the proxy in front of the server";
      findings.push(error(where, `responds with ${status} to /livez, not with 200`, repair));
    }
  } catch (reason) {
    const what = reason instanceof PostError ? reason.message : `cannot be reached: ${describe(reason)}`;
    const repair = "look at the name, the proxy and the firewall; WEBHOOK_ALLOW_PRIVATE=true allows local addresses";
    findings.push(error(where, what, repair));
  }
  return findings;
}

const describe = (reason: unknown) => (reason as NodeJS.ErrnoException).code ?? (reason as Error).message;

function compareAddresses({ baseURL }: Config, { origin }: URL): Finding[] {
  if (baseURL === "" || new URL(baseURL).origin === origin) return [];
  return [warning("BASE_URL", `is ${baseURL}, and the site was looked at as ${origin}`, `set BASE_URL=${origin}`)];
}

/** Also of a certificate that is not valid. */
function checkCertificate({ hostname, port, origin }: URL, addresses: Addresses): Promise<Finding[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Finding[]>();
  const name = hostname.replace(/^\[|\]$/g, "");
  const socket = tls.connect({
    host: name,
    lookup: returnAlways(addresses),
    port: Number(port || 443),
    ...(isIP(name) ? {} : { servername: name }),
    rejectUnauthorized: false,
  });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error("no response")));
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("the connection was closed")));
  socket.on("secureConnect", () => {
    const certificate = socket.getPeerCertificate();
    const refusal = tls.checkServerIdentity(name, certificate)?.message ?? socket.authorizationError;
    resolve(describeCertificate(origin, Date.parse(certificate.valid_to), refusal ? String(refusal) : null));
    socket.destroy();
  });
  return promise;
}

function describeCertificate(origin: string, ends: number, refusal: string | null, now = Date.now()): Finding[] {
  const repair = "renew the certificate, and look at why that was not done by itself";
  const date = new Date(ends).toISOString().slice(0, 10);
  if (ends <= now) return [error(origin, `its certificate has expired on ${date}`, repair)];
  if (refusal) return [error(origin, `its certificate is refused: ${refusal}`, "use one that browsers accept")];
  return ends - now < soonDays * day ? [warning(origin, `its certificate expires on ${date}`, repair)] : [];
}

/** Whether the certificate is valid was said before. */
function requestStatus(url: URL, addresses: Addresses): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { request: send } = url.protocol === "https:" ? https : http;
  const signal = AbortSignal.timeout(timeoutMs);
  const request = send(url, { agent: false, lookup: returnAlways(addresses), rejectUnauthorized: false, signal });
  request.on("error", reject);
  request.on("response", (response) => {
    resolve(response.statusCode ?? 0);
    response.destroy();
  });
  request.end();
  return promise;
}
