// Runs on the embedded engines only: it starts no server.
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readVideoFile } from "../../../tests/kit/files/videos.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { Problem } from "../errors.ts";
import { createFrameReader } from "./video-frame.ts";
import { UnreadableImage } from "./unreadable.ts";
import { until } from "../../../tests/kit/until.ts";

const directory = useScratch();

// A shell would run a part of this name.
const video = join(directory, 'a "video"; $(exit 1) & `exit 2` *');
beforeAll(() => writeFileSync(video, readVideoFile("plain.mp4")));
const notes = join(directory, "notes");

/** A program that takes the place of ffmpeg. */
function program(name: string, ...lines: string[]): string {
  const path = join(directory, name);
  writeFileSync(path, ["#!/bin/sh", ...lines].join("\n"));
  chmodSync(path, 0o700);
  return path;
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("a frame of a video", () => {
  test("is read from one local file, in the format that was recognized, and without the network", async () => {
    const path = program("records", `printf '%s\\n' "$@" >${notes}`, "env >>" + notes, "printf picture");
    const bytes = await createFrameReader(path).read(video, 60_000);
    expect(Buffer.from(bytes).toString()).toBe("picture");
    const [...words] = readFileSync(notes, "utf8").split("\n");
    const after = (word: string) => words[words.indexOf(word) + 1];
    expect([after("-protocol_whitelist"), after("-f"), after("-i")]).toEqual(["file", "mov", `file:${video}`]);
    expect([after("-ss"), after("-t"), after("-threads")]).toEqual(["6.000", "5", "1"]);
    // It does not see our environment.
    expect(words.filter((word) => /^(AWS|TEST|HOME|DATABASE)/.test(word))).toEqual([]);
  });

  test("of a black video is its first frame", async () => {
    const path = program("black", 'case "$*" in *signalstats*) exit 0;; esac', "printf first");
    expect(Buffer.from(await createFrameReader(path).read(video, 1000)).toString()).toBe("first");
  });

  test.each([
    ["fails", ["exit 1"]],
    ["writes nothing", ["exit 0"]],
    ["crashes", ["kill -SEGV $$"]],
    ["takes too long", ["exec sleep 60"]],
    ["takes too much of the processor", ["while :; do :; done"]],
    ["writes without end", ["while :; do printf '%01000d' 0; done"]],
  ])("is missing for good if the program %s", async (name, lines) => {
    const isSlow = name === "takes too long";
    const limits = { processorSeconds: 1, elapsedMilliseconds: isSlow ? 300 : 30_000, maxBytes: 100_000 };
    const error = await failure(createFrameReader(program("bad", ...lines), limits).read(video, 1000));
    expect(error).toBeInstanceOf(UnreadableImage);
  });

  test("is missing for good if there is no program, or if the file is no video", async () => {
    expect(await failure(createFrameReader(null).read(video, 1000))).toBeInstanceOf(UnreadableImage);
    const picture = join(directory, "picture");
    writeFileSync(picture, png(2, 2));
    const path = program("never", `echo started >${notes}-never`, "printf picture");
    expect(await failure(createFrameReader(path).read(picture, 1000))).toBeInstanceOf(UnreadableImage);
    expect(() => readFileSync(`${notes}-never`)).toThrow();
  });

  test("can be read again later if the program was killed from outside, or the server stops", async () => {
    const killed = await failure(createFrameReader(program("killed", "kill -TERM $$")).read(video, 1000));
    expect((killed as Problem).code).toBe("busy");
    const reader = createFrameReader(program("waits", `echo $$ >${notes}-pid`, "exec sleep 60"));
    const reading = [failure(reader.read(video, 1000)), failure(reader.read(video, 1000))];
    await until(() => Bun.file(`${notes}-pid`).exists());
    reader.close();
    for (const error of await Promise.all(reading)) expect((error as Problem).code).toBe("busy");
  });

  test("is read while no other one is", async () => {
    const log = `${notes}-turns`;
    const reader = createFrameReader(
      program("turns", `echo begin >>${log}`, "sleep 0.05", `echo end >>${log}`, "printf x"),
    );
    await Promise.all([1, 2, 3].map(() => reader.read(video, 1000)));
    expect(readFileSync(log, "utf8").trim().split("\n")).toEqual(["begin", "end", "begin", "end", "begin", "end"]);
  });
});
