// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
// Runs on the embedded engines only: what the database does for the map is tested on all of them over HTTP.
import { beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { bytesOf, quadrants } from "../kit/files/pictures.ts";
import { useServer } from "../kit/use-server.ts";
import { browserPath, findBarriers, openTab, sharedBrowser, testInBrowser } from "../kit/browser.ts";
import { findMarkupErrors } from "./html.ts";
import { overflowOf, ways } from "./ways.ts";

const server = useServer();
const { admin, guest } = server.people();
let browser: Browser;
let fileID: number;

const cities: [name: string, latitude: number, longitude: number][] = [
  ["Lisboa", 38.7071, -9.1355],
  ["Lisboa, Alfama", 38.7118, -9.1306],
  ["Porto", 41.1496, -8.611],
  ["Wien", 48.2082, 16.3738],
  ["Tokyo", 35.6762, 139.6503],
  ["Suva", -18.1248, 178.4501],
  ["Apia", -13.8506, -171.7513],
];

async function add([name, latitude, longitude]: (typeof cities)[number], fields: object = {}): Promise<void> {
  const place = { latitude, longitude, name };
  const { status } = await admin.post("/api/v1/photos", { title: name, fileID, place, showLocation: true, ...fields });
  expect(status).toBe(201);
}

beforeAll(async () => {
  if (browserPath) browser = await sharedBrowser();
  fileID = (await admin.upload("a.jpg", await bytesOf(quadrants(96, 64).jpeg()))).body.id;
});

testInBrowser("a guest finds photos on the map, with and without script", async () => {
  await add(["Home", 52.52, 13.4], { showLocation: false });
  // Nothing tells that there is a place that may not be shown.
  expect((await fetch(`${server.url}/map`)).status).toBe(404);
  expect(await (await fetch(`${server.url}/sitemap.xml`)).text()).not.toContain("/map<");
  expect(await (await fetch(`${server.url}/photos`)).text()).not.toContain('href="/map"');
  for (const city of cities) await add(city);
  expect(await (await fetch(`${server.url}/sitemap.xml`)).text()).toContain("/map<");

  for (const { name, hasScript, options } of ways) {
    await using tab = await openTab(browser, server.url, options);
    const page = await tab.open("/photos");
    await page.getByRole("link", { name: "Map", exact: true }).click();
    await page.getByRole("heading", { name: "Map" }).waitFor();
    const areas = page.getByRole("region", { name: "Places" }).getByRole("link");
    expect((await areas.allInnerTexts()).join()).not.toContain("Home");
    const { width, height } = (await page.locator(".map-view .world").boundingBox()) ?? { width: 0, height: 0 };
    expect([width > 300, height > 300]).toEqual([true, true]);
    if (hasScript) {
      expect([name, await findBarriers(page)]).toEqual([name, []]);
      await page.locator(".map-view").focus();
      for (const key of ["ArrowLeft", "+", "+", "+"]) await page.keyboard.press(key);
      await page.waitForURL(/zoom=[45]/);
      await page.mouse.wheel(0, -480);
    } else {
      expect(await findMarkupErrors(await page.content())).toEqual([]);
      for (const zoom of [3, 4]) {
        await page.getByRole("link", { name: "Zoom in" }).click();
        await page.waitForURL(new RegExp(`zoom=${zoom}`));
      }
    }
    expect(await overflowOf(page)).toBe(0);
    await page.goto(`/map?lat=39&lon=-9&zoom=6`);
    await areas.filter({ hasText: "2 photos" }).click();
    await page.getByRole("heading", { name: "Photos of an area" }).waitFor();
    await page.waitForLoadState();
    expect(await page.locator(".photos a").count()).toBe(2);
    await page.getByRole("link", { name: "Back to the map" }).click();
    await areas.filter({ hasText: "2 photos" }).waitFor();
    await page.goto(`/map?lat=39&lon=-9&zoom=6`);
    await areas.filter({ hasText: "Porto" }).click();
    await page.waitForURL(/\/photos\/\d+$/);
    await page.goto(`/map?lat=-16&lon=180&zoom=4`);
    expect((await areas.allInnerTexts()).join()).toMatch(/Suva.*Apia|Apia.*Suva/s);
    expect([name, tab.complaints]).toEqual([name, []]);
  }
});

test("only a tile server that the settings name may be asked", async () => {
  for (const url of [
    "http://tiles.example/{z}/{x}/{y}.png",
    "https://tiles.example/",
    "https://{z}.example/{x}/{y}",
    "x",
  ])
    expect((await admin.put("/api/v1/settings", { mapTiles: { url, attribution: "Tiles" } })).status).toBe(400);
  const policy = async () => (await fetch(`${server.url}/map`)).headers.get("content-security-policy") ?? "";
  await add(["Lisboa", 38.7071, -9.1355]);
  expect(await policy()).toContain("img-src 'self' data: blob:;");
  const mapTiles = { url: "https://tiles.example/{z}/{x}/{y}.png", attribution: "© Tiles <Example>" };
  expect((await admin.put("/api/v1/settings", { mapTiles })).status).toBe(200);
  expect(await policy()).toContain("img-src 'self' https://tiles.example data: blob:;");
  const text = await (await fetch(`${server.url}/map?lat=38&lon=-9&zoom=5`)).text();
  expect(text).toContain("https://tiles.example/5/15/12.png");
  expect(text).toContain("© Tiles &lt;Example&gt;");
  expect((await guest.get("/photos")).headers.get("content-security-policy")).not.toContain("tiles.example");
  await admin.put("/api/v1/settings", { mapTiles: null });
});
