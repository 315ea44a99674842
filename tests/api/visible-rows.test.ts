import { describe, expect, test } from "bun:test";
import { type Sql, sql } from "../../src/platform/database/sql.ts";
import type { Viewer } from "../../src/platform/http/route.ts";
import { isVisibleOrGrantedTo, isVisibleTo, reachOf, thisTable } from "../../src/core/records/visibility.ts";

const member: Viewer = { id: 7, role: "author" };
const grant = { ownerID: 3, reach: { photo: reachOf(sql`SELECT 5`) }, allowDownload: true, showMetadata: true };
const guest: Viewer = { id: 0, role: "guest", grant };

const print = ({ text }: Sql) => text.join("?").replaceAll(/\s+/g, " ").replaceAll(" )", ")");

/** The type checker tests these: an error that is expected and missing is an error itself. */
const mistakes = () => [
  // @ts-expect-error It is not said which columns.
  isVisibleTo(member),
  // @ts-expect-error A name alone is not a prefix.
  isVisibleTo(member, "photos"),
  // @ts-expect-error It is not said which records a grant reaches.
  isVisibleOrGrantedTo(member, "photos."),
  // @ts-expect-error The kind is not a prefix.
  isVisibleOrGrantedTo(member, "photo", "photos."),
];

describe("the condition of visible rows", () => {
  test("is complete only with its columns, and with the kind where grants count", () => {
    expect(mistakes).toBeFunction();
  });

  test("may use an index on its own table, and none on a table that is joined", () => {
    expect(print(isVisibleTo(null, thisTable))).toBe("is_private = 0");
    expect(print(isVisibleTo(member, thisTable))).toBe("(is_private = 0 OR owner_id = ?)");
    expect(print(isVisibleTo(null, "photos."))).toBe("photos.is_private + 0 = 0");
    expect(print(isVisibleTo(member, "photos."))).toBe("(photos.is_private + 0 = 0 OR photos.owner_id + 0 = ?)");
  });

  test("opens what a grant reaches only where it is said that grants count, and only records of that kind", () => {
    const reached = "OR (photos.owner_id + 0 = ? AND photos.id IN (SELECT 5)))";
    expect(print(isVisibleOrGrantedTo(guest, "photos.", "photo"))).toBe(`(photos.is_private + 0 = 0 ${reached}`);
    expect(print(isVisibleOrGrantedTo(guest, "photos.", "album"))).toBe("(photos.is_private + 0 = 0)");
    expect(print(isVisibleTo(guest, "photos."))).toBe("(photos.is_private + 0 = 0)");
  });

  test("is the same text every time, by which a prepared statement is found", () => {
    for (const viewer of [null, member, guest]) {
      const text = () => isVisibleOrGrantedTo(viewer, "photos.", "photo").text;
      expect(text()).toBe(text());
    }
  });
});
