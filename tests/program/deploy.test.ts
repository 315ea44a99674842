// Runs only with TEST_LONG: it builds or starts the whole program several times.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { version } from "../../src/platform/version.ts";
import { isLong } from "../kit/long.ts";
import { startVitrine } from "../kit/process.ts";
import { findProgram, needs } from "../kit/optional.ts";
import { useScratch } from "../kit/scratch.ts";
import { root } from "../kit/root.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const config = read("src/config.ts");
const isVariable = (name: string) => config.includes(`"${name}"`);
/** DRAIN_SECONDS, and the time that running requests may take. */
const stopSeconds = 5 + 11;

const scratch = useScratch();
const probe = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", tmpdir()];

/** Whether mount points can be made here, as by root on Linux, and not by root in a container. */
const canMount = findProgram("unshare") !== null && Bun.spawnSync(probe).exitCode === 0;
const { test: testWithMounts } = needs("mount points (root on Linux)", canMount);

describe("the Dockerfile", () => {
  (isLong ? testWithMounts : test.skip)(
    "has steps that make an image, which runs without rights, on a read-only root, and keeps its data in the volume",
    async () => {
      const script = Bun.spawn([process.execPath, join(root, "tests/program/run-dockerfile.ts")], { stderr: "pipe" });
      const [stderr, code] = await Promise.all([new Response(script.stderr).text(), script.exited]);
      expect([code, stderr]).toEqual([0, ""]);
    },
  );
});

describe("compose.yml", () => {
  const { services } = Bun.YAML.parse(read("compose.yml")) as any;

  test("sets variables that exist, leaves time for the end, and gives the container no rights", () => {
    const { environment, stop_grace_period, ...rest } = services.vitrine;
    expect(Object.keys(environment).filter((name) => !isVariable(name))).toEqual([]);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(stopSeconds);
    expect(rest).toMatchObject({ read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"], volumes: ["data:/data"] });
  });
});

describe("compose.test.yml", () => {
  const text = read("compose.test.yml");
  const { services } = Bun.YAML.parse(text) as any;

  test("has images with versions, health checks, and ports that only this machine reaches", () => {
    expect(Object.keys(services)).toEqual(["postgres", "valkey", "s3"]);
    for (const { image, healthcheck, ports } of Object.values<any>(services)) {
      expect(image).toMatch(/:v?\d/);
      expect(healthcheck).toBeObject();
      expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+:\d+$/)]);
    }
  });

  test("goes with the variables that tests/README.md says to export", () => {
    const exported = [...read("tests/README.md").matchAll(/^ *export (.*)$/gm)].flatMap(([, words = ""]) =>
      words.split(" ").map((word) => word.replaceAll("'", "").split(/=(.*)/s)),
    );
    const variables = Object.fromEntries(exported);
    const port = (name: string) => services[name].ports[0].split(":")[1];
    expect(new URL(variables.TEST_DATABASE_URL).port).toBe(port("postgres"));
    expect(new URL(variables.TEST_REDIS_URL).port).toBe(port("valkey"));
    expect(new URL(new URL(variables.TEST_S3_URL).searchParams.get("endpoint") ?? "").port).toBe(port("s3"));
    expect(services.s3.environment).toMatchObject({
      ROOT_ACCESS_KEY_ID: variables.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_ACCESS_KEY: variables.AWS_SECRET_ACCESS_KEY,
    });
  });
});

