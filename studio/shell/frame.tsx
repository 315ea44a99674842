import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { CircleHelp, ExternalLink, LogOut, Menu as MenuIcon, Search } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { followAccount } from "../lib/account.ts";
import { api } from "../lib/api.ts";
import { useCommands } from "../lib/commands.ts";
import { explain } from "../lib/explain.ts";
import { useMe } from "../lib/me.ts";
import { followEvents } from "../lib/queries.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { useSiteName } from "../lib/site-name.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { buttonClass, IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { JobTray } from "../ui/job-tray.tsx";
import { Keys, Menu } from "../ui/menu.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { UploadTray } from "../uploads/upload-tray.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { OfflineNotice } from "./offline.tsx";
import { type Section, sectionsFor } from "./sections.ts";
import { ShortcutList } from "./shortcut-list.tsx";
import { frameTexts as t } from "./texts.ts";
import type { Unsaved } from "./unsaved.ts";

const loadSignOut = () => import("./sign-out-dialog.tsx");
const SignOutDialog = lazy(async () => ({ default: (await loadSignOut()).SignOutDialog }));

/** Around every screen: the sections on the left, or at the lower edge on a phone, and what floats above them. */
export function Frame() {
  const me = useMe();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"commands" | "shortcuts" | null>(null);
  const [unsaved, setUnsaved] = useState<Unsaved[] | null>(null);
  const leave = async () => {
    try {
      const { listUnsaved, signOut } = await loadSignOut();
      const found = await listUnsaved();
      if (found.length > 0) setUnsaved(found);
      else await signOut();
    } catch (error) {
      showToast({ text: explain(error), isFailure: true, retry: () => void leave() });
    }
  };
  const sections = sectionsFor(me.role);
  const site = useSiteName();

  useEffect(() => {
    const ending = new AbortController();
    void followEvents(ending.signal);
    followAccount(async () => (await api.readMe()).id, ending.signal);
    return () => ending.abort();
  }, []);
  useShortcuts([
    { keys: "mod+k", label: words.search, run: () => setOpen("commands") },
    { keys: "/", label: words.search, run: () => setOpen("commands") },
    { keys: "?", label: t.shortcuts, run: () => setOpen("shortcuts") },
    ...sections.map(({ to, key, label }) => ({ keys: `g ${key}`, label, run: () => void navigate({ to }) })),
  ]);
  useCommands([
    ...sections.map(({ to, key, label, icon }) => ({
      label,
      icon,
      group: t.goTo,
      keys: `g ${key}`,
      run: () => void navigate({ to }),
    })),
    { label: t.shortcuts, group: t.help, keys: "?", run: () => setOpen("shortcuts") },
    { label: words.viewSite, group: t.help, run: () => window.open("/", "_blank", "noopener") },
    { label: words.signOut, group: t.help, run: () => void leave() },
  ]);

  const first = sections.filter(({ isSmall }) => !isSmall).slice(0, 4);
  return (
    <div className="md:grid md:grid-cols-[14rem_1fr]">
      <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:z-50 focus:bg-surface focus:p-3">
        {t.skip}
      </a>
      <nav
        aria-label={t.sections}
        className="sticky top-0 hidden h-dvh flex-col gap-1 overflow-y-auto border-r border-line bg-surface p-3 md:flex"
      >
        <a
          href="/"
          className="mb-1 flex items-center gap-2 rounded-control px-2.5 py-2 hover:bg-tint"
          title={words.viewSite}
        >
          <span className="flex-1 truncate font-serif text-lg font-semibold" dir="auto">
            {site}
          </span>
          <ExternalLink className="size-4 text-soft" />
        </a>
        <button
          type="button"
          onClick={() => setOpen("commands")}
          className="control mb-2 flex items-center gap-2 text-left text-soft"
        >
          <Search className="size-4" />
          <span className="flex-1">{words.search}</span>
          <Keys keys="mod+k" />
        </button>
        <Group sections={sections} group="make" />
        <Group sections={sections} group="tend" />
        <Group sections={sections} group="site" />
        <div className="mt-auto flex items-center gap-1 border-t border-line pt-2 pl-2.5">
          <span className="flex-1 truncate text-sm text-soft">{me.username}</span>
          <IconButton label={t.shortcuts} onClick={() => setOpen("shortcuts")}>
            <CircleHelp />
          </IconButton>
          <IconButton label={words.signOut} onClick={() => void leave()}>
            <LogOut />
          </IconButton>
        </div>
      </nav>

      <main id="content" tabIndex={-1} className="min-w-0 pb-20 outline-none md:pb-0">
        <OfflineNotice />
        <Outlet />
      </main>

      <nav
        aria-label={t.sections}
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {first.map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === "/" }}
            className={tab}
            activeProps={{ className: "!text-accent" }}
          >
            <Icon className="size-5" />
            <span className="max-w-full truncate">{label}</span>
          </Link>
        ))}
        <Menu
          items={[
            { label: words.search, icon: <Search />, run: () => setOpen("commands") },
            null,
            ...sections
              .filter((section) => !first.includes(section))
              .map(({ to, label, icon: Icon }) => ({ label, icon: <Icon />, run: () => void navigate({ to }) })),
            null,
            { label: words.viewSite, icon: <ExternalLink />, run: () => location.assign("/") },
            { label: words.signOut, icon: <LogOut />, run: () => void leave() },
          ]}
        >
          <button type="button" className={tab}>
            <MenuIcon className="size-5" />
            {words.more}
          </button>
        </Menu>
      </nav>

      <UploadTray />
      <JobTray />
      <Toasts />
      {open === "commands" && <CommandPalette onClose={() => setOpen(null)} />}
      {open === "shortcuts" && <ShortcutList onClose={() => setOpen(null)} />}
      {unsaved && (
        <Suspense>
          <SignOutDialog unsaved={unsaved} onClose={() => setUnsaved(null)} />
        </Suspense>
      )}
    </div>
  );
}

const tab = "flex min-w-0 flex-1 flex-col items-center gap-0.5 px-1 py-2 text-xs text-soft no-underline";

function Group({ sections, group }: { sections: Section[]; group: Section["group"] }): ReactNode {
  const some = sections.filter((section) => section.group === group);
  if (some.length === 0) return null;
  return (
    <ul className={classes("grid gap-0.5", group !== "make" && "mt-2 border-t border-line pt-2")}>
      {some.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            activeOptions={{ exact: to === "/" }}
            className={classes(buttonClass("quiet"), "w-full !justify-start gap-3 !px-2.5")}
            activeProps={{ className: "!bg-tint font-semibold [&>svg]:text-accent" }}
          >
            <Icon />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
