import type { Mutation } from "./mutation.ts";

/** What an import brings along is what the source has, and what it leaves out has a line. */
export const faithful: Mutation[] = [
  {
    breaks: "a place that was corrected in Google Photos is ignored",
    file: "convert/sources/takeout.ts",
    from: "[photo.geoData, photo.geoDataExif]",
    to: "[photo.geoDataExif, photo.geoData]",
    test: "convert/sources/takeout.test.ts",
    title: "a place that was corrected in Google Photos wins over the one that was in the file",
  },
  {
    breaks: "a picture that is missing in an export of Google Photos has no line",
    file: "convert/sources/takeout.ts",
    from: "if (!used.has(photo))",
    to: "if (!used.has(photo) && photo.trashed)",
    test: "convert/sources/takeout.test.ts",
    title: "everything that is no photo has a line: the sum of both is what the export has",
  },
  {
    breaks: "links in the tables of a vault are lost",
    file: "convert/sources/markdown/obsidian.ts",
    from: "const wikiLinks = /\\[\\[([^[\\]|\\n]{1,500}?)(?:\\\\?",
    to: "const wikiLinks = /\\[\\[([^[\\]|\\n]{1,500}?)(?:",
    test: "convert/sources/markdown/markdown.test.ts",
    title: "Obsidian: links and pictures in tables and around code are kept, and the rows of tables stay rows",
  },
  {
    breaks: "a page of Hugo with a date becomes a post",
    file: "convert/sources/markdown/markdown.ts",
    from: "if (isAtTop(one) && !isPost(one)) one.isPage = true;",
    to: "if (isAtTop(one) && !isPost(one)) one.isPage ||= false;",
    test: "convert/sources/markdown/markdown.test.ts",
    title: "Hugo: a dated text is a page if its section, its layout or the menu says so, and otherwise a post",
  },
  {
    breaks: "posts of a second blog of WordPress with the same numbers are lost",
    file: "convert/sources/wordpress/survey.ts",
    from: "blog = blogs.get(address) ?? newBlog(address, base);\n    blogs.set(address, blog);",
    to: 'blog = blogs.get("") ?? newBlog(address, base);\n    blogs.set("", blog);',
    test: "convert/sources/wordpress/blogs.test.ts",
    title: "two blogs with a folder of uploads each, in one tree",
  },
  {
    breaks: "a blog of a network shows the pictures of another one",
    file: "convert/sources/wordpress/upload-folders.ts",
    from: "folders.filter(({ site }) => site === blog.site)",
    to: "folders.filter(({ site }) => site !== null || site === blog.site)",
    test: "convert/sources/wordpress/blogs.test.ts",
    title:
      "one blog of a network finds its uploads with the folder of its number, and without; and never those of another blog",
  },
  {
    breaks: "what Immich says of a picture in another form is dropped without a line",
    file: "convert/sources/servers/immich-client.ts",
    from: "else lost?.({",
    to: "else if (false) lost?.({",
    test: "convert/sources/servers/immich.test.ts",
    title: "everything that Immich has is taken, or has a line with the name of its file, once",
  },
  {
    breaks: "comments show usernames instead of the names that their authors have chosen",
    file: "src/web/site/comments/discussion.ts",
    from: "source ? author : (authors.get(ownerID) ?? author)",
    to: "source || authors.size > 0 ? author : (authors.get(ownerID) ?? author)",
    test: "src/web/site/comments.test.ts",
    title: "show the name that their authors have chosen, also in replies and in the form",
  },
];
