/** @jsxImportSource hono/jsx */
import { missing, Problem } from "../../../platform/errors.ts";
import type { Stream } from "../../../platform/http/content.ts";
import type { ShareLinks } from "../../../features/shares/links.ts";
import type { OpenedLink } from "../../../features/shares/open-link.ts";
import { redirect, type View, type Visit } from "../page.ts";
import { shareTexts } from "../texts/shares.ts";
import { formHeaders } from "./password-page.tsx";

export const acceptsUploads = ({ share, shareable }: OpenedLink): boolean =>
  share.allowUpload && shareable.shared.uploads !== undefined;

type Shown = { title: string; wasSent?: boolean; failed?: Problem };

/** A form that works without script: one picture at a time. */
export function uploadView(visit: Visit, { title, wasSent = false, failed }: Shown): View {
  const { language, links } = visit;
  const t = shareTexts[language];
  return {
    title: t.addTo(title),
    canonical: null,
    isForm: true,
    ...(failed && { status: failed.status }),
    headers: { ...failed?.headers, ...formHeaders },
    body: (
      <div class="account">
        <h1 dir="auto">{t.addTo(title)}</h1>
        <p class="quiet">{t.addText}</p>
        {wasSent ? (
          <p class="notice" role="status">
            {t.sent}
          </p>
        ) : null}
        {failed ? (
          <p class="notice error" role="alert">
            {t.notSent} <span lang="en">{failed.message}</span>
          </p>
        ) : null}
        <form class="stack" method="post" action={`${links.prefix}/upload`} enctype="multipart/form-data">
          <div class="field">
            <label for="file">{t.file}</label>
            <input id="file" name="file" type="file" accept="image/*,video/*" required />
          </div>
          <div class="field">
            <label for="guest-name">{t.guestName}</label>
            <input id="guest-name" name="guestName" maxlength={100} autocomplete="name" dir="auto" />
          </div>
          <p class="actions">
            <button class="button" type="submit">
              {t.send}
            </button>
            <a class="button quiet" href={links.prefix}>
              {t.back}
            </a>
          </p>
        </form>
      </div>
    ),
  };
}

/** Receives what the form has sent. */
export async function receiveUpload(
  visit: Visit,
  shareLinks: ShareLinks,
  link: OpenedLink,
  title: string,
): Promise<View | Stream> {
  if (!acceptsUploads(link)) throw missing("such page");
  try {
    await shareLinks.receive(visit.exchange, link);
    return redirect(`${visit.links.prefix}/upload?sent`);
  } catch (error) {
    if (!(error instanceof Problem) || !["invalid", "forbidden", "limited"].includes(error.code)) throw error;
    return uploadView(visit, { title, failed: error });
  }
}
