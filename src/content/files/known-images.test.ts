import { expect, test } from "bun:test";
import { collectReads } from "../../platform/database/generations.ts";
import { toFile } from "./rows.ts";

test("what shows a file whose image is not read yet ends when any image is read", () => {
  const namesReadOf = (image_read_at: number | null) => {
    const names = new Set<string>();
    const row = { file_path: "/a.png", is_file_visible: 1, file_sha256: "x", file_name: "a.png", image_read_at };
    collectReads(names, () => toFile({ ...row, file_created_at: 0, file_updated_at: 0 } as never));
    return [...names];
  };
  expect(namesReadOf(null)).toEqual(["images"]);
  expect(namesReadOf(1)).toEqual([]);
});
