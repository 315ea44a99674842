import { childCommand, childEnvironment } from "../own-command.ts";
import { readMemory, readProcessorTime } from "../process-usage.ts";
import { type Rendered, renderPlain } from "./rendered.ts";

/** How a text is rendered: each form needs less than the one before. */
type Form = "highlighted" | "unhighlighted" | "plain";
/** A text for the process. */
export type Requested = { text: string; form: Form };

/** The renderer without what is rendered in this process. */
type ProcessRenderer = { render(text: string, ownerID: number): Promise<Rendered | null>; close(): void };

/** `isAlone`: it was given up with others, one of which has exceeded a limit. */
type Task = Requested & {
  ownerID: number;
  isStarted: boolean;
  isAlone: boolean;
  resolve(rendered: Rendered | null): void;
};
/** The texts that a process has are all of one person. */
type Child = { process: Bun.Subprocess; tasks: Task[] | null; idle: ReturnType<typeof setTimeout> | undefined };

type Limits = { processorMilliseconds: number; memoryBytes: number; waitingMilliseconds: number };
const usualLimits: Limits = { processorMilliseconds: 3000, memoryBytes: 2 ** 29, waitingMilliseconds: 5000 };

/** The second one starts when somebody waits while the first one has a text of somebody else. */
const maxProcesses = 2;
const maxWaiting = { ofOne: 100, ofAll: 1000 };
/** Texts that wait are sent together up to this many characters: each message costs more than rendering a short text. */
const charactersAtOnce = 20_000;
/** It has 40 MiB, so it does not stay for long; an author who looks at previews of a long text does not wait for a new one. */
const idleMilliseconds = 10_000;
/** How much of a text that could not even be rendered as plain text is shown. */
const longestHere = 20_000;
const lookEvery = process.platform === "linux" ? 50 : 500;

/**
 * Processes that are started when there is work and ended when there is none. Each person has one of them at a time, so that
 * others do not wait for their texts, and then those whose turn is longer ago come first.
 */
export function startProcessRenderer(limits: Limits = usualLimits): ProcessRenderer {
  const waiting: Task[] = [];
  const children = new Set<Child>();
  let isClosed = false;

  function next(): void {
    for (;;) {
      const isFull = children.size >= maxProcesses && [...children].every(({ tasks }) => tasks);
      const tasks = isFull ? [] : takeSome();
      if (tasks.length === 0) return;
      const child = [...children].find((one) => !one.tasks) ?? begin();
      if (child) send(child, tasks);
      else for (const task of tasks) task.resolve(null);
    }
  }

  function send(child: Child, tasks: Task[]): void {
    child.tasks = tasks;
    clearTimeout(child.idle);
    child.process.send(tasks.map(({ text, form }): Requested => ({ text, form })));
    void watch(child, tasks);
  }

  /** Of somebody whose texts no process has. */
  function takeSome(): Task[] {
    const served = new Set([...children].map(({ tasks }) => tasks?.[0]?.ownerID));
    const first = waiting.find(({ ownerID }) => !served.has(ownerID));
    if (!first) return [];
    const tasks: Task[] = [];
    let characters = 0;
    for (const task of waiting.filter(({ ownerID }) => ownerID === first.ownerID)) {
      characters += task.text.length;
      if (task !== first && (characters > charactersAtOnce || first.isAlone || task.isAlone)) break;
      tasks.push(task);
    }
    for (const task of tasks) {
      waiting.splice(waiting.indexOf(task), 1);
      task.isStarted = true;
    }
    return tasks;
  }

  /** Null if the machine has no room for a process. */
  function begin(): Child | null {
    try {
      const started: Child = { process: spawn(() => started), tasks: null, idle: undefined };
      children.add(started);
      return started;
    } catch {
      return null;
    }
  }

  function spawn(started: () => Child): Bun.Subprocess {
    const spawned = Bun.spawn(childCommand("renderer"), {
      env: childEnvironment,
      stdio: ["ignore", "ignore", "ignore"],
      serialization: "advanced",
      ipc: (results: Rendered[]) => settle(started(), (_, index) => results[index] ?? null),
      // It crashed, or ran out of memory.
      onExit: () => giveUp(started()),
    });
    spawned.unref();
    return spawned;
  }

  /** The process is free again, unless it has ended. */
  function settle(used: Child, result: (task: Task, index: number) => Rendered | null): void {
    const tasks = used.tasks ?? [];
    if (used.process.exitCode !== null || used.process.signalCode !== null) end(used);
    else if (children.has(used)) (used.idle = setTimeout(() => end(used), idleMilliseconds)).unref();
    used.tasks = null;
    for (const [index, task] of tasks.entries()) task.resolve(result(task, index));
    const ofSame = Map.groupBy(waiting.splice(0), ({ ownerID }) => ownerID === tasks[0]?.ownerID);
    waiting.push(...(ofSame.get(false) ?? []), ...(ofSame.get(true) ?? []));
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
    children.delete(used);
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
    render: (text, ownerID) =>
      new Promise((resolve) => {
        const own = waiting.filter((task) => task.ownerID === ownerID).length;
        if (isClosed || own >= maxWaiting.ofOne || waiting.length >= maxWaiting.ofAll) return resolve(null);
        const form = text.includes("```") || text.includes("~~~") ? "highlighted" : "unhighlighted";
        const task: Task = { text, form, ownerID, isStarted: false, isAlone: false, resolve };
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
      for (const child of children) end(child);
    },
  };
}
