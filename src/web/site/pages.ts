import type { Images } from "../../core/images/read.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import type { FixedSettings } from "../../core/settings/store.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { SignIn } from "../../core/users/sign-in.ts";
import type { ShareLinks } from "../../features/shares/links.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ErrorPage } from "../../platform/http/failures.ts";
import type { Route } from "../../platform/http/route.ts";
import type { Decoder } from "../../platform/images/decoder.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import type { Renderer as Markdown } from "../../platform/markdown/renderer.ts";
import { type MailPageUses, mailPages } from "./accounts/mail-pages.ts";
import { accountPages } from "./accounts/pages.ts";
import { type RefuseSignIn, refuseSignIn } from "./accounts/refuse-sign-in.ts";
import { albumPage } from "./albums/album-page.tsx";
import { albumsPage } from "./albums/albums-page.tsx";
import { blogPages } from "./blog/pages.tsx";
import { previewRoute } from "./blog/preview.ts";
import { writtenPage } from "./blog/site-pages.ts";
import { browsePages } from "./browse/pages.tsx";
import { errorPage } from "./error-page.tsx";
import { programRoutes } from "./for-programs/program-routes.ts";
import { homePages } from "./home.tsx";
import { newsletterPages } from "./newsletter/pages.tsx";
import { peoplePages } from "./people.tsx";
import { mapPage } from "./photos/map-page.tsx";
import { photoPage } from "./photos/photo-page.tsx";
import { photosPage } from "./photos/photos-page.tsx";
import { assetRoute, createRenderer } from "./render.ts";
import { searchPages } from "./search/pages.tsx";
import { setupPages, withSetup } from "./setup/pages.tsx";
import type { Samples } from "./setup/samples/samples.ts";
import { sharePages } from "./shares/pages.tsx";
import { tagPages } from "./tags.tsx";

type Pages = { routes: Route[]; errorPage: ErrorPage; refuseSignIn: RefuseSignIn };

type Deps = {
  db: Database;
  blobs: Blobs;
  images: Images;
  decoder: Decoder;
  markdown: Markdown;
  trash: Trash;
  guesses: RateLimit;
  shareLinks: ShareLinks;
  kinds: RecordKind[];
  fixed: FixedSettings;
  /** Where browsers read files, if not from this server. */
  mediaOrigin: string | null;
  dataDir: string;
  securityContact: string | null;
  isCopy: boolean;
};

export function openPages(deps: Deps, samples: Samples, signIn: SignIn, mail: MailPageUses): Pages {
  const { db, blobs, images, trash, shareLinks, kinds, fixed, mediaOrigin, dataDir } = deps;
  const renderer = createRenderer(db, fixed, mediaOrigin, { isCopy: deps.isCopy, sendsMail: mail.mails.isOn });
  const files = { db, blobs, images };
  const written = writtenPage(db);
  const pages = [
    ...homePages(db).map((front) => (front.path === "/" ? withSetup(db, samples, front) : front)),
    ...blogPages(db, trash),
    photosPage(db),
    mapPage(db, mediaOrigin),
    ...photoPage(db, trash),
    albumsPage(db),
    ...albumPage(db, trash),
    ...browsePages(files),
    ...tagPages(db),
    ...peoplePages(db),
    ...searchPages(db, kinds),
    ...sharePages(files, shareLinks),
    ...accountPages(db, fixed, signIn),
    ...mailPages(db, mail),
    ...setupPages({ db, fixed, signIn, samples, dataDir }),
    ...newsletterPages({ db, guesses: deps.guesses, written }),
    written,
  ];
  return {
    // The paths of the first are more specific than those of pages.
    routes: [
      ...programRoutes(deps, renderer),
      previewRoute(deps, renderer),
      ...pages.map(renderer.toRoute),
      assetRoute,
    ],
    errorPage: errorPage(renderer),
    refuseSignIn: refuseSignIn(renderer),
  };
}
