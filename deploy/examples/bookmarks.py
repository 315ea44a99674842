#!/usr/bin/env python3
"""Bookmarks in a CSV file (url,title,note,tags,added,picture) as the lines of an import of Vitrine.

    python3 bookmarks.py bookmarks.csv | vitrine import - --files FOLDER_OF_PICTURES
"""
import csv
import json
import os
import sys
from urllib.parse import quote


def write(**line):
    print(json.dumps(line, ensure_ascii=False))


def read(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def main(path):
    rows = read(path)
    write(kind="source", version=1, program="bookmarks", name=f"Bookmarks: {os.path.basename(path)}", directory="Bookmarks")
    pictures = sorted({row["picture"] for row in rows if row.get("picture")})
    write(kind="total", items=len(rows) + len(pictures))
    for picture in pictures:
        names = picture.split("/")
        write(kind="file", key=picture, path=names, bytes={"path": names}, photo={"altText": "A picture of a bookmark"})
    for number, row in enumerate(rows, 1):
        url, title = (row.get("url") or "").strip(), (row.get("title") or "").strip()
        if not url.startswith(("http://", "https://")):
            write(kind="refused", key=title or f"row {number}", reason="It has no address.")
            continue
        parts = [f"<{url}>", row.get("note") or ""]
        if row.get("picture"):
            parts.append(f"![](import:{quote(row['picture'], safe='')})")
        added = row.get("added") or None
        write(
            kind="post",
            key=url,
            title=title or url,
            content="\n\n".join(part for part in parts if part),
            tags=(row.get("tags") or "").split(),
            publishedAt=f"{added}T00:00:00Z" if added else None,
            cover=row.get("picture") or None,
        )
    write(kind="end")


main(sys.argv[1])