describe("deploy/vitrine.service", () => {
  const unit = read("deploy/vitrine.service");

  test("sets variables that exist, and leaves time for the end", () => {
    const names = [...unit.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(names).not.toBeEmpty();
    expect(names.filter((name) => !isVariable(name))).toEqual([]);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(stopSeconds);
  });
});

test("the program starts without the code of routes, pages and other engines, and without modules of the runtime that load slowly", async () => {
  const { sources, modules } = await findLoadedAtStart();
  expect(sources).toContain("src/content/photos/module.ts");
  const later = [
    "content/photos/routes.ts",
    "web/site/frame.tsx",
    "web/studio/pages.tsx",
    "web/api-page/docs.ts",
    "platform/database/postgres.ts",
  ];
  expect(later.filter((name) => sources.has(`src/${name}`))).toEqual([]);
  const slow = ["crypto", "http", "net", "readline", "stream", "tty", "util", "zlib"];
  expect(slow.filter((name) => modules.has(name) || modules.has(`node:${name}`))).toEqual([]);
});

describe.skipIf(!isLong)("the package that npm pack makes", () => {
  test("has all files that the program needs, and no tests", async () => {
    const run = async (command: string[], cwd: string) => {
      const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "ignore" });
      return [await new Response(child.stdout).text(), await child.exited];
    };
    const [packed] = await run(["npm", "pack", "--pack-destination", scratch], root);
    expect(packed).toEndWith(`vitrine-${version}.tgz\n`);
    const [files] = await run(["tar", "-tzf", `vitrine-${version}.tgz`], scratch);
    expect(files).toContain("package/src/main.ts\n");
    expect(files).toContain("package/dist/main.js\n");
    for (const beside of ["jsc", "map"]) expect(files).toContain(`package/dist/main.js.${beside}\n`);
    for (const part of ["api-page", "fonts", "site", "studio"])
      expect(files).toContain(`package/build/${part}/build.json\n`);
    expect(files).not.toContain("/browser/");
    // Only packages and images have it: in a clone, it would hide later changes of the sources.
    expect(existsSync(join(root, "dist"))).toBe(false);
    expect(files).not.toContain(".test.ts");
    await run(["tar", "-xzf", `vitrine-${version}.tgz`], scratch);
    // The packages that npm install would bring.
    symlinkSync(join(root, "node_modules"), join(scratch, "package/node_modules"));
    const vitrine = join(scratch, "package/bin/vitrine");
    expect(await run(["node", vitrine, "--version"], tmpdir())).toEqual([`${version}\n`, 0]);
    const [document, code] = await run(["node", vitrine, "openapi"], tmpdir());
    expect([JSON.parse(String(document)).info.version, code]).toEqual([version, 0]);
  });

  test("starts from its bytecode, and from its text if that does not fit", async () => {
    const installed = join(scratch, "package/dist");
    const [text, bytecode] = [join(installed, "main.js"), join(installed, "main.js.jsc")];
    const [source, code] = [readFileSync(text, "utf8"), readFileSync(bytecode)];
    expect(await printVersion(text)).toEqual([version, "hit"]);
    // A directory of the machine that made the package is not on this one.
    expect(source.includes(root)).toBe(false);
    // As another version of the runtime has it, and as a copy that was cut off.
    for (const unfit of [Buffer.concat([Buffer.from([~(code[0] ?? 0)]), code.subarray(1)]), code.subarray(0, 10_000)]) {
      writeFileSync(bytecode, unfit);
      expect(await printVersion(text)).toEqual([version, "miss"]);
    }
    // A text that was changed, with the bytecode of the earlier one.
    writeFileSync(bytecode, code);
    writeFileSync(text, source.replaceAll(`"${version}"`, `"${version.replaceAll(/\d/g, "9")}"`));
    expect(await printVersion(text)).toEqual(["9.9.9", "miss"]);
    writeFileSync(text, source);
  });

  test("names the sources in a stack trace", async () => {
    const broken = join(scratch, "broken.js");
    writeFileSync(broken, 'Bun.which = () => { throw new Error("Broken on purpose"); };');
    const program = join(scratch, "package/dist/main.js");
    const env = { ...process.env, DATA_DIR: join(scratch, "broken"), PORT: "0" };
    const child = Bun.spawn([process.execPath, "--preload", broken, program, "serve"], { env, stderr: "pipe" });
    expect(await new Response(child.stderr).text()).toMatch(/package\/src\/platform\/images\/decoder\.ts:\d+:\d+/);
  });

  test("has pages, which are loaded when they are requested", async () => {
    await using server = await startVitrine({ DATA_DIR: join(scratch, "data") }, join(scratch, "package/dist/main.js"));
    const paths = [
      "/livez",
      "/",
      "/signin",
      "/docs",
      "/assets/docs.js",
      "/studio/worker.js",
      "/api/v1/photos",
      "/nothing",
    ];
    const responses = await Promise.all(paths.map((path) => fetch(server.url + path)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 404]);
  });
});

