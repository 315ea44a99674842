/** What a person reads first. */
export const readme = `This folder is an export of a Vitrine site: everything that was in it, readable without Vitrine.

files/            The files, in the folders in which they were. Beside a picture or video lies a file that ends in .xmp:
                  its title, description, tags, date and place, as photo programs read them. A favourite has five stars.
posts/, pages/    The posts of the blog, and the pages: each is a folder with a Markdown text, which begins with its title,
                  date, tags and address. Pictures in it are links to files/.
albums/           Each album with its photos in their order, as a Markdown text with links to files/.
versions/         What files held before they were replaced, by the number of the file and of the version.
posters/          Pictures that were sent for videos, by the number of the photo.
guest-pictures/   Pictures that guests have sent by a link, and that nobody has approved yet.
trash/            What was deleted and could still be restored, by the number of the entry in data/trash.jsonl.
long-names/       Files whose names or paths are too long for some systems, by their number in data/files.jsonl.
data/             Everything that Vitrine knows, for programs: one JSON object on each line of each file. Texts of posts
                  are in it once more, as they were written. The documentation of Vitrine describes every field, in
                  docs/reference/export-fields.md.
SHA256SUMS        The checksum of every file: "sha256sum --check --quiet SHA256SUMS" tells whether all are as they were.
vitrine-export.json   When this was exported. If it is missing, or says "isComplete": false, the export was interrupted.

What is private is in it, too: keep it as safe as the site itself. There are no passwords in it.

Characters that some systems cannot have in names are written with a percent sign and two digits: %3A is a colon.
The names as they were are in data/files.jsonl.

To make the same site of it again, give this folder to "vitrine import" in a new site. In another site, its content is
added to what is there.
`;
