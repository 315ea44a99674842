import { childCommand, childEnvironment } from "../own-command.ts";
import { readMemory, readProcessorTime } from "../process-usage.ts";
import { type Rendered, renderPlain } from "./rendered.ts";

/** How a text is rendered: each form needs less than the one before. */
type Form = "highlighted" | "unhighlighted" | "plain";
/** A text for the process. */
export type Requested = { text: string; form: Form };

/** The renderer without what is rendered in this process. */
type ProcessRenderer = { render(text: string): Promise<Rendered | null>; close(): void };

/** `isAlone`: it was given up with others, one of which has exceeded a limit. */
type Task = Requested & { isStarted: boolean; isAlone: boolean; resolve(rendered: Rendered | null): void };
type Child = { process: Bun.Subprocess; tasks: Task[] | null; idle: ReturnType<typeof setTimeout> | undefined };

type Limits = { processorMilliseconds: number; memoryBytes: number; waitingMilliseconds: number };
const usualLimits: Limits = { processorMilliseconds: 3000, memoryBytes: 2 ** 29, waitingMilliseconds: 5000 };

const maxWaiting = 100;
/** Texts that wait are sent together up to this many characters: each message costs more than rendering a short text. */
const charactersAtOnce = 20_000;
/** It has 40 MiB, so it does not stay for long; an author who looks at previews of a long text does not wait for a new one. */
const idleMilliseconds = 10_000;
/** How much of a text that could not even be rendered as plain text is shown. */
const longestHere = 20_000;
const lookEvery = process.platform === "linux" ? 50 : 500;

/** One process, which is started when there is work and ended when there is none. */
export function startProcessRenderer(limits: Limits = usualLimits): ProcessRenderer {
  const waiting: Task[] = [];
  let child: Child | null = null;
  let isClosed = false;

  function next(): void {
    const tasks = child?.tasks ? [] : takeSome();
    if (tasks.length === 0) return;
    child ??= begin();
    child.tasks = tasks;
    clearTimeout(child.idle);
    child.process.send(tasks.map(({ text, form }): Requested => ({ text, form })));
    void watch(child, tasks);
  }

  function takeSome(): Task[] {
    const tasks = waiting.splice(0, 1);
    let characters = tasks[0]?.text.length ?? 0;
    while (waiting[0] && !tasks[0]?.isAlone && !waiting[0].isAlone) {
      characters += waiting[0].text.length;
      if (characters > charactersAtOnce) break;
      tasks.push(...waiting.splice(0, 1));
    }
    for (const task of tasks) task.isStarted = true;
    return tasks;
  }

  function begin(): Child {
    const started: Child = { process: spawn(), tasks: null, idle: undefined };
    return started;

    function spawn(): Bun.Subprocess {
      const spawned = Bun.spawn(childCommand("renderer"), {
        env: childEnvironment,
        stdio: ["ignore", "ignore", "ignore"],
        serialization: "advanced",
        ipc: (results: Rendered[]) => settle(started, (_, index) => results[index] ?? null),
        // It crashed, or ran out of memory.
        onExit: () => giveUp(started),
      });
      spawned.unref();
      return spawned;
    }
  }

  /** The process is free again, unless it has ended. */
  function settle(used: Child, result: (task: Task, index: number) => Rendered | null): void {
    const tasks = used.tasks ?? [];
    if (used.process.exitCode !== null || used.process.signalCode !== null) end(used);
    else if (used === child) (used.idle = setTimeout(() => end(used), idleMilliseconds)).unref();
    used.tasks = null;
    for (const [index, task] of tasks.entries()) task.resolve(result(task, index));
    next();
  }

  /** One of several texts may have exceeded a limit: each is tried again alone. A single one is tried in a simpler form. */
  function giveUp(used: Child): void {
    const tasks = used.tasks ?? [];
    const isSingle = tasks.length === 1;
    if (!isClosed && !(isSingle && tasks[0]?.form === "plain")) {
      for (const task of tasks) {
        task.isAlone = true;
        if (isSingle) task.form = task.form === "highlighted" ? "unhighlighted" : "plain";
      }
      waiting.unshift(...tasks);
      used.tasks = null;
    }
    settle(used, ({ text }) => (isClosed ? null : renderPlain(text.slice(0, longestHere).toWellFormed())));
  }

  function end(used: Child): void {
    clearTimeout(used.idle);
    if (child === used) child = null;
    used.process.kill("SIGKILL");
  }

  /** Ends a process that exceeds a limit. The time in which it gets no processor does not count. */
  async function watch(used: Child, tasks: Task[]): Promise<void> {
    const { pid } = used.process;
    const started = performance.now();
    await Bun.sleep(lookEvery);
    // Most texts are rendered by now.
    if (used.tasks !== tasks) return;
    const processorBefore = (await readProcessorTime(pid)) ?? 0;
    while (used.tasks === tasks) {
      await Bun.sleep(lookEvery);
      const processorNow = await readProcessorTime(pid);
      const spent = processorNow === null ? performance.now() - started : processorNow - processorBefore;
      if (used.tasks !== tasks) return;
      if (spent <= limits.processorMilliseconds && readMemory(pid) <= limits.memoryBytes) continue;
      end(used);
      giveUp(used);
    }
  }

  return {
    render: (text) =>
      new Promise((resolve) => {
        if (isClosed || waiting.length >= maxWaiting) return resolve(null);
        const form = text.includes("```") || text.includes("~~~") ? "highlighted" : "unhighlighted";
        const task: Task = { text, form, isStarted: false, isAlone: false, resolve };
        waiting.push(task);
        next();
        if (task.isStarted) return;
        setTimeout(() => {
          if (task.isStarted || isClosed) return;
          waiting.splice(waiting.indexOf(task), 1);
          resolve(null);
        }, limits.waitingMilliseconds).unref();
      }),
    close() {
      isClosed = true;
      for (const task of waiting.splice(0)) task.resolve(null);
      if (child) end(child);
    },
  };
}
