import { launchBrowser, openTab, desktop, phone } from "../browser/browser.ts";
import { setUpWithSamples } from "../browser/set-up.ts";
import { password, startServer } from "../kit.ts";
Bun.spawnSync([process.execPath, "bin/build-studio.ts"]);
const server = await startServer();
const browser = await launchBrowser();
const owner = await setUpWithSamples(browser, server);
const posts = (await owner.get("/api/v1/blog")).body;
const albums = (await owner.get("/api/v1/albums")).body;
const photos = (await owner.get("/api/v1/photos")).body;
const paths = {
  home: "/",
  photos: "/photos",
  photo: `/photos/${photos[0].id}`,
  albums: "/albums",
  album: `/albums/${albums[0].id}`,
  blog: "/blog",
  post: `/blog/${posts[0].id}`,
  files: "/files/Samples",
  comments: "/comments",
  people: "/people",
  shares: "/shares",
  trash: "/trash",
  storage: "/storage",
  activity: "/activity",
  settings: "/settings",
  account: "/account",
};
const only = process.argv.slice(2);
for (const [size, options] of [
  ["d", { viewport: desktop }],
  ["p", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }],
] as const) {
  const tab = await openTab(browser, server.url, { locale: "en", ...options });
  await tab.context.request.post("/session", {
    data: { username: "ada", password },
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  for (const [name, path] of Object.entries(paths)) {
    if (only.length && !only.includes(name)) continue;
    await tab.open(`/studio${path}`);
    await tab.page.getByRole("main").waitFor();
    await Bun.sleep(1500);
    await tab.page.screenshot({ path: `/tmp/shots/${name}-${size}.png` });
  }
  console.log(size, tab.complaints);
}
await browser.close();
await server.close();
process.exit();
