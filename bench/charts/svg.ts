/** Colours follow the reader's colour scheme, also where the picture is embedded as a file. */
const style = `
    svg { color-scheme: light dark; font-family: system-ui, -apple-system, "Segoe UI", sans-serif; }
    .paper { fill: #ffffff; stroke: #d8dee4; }
    text { fill: #1f2328; font-size: 13px; }
    .title { font-size: 17px; font-weight: 600; }
    .muted { fill: #59636e; font-size: 12px; }
    .grid { stroke: #d8dee4; stroke-width: 1; }
    .fill { fill: #0969a2; }
    .line { stroke: #0969a2; stroke-width: 2; fill: none; }
    .other { fill: #8c959f; }
    .other-line { stroke: #8c959f; stroke-width: 2; fill: none; }
    .goal { stroke: #bc4c00; stroke-width: 2.5; }
    .goal-text { fill: #bc4c00; font-size: 12px; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; stroke: #30363d; }
      text { fill: #e6edf3; }
      .muted { fill: #9198a1; }
      .grid { stroke: #30363d; }
      .fill { fill: #58a6d6; }
      .line { stroke: #58a6d6; }
      .other { fill: #7d8590; }
      .other-line { stroke: #7d8590; }
      .goal { stroke: #f0883e; }
      .goal-text { fill: #f0883e; }
    }`;

export const width = 800;

/** `description` says in words what the picture shows, for those who cannot see it. */
export type Chart = {
  name: string;
  title: string;
  subtitle: string;
  description: string;
  height: number;
  parts: string[];
};

export function renderChart({ name, title, subtitle, description, height, parts }: Chart): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${name}-title ${name}-description">`,
    `  <title id="${name}-title">${escape(title)}</title>`,
    `  <desc id="${name}-description">${escape(description)}</desc>`,
    `  <style>${style}\n  </style>`,
    `  <rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" />`,
    `  ${text(24, 34, title, "title")}`,
    `  ${text(24, 56, subtitle, "muted")}`,
    ...parts.map((part) => `  ${part}`),
    "</svg>\n",
  ].join("\n");
}

export function text(x: number, y: number, words: string, kind = "", anchor = "start"): string {
  const attributes = [kind && ` class="${kind}"`, anchor !== "start" && ` text-anchor="${anchor}"`].filter(Boolean);
  return `<text x="${at(x)}" y="${at(y)}"${attributes.join("")}>${escape(words)}</text>`;
}

export function line(from: Point, to: Point, kind: string): string {
  return `<line class="${kind}" x1="${at(from.x)}" y1="${at(from.y)}" x2="${at(to.x)}" y2="${at(to.y)}" />`;
}

export function dot({ x, y }: Point, kind: string, radius = 4): string {
  return `<circle class="${kind}" cx="${at(x)}" cy="${at(y)}" r="${radius}" />`;
}

export function path(points: Point[], kind: string): string {
  const steps = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${at(x)} ${at(y)}`);
  return `<path class="${kind}" d="${steps.join(" ")}" />`;
}

export type Point = { x: number; y: number };

/** A position on the picture for each value. */
export type Scale = (value: number) => number;

function linear([least, most]: [number, number], [start, end]: [number, number]): Scale {
  return (value) => start + ((Math.min(Math.max(value, least), most) - least) / (most - least)) * (end - start);
}

export function logarithmic([least, most]: [number, number], range: [number, number]): Scale {
  const scale = linear([Math.log10(least), Math.log10(most)], range);
  return (value) => scale(Math.log10(value));
}

const at = (position: number) => Number(position.toFixed(1));
const escape = (words: string) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
