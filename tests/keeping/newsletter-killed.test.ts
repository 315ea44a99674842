// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: what survives a killed process is committed in the same way on all of them.
import { expect, test } from "bun:test";
import { password, signedIn } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { mailEnv, startMailServer } from "../kit/servers/mail-server.ts";
import { freePort, runVitrine, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";

const people = 60;
const scratch = useScratch();

test("a post that is being sent when the server is killed reaches everyone, and nobody twice", async () => {
  await using mailbox = await startMailServer();
  const port = await freePort();
  const own = { DATA_DIR: scratch, PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
  const env = { ...mailEnv(mailbox), ...own };
  await runVitrine(["user", "add", "ada", "--role", "admin", "--create"], env, `${password}\n`);
  const addresses = Array.from({ length: people }, (_, index) => `reader${index}@example.org`);
  let issue = "";
  for (const goal of [20, people]) {
    const server = await startVitrine(env);
    const ada = await signedIn(server, "ada");
    if (issue === "") {
      await ada.put("/api/v1/settings", { newsletter: true });
      const body = `email\n${addresses.join("\n")}`;
      await ada.request("POST", "/api/v1/newsletter/import", { body, headers: { "Content-Type": "text/csv" } });
      const { id } = (await ada.post("/api/v1/blog", { title: "Once", content: "Text" })).body;
      issue = `/api/v1/newsletter/posts/${id}`;
      await ada.put(issue);
    }
    if (goal < people) {
      while (mailbox.mails.length < goal) await Bun.sleep(1);
      server.process.kill("SIGKILL");
      await server.process.exited;
      continue;
    }
    await until(
      () => ada.get(issue),
      ({ body }) => body.state === "sent",
    );
    const { sent, failed } = (await ada.get(issue)).body;
    const reached = mailbox.mails.map(({ to }) => to);
    expect(new Set(reached).size).toBe(reached.length);
    // A mail that was on its way when the process ended may have arrived: it is not sent again.
    expect([sent + failed, failed <= 4]).toEqual([people, true]);
    expect(addresses.filter((address) => !reached.includes(address)).length).toBeLessThanOrEqual(failed);
    await server.close();
  }
});
