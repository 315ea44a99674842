import { afterAll, beforeAll, expect, test } from "bun:test";
import { useOpened } from "../kit/use-opened.ts";
import { openWebSite } from "../kit/web-site.ts";
import { describeInBrowser, openTab, sharedBrowser, type Tab } from "../kit/browser.ts";
import { findFaults, type Rule, type XMLElement } from "./xml-rules.ts";

/*
 * The feeds and the sitemap as the XML parser of the browser reads them, by the rules of RFC 4287, of the Media RSS
 * module and of the schemas of sitemaps.org.
 */
const atom = "http://www.w3.org/2005/Atom";
const media = "http://search.yahoo.com/mrss/";
const sitemap = "http://www.sitemaps.org/schemas/sitemap/0.9";
const image = "http://www.google.com/schemas/sitemap-image/1.1";

const address = /^https?:\/\/[^\s<>"]{3,2036}$/;
const id = /^(https?|tag|urn):[^\s<>"]+$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const some = /\S/;
const type = /^[a-z]+\/[\w.+-]+$/;
const number = /^[1-9]\d*$/;

const many = Infinity;
const text = (pattern: RegExp): Rule => ({ text: pattern });
const texts: Rule = { text: some, optional: { type: /^(text|html)$/ } };
const person: Rule = {
  children: {
    [`${atom} name`]: [text(some), 1, 1],
    [`${atom} uri`]: [text(address), 0, 1],
    [`${atom} email`]: [text(/@/), 0, 1],
  },
};
const link: Rule = {
  required: { href: address },
  optional: { rel: /^(alternate|self|enclosure|related|via|hub|next)$/, type, length: number, title: some },
};
const mediaContent: Rule = {
  required: { url: address },
  optional: {
    medium: /^(image|audio|video|document|executable)$/,
    type,
    width: number,
    height: number,
    fileSize: number,
    duration: number,
  },
  children: { [`${media} description`]: [{ text: /^/ }, 0, 1] },
};
const common: Rule["children"] = {
  [`${atom} id`]: [text(id), 1, 1],
  [`${atom} title`]: [texts, 1, 1],
  [`${atom} updated`]: [text(time), 1, 1],
  [`${atom} author`]: [person, 1, many],
  [`${atom} link`]: [link, 1, many],
  [`${atom} category`]: [{ required: { term: some }, optional: { label: some, scheme: address } }, 0, many],
};
const entry: Rule = {
  children: {
    ...common,
    [`${atom} published`]: [text(time), 0, 1],
    [`${atom} summary`]: [texts, 0, 1],
    [`${atom} content`]: [texts, 1, 1],
    [`${media} content`]: [mediaContent, 0, many],
  },
};
const feed: Rule = {
  optional: { "xml:lang": /^[a-zA-Z]{2,8}(-[\w]{1,8})*$/ },
  children: {
    ...common,
    [`${atom} subtitle`]: [texts, 0, 1],
    [`${atom} icon`]: [text(address), 0, 1],
    [`${atom} logo`]: [text(address), 0, 1],
    [`${atom} generator`]: [{ text: some, optional: { uri: address, version: some } }, 0, 1],
    [`${atom} entry`]: [entry, 0, many],
  },
};
const url: Rule = {
  isSequence: true,
  children: {
    [`${sitemap} loc`]: [text(address), 1, 1],
    [`${sitemap} lastmod`]: [text(time), 0, 1],
    [`${sitemap} changefreq`]: [text(/^(always|hourly|daily|weekly|monthly|yearly|never)$/), 0, 1],
    [`${sitemap} priority`]: [text(/^(0\.\d+|1\.0)$/), 0, 1],
    [`${image} image`]: [{ children: { [`${image} loc`]: [text(address), 1, 1] } }, 0, 1000],
  },
};
const urlset: Rule = { children: { [`${sitemap} url`]: [url, 1, 50_000] } };

let tab: Tab;
describeInBrowser("as the parser of a browser reads them", () => {
  const site = useOpened(openWebSite);
  beforeAll(async () => {
    tab = await openTab(await sharedBrowser(), site.server.url);
  });
  afterAll(() => tab?.[Symbol.asyncDispose]());

  test("the feeds follow the rules of Atom", async () => {
    for (const path of site.feeds) {
      const root = await parse((await site.get(path)).body);
      expect([path, root.name, ...findFaults(root, feed)]).toEqual([path, `${atom} feed`]);
      const entries = root.children.filter(({ name }) => name === `${atom} entry`);
      expect(entries.length).toBeGreaterThan(0);
      const ids = [root, ...entries].map(({ children }) => children.find(({ name }) => name === `${atom} id`)?.text);
      expect(new Set(ids).size).toBe(entries.length + 1);
      for (const { children } of [root, ...entries]) {
        const rels = children.flatMap(({ name, attributes }) => (name === `${atom} link` ? [attributes.rel] : []));
        expect(rels.filter((rel) => rel === "alternate")).toHaveLength(1);
      }
    }
  });

  test("the sitemap and its parts follow their schema, and name only pages of this site", async () => {
    for (const path of ["/sitemap.xml", "/sitemap-1.xml", "/sitemap-2.xml", "/sitemap-3.xml", "/sitemap-4.xml"]) {
      const root = await parse((await site.get(path)).body);
      expect([path, root.name, ...findFaults(root, urlset)]).toEqual([path, `${sitemap} urlset`]);
      for (const { children } of root.children) expect(children[0]?.text).toStartWith(`${site.server.url}/`);
    }
  });

  test("a document that is not well-formed is noticed, and so is one that breaks a rule", async () => {
    const refused = await parse("<a><b></a>").catch((error: Error) => error.message);
    expect(refused).toContain("not well-formed");
    const { body } = await site.get("/feed.xml");
    const faultsOf = async (text: string) => findFaults(await parse(text), feed);
    expect(await faultsOf(body.replace(/<updated>[^<]*<\/updated>/, ""))).toHaveLength(1);
    expect(await faultsOf(body.replace("</title>", "</title><title>x</title>"))).toHaveLength(1);
    expect(await faultsOf(body.replace("<generator>", `<generator x="1">`))).toHaveLength(1);
    expect(await faultsOf(body.replace("<entry>", "<entry><unknown/>"))).toHaveLength(1);
  });
});

/** Names are the namespace and the local name, with a space between them. */
async function parse(document: string): Promise<XMLElement> {
  const root = await tab.page.evaluate((source) => {
    const { DOMParser } = globalThis as unknown as { DOMParser: any };
    const parsed = new DOMParser().parseFromString(source, "application/xml");
    return parsed.querySelector("parsererror") ? null : toTree(parsed.documentElement);

    function toTree(element: any): any {
      const children = [...element.children];
      const attributes = [...element.attributes].filter(({ name }) => !/^xmlns(:|$)/.test(name));
      return {
        name: `${element.namespaceURI} ${element.localName}`,
        attributes: Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
        children: children.map(toTree),
        text: children.length === 0 ? element.textContent : "",
      };
    }
  }, document);
  expect(tab.complaints).toEqual([]);
  if (!root) throw new Error("The document is not well-formed.");
  return root;
}
