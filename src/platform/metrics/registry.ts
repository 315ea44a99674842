type Labels = Record<string, string>;

/** A number that only grows: `counter.value++`. */
export type Counter = { value: number };
export type Histogram = { observe(value: number): void };

/** The same labels always return the same counter or histogram. Code that counts often should keep it. */
export type Registry = {
  counter(name: string, help: string): (labels?: Labels) => Counter;
  histogram(name: string, help: string, bounds: readonly number[]): (labels?: Labels) => Histogram;
  /** `read` is called whenever the metrics are read. A gauge whose name ends in `_total` is shown as a counter. */
  gauge(name: string, help: string): (read: () => number, labels?: Labels) => void;
  /** All metrics in the text format of Prometheus. */
  print(): string;
};

export const contentType = "text/plain; version=0.0.4";

type Member<Kind> = { member: Kind; print: (labels: string) => string };

/** Counting is cheap: metrics are plain numbers, and text is generated only when they are read. */
export function createRegistry(): Registry {
  const families: (() => string)[] = [];

  function addFamily<Kind>(name: string, type: string, help: string) {
    const members = new Map<string, Member<Kind>>();
    families.push(() => {
      const lines = [...members].map(([labels, { print }]) => print(labels));
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    });
    return (labels: Labels, create: () => Member<Kind>): Kind => {
      const key = printLabels(labels);
      const found = members.get(key) ?? create();
      members.set(key, found);
      return found.member;
    };
  }

  return {
    counter(name, help) {
      const find = addFamily<Counter>(name, "counter", help);
      return (labels = {}) => find(labels, () => createCounter(name));
    },
    histogram(name, help, bounds) {
      const find = addFamily<Histogram>(name, "histogram", help);
      return (labels = {}) => find(labels, () => createHistogram(name, bounds));
    },
    gauge(name, help) {
      const find = addFamily<null>(name, name.endsWith("_total") ? "counter" : "gauge", help);
      return (read, labels = {}) => {
        find(labels, () => ({ member: null, print: (text) => printLine(name, text, read()) }));
      };
    },
    print: () => families.map((print) => print()).join(""),
  };
}

function createCounter(name: string): Member<Counter> {
  const member = { value: 0 };
  return { member, print: (labels) => printLine(name, labels, member.value) };
}

function createHistogram(name: string, bounds: readonly number[]): Member<Histogram> {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    member: {
      observe(value) {
        let bucket = 0;
        while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
        (counts[bucket] as number)++;
        sum += value;
      },
    },
    print(labels) {
      // A bucket includes all smaller ones.
      let total = 0;
      const buckets = [...counts].map((count, index) => {
        const bound = `le="${bounds[index] ?? "+Inf"}"`;
        total += count;
        return printLine(`${name}_bucket`, labels ? `${labels},${bound}` : bound, total);
      });
      return [...buckets, printLine(`${name}_sum`, labels, sum), printLine(`${name}_count`, labels, total)].join("");
    },
  };
}

const printLine = (name: string, labels: string, value: number) => `${name}${labels && `{${labels}}`} ${value}\n`;

/** Backslashes, quotes and line breaks are escaped as in JSON. */
const printLabels = (labels: Labels) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(",");
