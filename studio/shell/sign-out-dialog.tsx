import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { signOutTexts as t } from "./sign-out-texts.ts";
import { signOut } from "./sign-out.ts";
import { listUnsaved, type Unsaved } from "./unsaved.ts";

export { listUnsaved, signOut };

/** Names what would be lost. What is saved while it is open disappears from the list. */
export function SignOutDialog({ unsaved, onClose }: { unsaved: Unsaved[]; onClose: () => void }) {
  const [isBusy, setIsBusy] = useState(false);
  const { data: left } = useQuery({
    queryKey: ["unsaved"],
    queryFn: listUnsaved,
    initialData: unsaved,
    refetchInterval: 1000,
  });
  const leave = async () => {
    setIsBusy(true);
    await signOut();
    setIsBusy(false);
  };
  return (
    <Dialog
      title={t.signOutTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.staySignedIn}</Button>
          <Button variant={left.length > 0 ? "danger" : "main"} isBusy={isBusy} onClick={() => void leave()}>
            {left.length > 0 ? t.discardAndSignOut : words.signOut}
          </Button>
        </>
      }
    >
      {left.length === 0 ? (
        <p role="status">{t.allSaved}</p>
      ) : (
        <>
          <p>{t.signOutHint}</p>
          <ul className="mt-3 grid gap-1">
            {left.map(({ key, label, to, search = {} }) => (
              <li key={key} className="flex gap-2 before:text-soft before:content-['•']">
                {to === "" ? (
                  label
                ) : (
                  <Link to={to} search={search} onClick={onClose} className="min-w-0 break-words underline" dir="auto">
                    {label}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
