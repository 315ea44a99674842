// Runs on the embedded engines only: what is seen from outside does not depend on the engines.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority, createSelfSigned } from "../kit/certificates.ts";
import { examine, type Report } from "../kit/doctor-kit.ts";
import { useScratch } from "../kit/scratch.ts";
import { startServer } from "../kit/server.ts";
import { freePort, runVitrine } from "../kit/process.ts";

const scratch = useScratch();
const env = { DATA_DIR: join(scratch, "data"), WEBHOOK_ALLOW_PRIVATE: "true" };
beforeAll(async () => (await startServer({ DATA_DIR: env.DATA_DIR })).close());

const day = 86_400_000;
const authority = createAuthority();
const trusted = join(scratch, "authority.pem");
beforeAll(() => writeFileSync(trusted, authority.cert));

/** A server that others reach as localhost. */
function serve(tls?: { cert: string; key: string }, status = 200) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls && { tls }),
    fetch: ({ url }) => new Response("", { status: new URL(url).pathname === "/livez" ? status : 404 }),
  });
  return {
    url: `${tls ? "https" : "http"}://localhost:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

type Seen = [code: number, findings: string[]];
const brief = ({ code, findings }: Pick<Report, "code" | "findings">): Seen => [
  code,
  findings.map(({ severity, what }) => `${severity}: ${what}`),
];
const look = async (url: string) => brief(await examine(env, { url }));

/** The same, by somebody who trusts the authority: a process reads that when it starts. */
async function lookTrusting(url: string, more: Record<string, string> = {}): Promise<Seen> {
  const words = ["doctor", "--json", "--url", url];
  const { code, stdout } = await runVitrine(words, { ...env, NODE_EXTRA_CA_CERTS: trusted, ...more });
  return brief({ code, ...JSON.parse(stdout) });
}

describe("the doctor looks at a site from outside, and", () => {
  test("finds nothing wrong with a valid certificate, but another address than BASE_URL", async () => {
    await using site = serve(authority.issue("localhost", { to: Date.now() + 15 * day }));
    const seen = [site.url, "https://photos.example.org"].map((BASE_URL) => lookTrusting(site.url, { BASE_URL }));
    expect(await Promise.all(seen)).toEqual([
      [0, []],
      [3, [`warning: is https://photos.example.org, and the site was looked at as ${site.url}`]],
    ]);
  });

  test("warns two weeks before a certificate expires, and finds one for another name", async () => {
    const soon = Date.now() + 13 * day;
    await using ending = serve(authority.issue("localhost", { to: soon }));
    await using other = serve(authority.issue("other.example.org"));
    expect(await Promise.all([lookTrusting(ending.url), lookTrusting(other.url)])).toEqual([
      [3, [`warning: its certificate expires on ${printDate(soon)}`]],
      [1, [expect.stringMatching(/^error: its certificate is refused: .*localhost.*other\.example\.org/)]],
    ]);
  });

  test("finds a certificate that has expired", async () => {
    const ended = Date.now() - day;
    await using site = serve(authority.issue("localhost", { to: ended }));
    expect(await look(site.url)).toEqual([1, [`error: its certificate has expired on ${printDate(ended)}`]]);
  });

  test("finds a certificate that nobody trusts", async () => {
    for (const certificate of [createSelfSigned("localhost"), authority.issue("localhost")]) {
      await using site = serve(certificate);
      expect(await look(site.url)).toEqual([
        1,
        [expect.stringMatching(/^error: its certificate is refused: [A-Z_]+$/)],
      ]);
    }
  });

  test("finds a proxy that does not reach the server, or is not there", async () => {
    await using broken = serve(undefined, 502);
    expect(await look(broken.url)).toEqual([1, ["error: responds with 502 to /livez, not with 200"]]);
    const unreachable: Seen = [1, [expect.stringMatching(/^error: cannot be reached: ./)]];
    expect(await look(`https://localhost:${await freePort()}`)).toEqual(unreachable);
    expect(await look(broken.url.replace("http:", "https:"))).toEqual(unreachable);
  });

  test("sends nothing to local networks, unless that is allowed", async () => {
    const { code, findings } = await examine({ DATA_DIR: env.DATA_DIR }, { url: "https://127.0.0.1:9" });
    expect([code, findings.map(({ what }) => what)]).toEqual([1, ["127.0.0.1 is not a public address."]]);
    expect(look("photos.example.org")).rejects.toThrow("--url needs an address");
  });
});

const printDate = (time: number) => new Date(time).toISOString().slice(0, 10);
