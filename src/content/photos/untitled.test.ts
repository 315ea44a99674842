import { expect, test } from "bun:test";
import { isFileName } from "./untitled.ts";

test("names of files are recognized in the forms that uploads and cameras give, and nothing else is", () => {
  for (const [name, title] of [
    ["summer_at-sea.png", "summer_at-sea.png"],
    ["summer_at-sea.png", "summer_at-sea"],
    ["summer_at-sea.png", "summer at-sea"],
    ["summer (1).png", "summer"],
    ["a.png", "DSC01234"],
    ["a.png", "PXL 20240512 143015123.MP"],
    ["a.png", "IMG-20240512-WA0001"],
    ["a.png", "20240512_143015"],
    ["a.png", "WhatsApp Image 2024-05-12 at 14.30.15"],
    ["a.png", "9C0FD2B8-6E4D-4F0D-9C6B-2A9F3B0E7C11"],
    [null, "DSC01234"],
  ] as const)
    expect([title, isFileName(title, name)]).toEqual([title, true]);
  for (const [name, title] of [
    ["summer.png", "Summer"],
    ["a.png", "Harbour at dusk"],
    ["a.png", "2024"],
    ["a.png", "Image of a harbour"],
    ["a.png", "P. and G. 1984"],
    [null, "summer"],
  ] as const)
    expect([title, isFileName(title, name)]).toEqual([title, false]);
});
