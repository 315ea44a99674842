import { expect, test } from "bun:test";
import { parseAccept } from "./accept.ts";

test("an Accept header is parsed into types and weights, and malformed parts are ignored", () => {
  const parsed = parseAccept('text/*;q=0.3, TEXT/HTML;level="1,2;\\"3";q=0.700, image/x-a+b, a/b/c, /, */*;q=0, q=1');
  expect(parsed).toEqual([
    { type: "text/*", weight: 0.3 },
    { type: "text/html", weight: 0.7 },
    { type: "image/x-a+b", weight: 1 },
    { type: "*/*", weight: 0 },
  ]);
  for (const malformed of ["", ",", ";q=1", 'a/b;c="', 'a/b;c="\\', 'a/b;c="d"e', "a/b;c", "a/b;q=1.001", "a b/c"])
    expect([malformed, parseAccept(malformed)]).toEqual([malformed, []]);
});

test("the cost of parsing an Accept header is linear in its length", () => {
  const cost = (header: string) => {
    const times = Array.from({ length: 5 }, () => {
      const started = process.cpuUsage();
      parseAccept(header);
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1000;
    });
    return Math.min(...times);
  };
  for (const part of ["image/avif;q=0.5,", '"', '"\\', ";", ",", " ", "a", "image/a;", "a=", '""', 'x/y;a="\\""'])
    // A quadratic cost would be a factor of 400.
    expect([part, cost(part.repeat(40_000)) / Math.max(0.1, cost(part.repeat(2_000))) < 120]).toEqual([part, true]);
});
