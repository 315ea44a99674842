import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const context = fileURLToPath(new URL("../../", import.meta.url));

export type Image = {
  /** The directory that becomes the root of the file system. */
  root: string;
  directory: string;
  env: Record<string, string>;
  user: string;
  volume: string;
  healthcheck: string[];
  command: string[];
  stopSignal: NodeJS.Signals;
};

/**
 * Runs the steps of the Dockerfile as root and returns the last stage. Every stage begins with the file system of this machine
 * instead of its base image; changes are kept in `scratch`. Without `install`, the packages in node_modules are copied instead
 * of running npm ci, which needs the network.
 */
export function buildImage(scratch: string, install: boolean): Image {
  const stages = new Map<string, Image>();
  const isIgnored = readIgnored(readFileSync(join(context, ".dockerignore"), "utf8"));
  let image: Image | undefined;
  for (const { name, text } of parse(readFileSync(join(context, "Dockerfile"), "utf8"))) {
    if (name === "FROM") {
      image = startStage(join(scratch, `stage-${stages.size}`));
      stages.set(/ AS (\w+)$/.exec(text)?.[1] ?? "", image);
      continue;
    }
    if (!image) throw new Error(`${name} stands before FROM.`);
    if (name === "WORKDIR") mkdirSync(join(image.root, (image.directory = text)));
    else if (name === "COPY") copy(image, text, stages, isIgnored);
    else if (name === "RUN" && text.startsWith("npm ci ") && !install) copyPackages(image);
    else if (name === "RUN") runStep(image, text);
    else describe(image, name, text);
  }
  if (!image) throw new Error("The Dockerfile has no FROM.");
  return image;
}

/** Runs a program, and throws with its output when it fails. */
export function runOrThrow(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  if (exitCode === 0) return stdout.toString();
  throw new Error(`${command.join(" ")} failed with ${exitCode}: ${stdout.toString()}${stderr.toString()}`);
}

function parse(dockerfile: string): { name: string; text: string }[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => {
    const [, name, text] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (!name || !text) throw new Error(`The Dockerfile has a line that is not understood: ${line}`);
    return { name, text };
  });
}

function startStage(directory: string): Image {
  const [root, upper, work] = ["root", "upper", "work"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [root, upper, work]) mkdirSync(path, { recursive: true });
  runOrThrow("mount", "-t", "overlay", "overlay", "-o", `lowerdir=/,upperdir=${upper},workdir=${work}`, root);
  for (const path of ["/proc", "/dev"]) runOrThrow("mount", "--rbind", path, join(root, path));
  // Container engines mount these over the files of the image, and so may this machine.
  for (const path of ["/etc/resolv.conf", "/etc/hosts"]) if (existsSync(path)) cpSync(path, join(root, path));
  for (const path of ["/app", "/data"]) if (existsSync(path)) throw new Error(`This machine has a directory ${path}.`);
  const nothing = { env: {}, user: "root", volume: "", healthcheck: [], command: [], stopSignal: "SIGTERM" as const };
  return { root, directory: "/", ...nothing };
}

/** Directories are copied without their own name, as by Docker. */
function copy(image: Image, text: string, stages: Map<string, Image>, isIgnored: (path: string) => boolean): void {
  const [, from, list = ""] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? [];
  const sources = list.split(" ");
  const destination = sources.pop() ?? "";
  const target = join(image.root, resolve(image.directory, destination));
  const stage = from ? stages.get(from) : undefined;
  if (from && !stage) throw new Error(`COPY names a stage that does not exist: ${from}`);
  for (const source of sources) {
    if (stage) {
      mkdirSync(target, { recursive: true });
      runOrThrow("cp", "--archive", `${join(stage.root, source)}/.`, target);
      continue;
    }
    if (isIgnored(source)) throw new Error(`.dockerignore leaves out ${source}, which the Dockerfile copies.`);
    const path = join(context, source);
    const filter = (file: string) => !isIgnored(relative(context, file));
    const isInside = !statSync(path).isDirectory() && destination.endsWith("/");
    cpSync(path, isInside ? join(target, basename(source)) : target, { recursive: true, filter });
  }
}

/** The last pattern that matches a path, or a directory above it, decides. */
function readIgnored(text: string): (path: string) => boolean {
  const rules = text
    .trim()
    .split("\n")
    .map((line) => ({
      glob: new Bun.Glob(line.replace(/^!/, "")),
      ignores: !line.startsWith("!"),
    }));
  return (path) => {
    const steps = path.split("/");
    const prefixes = steps.map((_, index) => steps.slice(0, index + 1).join("/"));
    return rules.findLast(({ glob }) => prefixes.some((prefix) => glob.match(prefix)))?.ignores ?? false;
  };
}

/** What npm ci installs. */
function copyPackages(image: Image): void {
  const target = join(image.root, image.directory, "node_modules");
  mkdirSync(target);
  runOrThrow("cp", "--archive", `${join(context, "node_modules")}/.`, target);
}

function runStep(image: Image, text: string): void {
  const script = `cd ${image.directory} && ${text}`;
  runOrThrow("chroot", image.root, "env", ...toWords(image.env), "sh", "-c", script);
}

/** Instructions that only describe how the image runs. */
function describe(image: Image, name: string, text: string): void {
  const parsed = (list: string) => JSON.parse(list) as string[];
  if (name === "ENV") Object.assign(image.env, Object.fromEntries(text.split(" ").map((pair) => pair.split("="))));
  else if (name === "USER") image.user = text;
  else if (name === "VOLUME") image.volume = text;
  else if (name === "HEALTHCHECK") image.healthcheck = parsed(text.replace(/^.*? CMD /, ""));
  else if (name === "ENTRYPOINT") image.command = parsed(text);
  else if (name === "CMD") image.command = [...image.command, ...parsed(text)];
  else if (name === "STOPSIGNAL") image.stopSignal = text as NodeJS.Signals;
  else if (name !== "EXPOSE") throw new Error(`The Dockerfile has an instruction that is not understood: ${name}`);
}

export function toWords(env: Record<string, string>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}