/** What the program prints, and whether the runtime has found bytecode for it. */
async function printVersion(program: string): Promise<(string | undefined)[]> {
  const env = { ...process.env, BUN_JSC_verboseDiskCache: "1" };
  const child = Bun.spawn([process.execPath, program, "--version"], { env, stdout: "pipe", stderr: "pipe" });
  const [printed, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return [/^[\d.]+$/m.exec(printed)?.[0], /Cache (hit|miss)/.exec(printed + said)?.[1]];
}

/** What the program loads before it does anything: its own modules, and others. Here, the rest is in files of its own. */
async function findLoadedAtStart(): Promise<{ sources: Set<string>; modules: Set<string> }> {
  const external = ["sharp", "@node-rs/argon2", "libheif-js"];
  const entrypoints = [join(root, "src/main.ts")];
  const { outputs } = await Bun.build({ entrypoints, root, target: "bun", splitting: true, external });
  const read = async (file: Bun.BuildArtifact) => [basename(file.path), await file.text()] as const;
  const codes = new Map(await Promise.all(outputs.map(read)));
  const files = new Set(["main.js"]);
  const sources = new Set<string>();
  const modules = new Set<string>();
  for (const file of files) {
    const code = codes.get(file) ?? "";
    for (const [, source = ""] of code.matchAll(/^\/\/ (src\/\S+)$/gm)) sources.add(source);
    for (const { path, kind } of new Bun.Transpiler({ loader: "js" }).scanImports(code)) {
      if (kind !== "import-statement") continue;
      if (codes.has(basename(path))) files.add(basename(path));
      else modules.add(path);
    }
  }
  return { sources, modules };
}

describe("the workflow", () => {
  test("runs the test command on Linux x64 and arm64, and on macOS", () => {
    const { jobs } = Bun.YAML.parse(read(".github/workflows/test.yml")) as any;
    const { strategy, steps } = jobs.test;
    expect(strategy.matrix.os).toEqual([
      expect.stringMatching(/^ubuntu-[\d.]+$/),
      expect.stringMatching(/^ubuntu-[\d.]+-arm$/),
      expect.stringMatching(/^macos-\d+$/),
    ]);
    expect(steps.map(({ run = "" }) => run).filter((run: string) => run.endsWith("npm test"))).toHaveLength(2);
  });
});

describe("deploy/compose.scaling.yml", () => {
  const { services } = Bun.YAML.parse(read("deploy/compose.scaling.yml")) as any;

  test("every service is restarted, and waits until its dependencies are healthy", () => {
    for (const service of Object.values<any>(services)) {
      expect(service.restart).toBe("unless-stopped");
      for (const [name, { condition }] of Object.entries<any>(service.depends_on ?? {})) {
        expect([name, condition]).toEqual([name, "service_healthy"]);
        expect(services[name].healthcheck).toBeObject();
      }
    }
  });

  test("sets variables that exist, and allows enough time to stop", () => {
    const { environment, stop_grace_period } = services.vitrine;
    expect(Object.keys(environment).filter((name) => !isVariable(name))).toEqual([]);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(stopSeconds);
  });
});

describe("deploy/kubernetes.yml", () => {
  const [{ spec: deployment }] = Bun.YAML.parse(read("deploy/kubernetes.yml")) as any;
  const { terminationGracePeriodSeconds, containers } = deployment.template.spec;
  const [container] = containers;

  test("uses this version and sets variables that exist", () => {
    expect(container.image).toEndWith(`:${version}`);
    expect(container.env.filter(({ name }: any) => !isVariable(name))).toEqual([]);
  });

  test("allows enough time to stop, and for migrations at the start", () => {
    const preStop = Number(container.lifecycle.preStop.exec.command[1]);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(preStop + stopSeconds);
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(periodSeconds * failureThreshold).toBe(300);
  });
});
