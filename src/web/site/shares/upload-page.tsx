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

type UploadForm = { title: string; wasSent?: boolean; guestName?: string | undefined; failed?: Problem };

/** Without script, a form for one picture at a time. A script sends many, each as a request of the API. */
export function uploadView(
  visit: Visit,
  { share }: OpenedLink,
  { title, wasSent = false, guestName, failed }: UploadForm,
): View {
  const { language, links } = visit;
  const t = shareTexts[language];
  return {
    title: t.addTo(title),
    canonical: null,
    isForm: true,
    scripts: ["guests"],
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
        <form
          class="stack"
          method="post"
          action={`${links.prefix}/upload`}
          enctype="multipart/form-data"
          data-guests={links.api("/api/v1/shared/uploads")}
          data-link={share.id}
          data-texts={JSON.stringify(t.upload)}
        >
          <div class="field">
            <label for="file">{t.file}</label>
            <input id="file" name="file" type="file" accept="image/*,video/*" required />
          </div>
          <div class="field">
            <label for="guest-name">{t.guestName}</label>
            <input id="guest-name" name="guestName" maxlength={100} autocomplete="name" dir="auto" value={guestName} />
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
    const { guestName } = await shareLinks.receive(visit.exchange, link);
    // The name is asked for once, also where no script could remember it.
    return redirect(`${visit.links.prefix}/upload?sent${guestName ? `&name=${encodeURIComponent(guestName)}` : ""}`);
  } catch (error) {
    if (!(error instanceof Problem) || !["invalid", "forbidden", "limited"].includes(error.code)) throw error;
    return uploadView(visit, link, { title, failed: error });
  }
}
