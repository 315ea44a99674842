import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  stringifySearchWith,
} from "@tanstack/react-router";
import { openAccount } from "./lib/account.ts";
import { meQuery } from "./lib/me.ts";
import { queries } from "./lib/queries.ts";
import { Studio } from "./shell/goodbye.tsx";
import { Broken, Lost } from "./shell/lost.tsx";
import { Loading } from "./ui/screen.tsx";

const root = createRootRoute({
  async loader() {
    const me = await queries.ensureQueryData(meQuery);
    openAccount(me.id);
    return me;
  },
  component: Studio,
  notFoundComponent: Lost,
  errorComponent: Broken,
});

type Search = Record<string, string>;

/** The parameters of an address are texts; each screen reads its own. */
const readSearch = (given: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));

const screen = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: readSearch });

const tree = root.addChildren([
  screen(
    "/",
    lazyRouteComponent(() => import("./home/home-screen.tsx"), "HomeScreen"),
  ),
  screen(
    "/photos",
    lazyRouteComponent(() => import("./photos/photos-screen.tsx"), "PhotosScreen"),
  ),
  screen(
    "/photos/duplicates",
    lazyRouteComponent(() => import("./duplicates/duplicates-screen.tsx"), "DuplicatesScreen"),
  ),
  screen(
    "/photos/titles",
    lazyRouteComponent(() => import("./photos/titles/titles-screen.tsx"), "TitlesScreen"),
  ),
  screen(
    "/photos/$id",
    lazyRouteComponent(() => import("./photos/photo-screen.tsx"), "PhotoScreen"),
  ),
  screen(
    "/map",
    lazyRouteComponent(() => import("./map/map-screen.tsx"), "MapScreen"),
  ),
  screen(
    "/albums",
    lazyRouteComponent(() => import("./albums/albums-screen.tsx"), "AlbumsScreen"),
  ),
  screen(
    "/albums/$id",
    lazyRouteComponent(() => import("./albums/album-screen.tsx"), "AlbumScreen"),
  ),
  screen(
    "/blog",
    lazyRouteComponent(() => import("./blog/posts-screen.tsx"), "PostsScreen"),
  ),
  screen(
    "/blog/$id",
    lazyRouteComponent(() => import("./blog/post-screen.tsx"), "PostScreen"),
  ),
  screen(
    "/files/$",
    lazyRouteComponent(() => import("./files/files-screen.tsx"), "FilesScreen"),
  ),
  screen(
    "/comments",
    lazyRouteComponent(() => import("./comments/comments-screen.tsx"), "CommentsScreen"),
  ),
  screen(
    "/people",
    lazyRouteComponent(() => import("./people/people-screen.tsx"), "PeopleScreen"),
  ),
  screen(
    "/shares",
    lazyRouteComponent(() => import("./shares/shares-screen.tsx"), "SharesScreen"),
  ),
  screen(
    "/trash",
    lazyRouteComponent(() => import("./trash/trash-screen.tsx"), "TrashScreen"),
  ),
  screen(
    "/storage",
    lazyRouteComponent(() => import("./storage/storage-screen.tsx"), "StorageScreen"),
  ),
  screen(
    "/move-in",
    lazyRouteComponent(() => import("./move-in/move-in-screen.tsx"), "MoveInScreen"),
  ),
  screen(
    "/move-in/$id",
    lazyRouteComponent(() => import("./move-in/import-screen.tsx"), "ImportScreen"),
  ),
  screen(
    "/activity",
    lazyRouteComponent(() => import("./activity/activity-screen.tsx"), "ActivityScreen"),
  ),
  screen(
    "/backups",
    lazyRouteComponent(() => import("./backups/backups-screen.tsx"), "BackupsScreen"),
  ),
  screen(
    "/settings",
    lazyRouteComponent(() => import("./settings/settings-screen.tsx"), "SettingsScreen"),
  ),
  screen(
    "/settings/redirects",
    lazyRouteComponent(() => import("./redirects/redirects-screen.tsx"), "RedirectsScreen"),
  ),
  screen(
    "/settings/newsletter",
    lazyRouteComponent(() => import("./newsletter/newsletter-screen.tsx"), "NewsletterScreen"),
  ),
  screen(
    "/account",
    lazyRouteComponent(() => import("./account/account-screen.tsx"), "AccountScreen"),
  ),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: "/studio",
  // As they are: otherwise texts that look like numbers would be written in quotes.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
