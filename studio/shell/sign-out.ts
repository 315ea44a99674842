import { forgetAccount, leaveTo, ownAccount } from "../lib/account.ts";
import { api, isStatus } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { createSharedValue } from "../lib/shared-value.ts";
import { showToast } from "../lib/toasts.ts";
import { forgetUploadsOf } from "../uploads/kept.ts";
import { forgetShared } from "../uploads/shared-files.ts";
import { pauseUploads } from "../uploads/tab-queue.ts";

/** Revokes the session, then deletes what this browser keeps for the account. */
export async function signOut(): Promise<void> {
  const account = ownAccount();
  pauseUploads();
  try {
    await api.signOut();
  } catch (error) {
    // Without a session there is nothing to revoke.
    if (!isStatus(error, 401)) return showToast({ text: explain(error), isFailure: true, retry: () => void signOut() });
  }
  forgetAccount();
  if (account !== null) await forgetUploadsOf(account);
  await forgetShared();
  leaveTo("/");
}

/** Whether the account is being removed: then there is no studio. */
export const hasLeft = createSharedValue(false);

/** The same after the account was removed, which has revoked the session. */
export async function leaveForGood(): Promise<void> {
  const account = ownAccount();
  pauseUploads();
  forgetAccount();
  hasLeft.change(true);
  if (account !== null) await forgetUploadsOf(account);
  await forgetShared();
}
